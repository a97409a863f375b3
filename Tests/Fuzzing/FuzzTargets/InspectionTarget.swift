import ContainingApp
import FileInspector
import PixelAccess
import ScreenBroadcast

/// A file to look into, of whatever format it is taken for; and the same bytes as the article's slot.
package struct InspectionTarget: FuzzTarget {
  package static let name = "inspection"

  package init(folder: String) {}

  package func run(_ bytes: [UInt8]) throws {
    let inspection = FileInspector.inspect(FileBytes(bytes))
    try require(!inspection.text.isEmpty, "an inspection without words")
    try require(
      inspection.problems.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") }, "a problem that is no clause")
    try require(inspection.format != nil || !inspection.isWellFormed, "no format, and nothing wrong")
    let layout: ArticleLayout?
    do { layout = try ArticleLayout.reading(bytes.span) } catch { return }
    let lies = layout.map { $0.planes.allSatisfy { $0.offset + $0.shape.byteCount <= bytes.count } }
    try require(lies ?? true, "a plane outside of the bytes")
  }
}
