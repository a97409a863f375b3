/// The size of a frame in pixels, written `1080x720`.
package struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
  package var width: Int, height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var description: String { "\(width)x\(height)" }

  /// Returns the largest size with this aspect ratio that fits into `room` and is not larger than this size. Both sides are even,
  /// because chroma is subsampled, and at least 2.
  package func fitted(into room: PixelSize) -> PixelSize {
    let scale = min(1, Double(room.width) / Double(width), Double(room.height) / Double(height))
    func even(_ length: Int) -> Int { max(2, Int(Double(length) * scale) & ~1) }
    return PixelSize(width: even(width), height: even(height))
  }
}
