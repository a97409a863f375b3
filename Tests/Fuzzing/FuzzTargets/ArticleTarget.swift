import PixelAccess
import ScreenBroadcast

/// Reads the bytes as the article's slot.
package struct ArticleTarget: FuzzTarget {
  package static let name = "article"

  package init(folder: String) {}

  package func run(_ bytes: [UInt8]) throws {
    let layout: ArticleLayout?
    do { layout = try ArticleLayout.reading(bytes.span) } catch { return }
    let lies = layout.map { $0.planes.allSatisfy { $0.offset + $0.shape.byteCount <= bytes.count } }
    try require(lies ?? true, "a plane outside the bytes")
  }
}
