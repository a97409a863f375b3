/// The size of a frame in pixels, written `1080x720`.
package struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
  package var width: Int, height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  package var description: String { "\(width)x\(height)" }
}
