import ContainerDoctor
import ContainingApp
import PixelAccess
import ScreenBroadcast

/// Inspects the bytes as a ring, and reads them as the article's slot.
package struct InspectionTarget: FuzzTarget {
  package static let name = "inspection"

  private let folder: String

  package init(folder: String) { self.folder = folder }

  package func generatedSeeds() throws -> [[UInt8]] {
    try RingFileTarget(folder: folder).generatedSeeds() + AudioRingTarget(folder: folder).generatedSeeds()
  }

  package func run(_ bytes: [UInt8]) throws {
    let inspection = FileInspector.inspect(bytes)
    try require(!inspection.text.isEmpty, "an inspection without text")
    try require(
      inspection.problems.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") }, "a problem that is not a clause")
    try require(inspection.format != nil || !inspection.isWellFormed, "no format, and no problem")
    let layout: ArticleLayout?
    do { layout = try ArticleLayout.reading(bytes.span) } catch { return }
    let lies = layout.map { $0.planes.allSatisfy { $0.offset + $0.shape.byteCount <= bytes.count } }
    try require(lies ?? true, "a plane outside the bytes")
  }
}
