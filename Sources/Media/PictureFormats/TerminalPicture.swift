import CoreVideo
import PixelAccess

/// Draws pixel buffers as text for a terminal with 24-bit colours, two pixels per character.
///
/// ```swift
/// print(TerminalPicture.draw(pixelBuffer, rotation: .none, columns: 80, rows: 24))
/// ```
package enum TerminalPicture {
  private static let reset = "\u{1B}[0m"

  /// Returns a frame, turned upright by `rotation`, as text of at most `columns` characters by `rows` lines. The aspect
  /// ratio stays.
  ///
  /// Every line resets the colours at its end. Line feeds separate lines; the last line has none. Empty for a size below
  /// 1, and for a pixel format other than 420f and 420v.
  package static func draw(
    _ pixelBuffer: CVPixelBuffer, rotation: PictureRotation = .none, columns: Int, rows: Int
  ) -> String {
    guard let range = SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(pixelBuffer)), columns > 0,
      rows > 0
    else { return "" }
    let stored = pixelBuffer.planeShape(0)
    let upright = rotation.uprightSize(width: stored.width, height: stored.height)
    let size = fitted(upright, columns: min(columns, 4096), rows: min(rows, 4096))
    let pixels = UprightPixels(rotation: rotation, matrix: pixelBuffer.colourMatrix, range: range)

    return pixelBuffer.readPlane(0) { luma, lumaShape in
      pixelBuffer.readPlane(1) { chroma, chromaShape in
        func colour(_ column: Int, _ line: Int) -> String {
          let (width, height) = (Double(size.width), Double(size.height))
          let pixel = pixels.sample(
            x: (Double(column) + 0.5) / width, y: (Double(line) + 0.5) / height, spreadX: 0.25 / width,
            spreadY: 0.25 / height, from: luma, lumaShape, chroma, chromaShape)
          return "\(pixel.red);\(pixel.green);\(pixel.blue)m"
        }
        var text = ""
        for line in stride(from: 0, to: size.height, by: 2) {
          if line > 0 { text += "\n" }
          var (upper, lower) = ("", "")
          for column in 0..<size.width {
            let newUpper = colour(column, line)
            if newUpper != upper { text += "\u{1B}[38;2;" + newUpper }
            upper = newUpper
            // Below an odd last line the terminal's background stays.
            if line + 1 < size.height {
              let newLower = colour(column, line + 1)
              if newLower != lower { text += "\u{1B}[48;2;" + newLower }
              lower = newLower
            }
            text += "▀"
          }
          text += reset
        }
        return text
      }
    }
  }

  /// Returns the largest size with the aspect ratio of the frame, in half characters, which are about square.
  private static func fitted(
    _ picture: (width: Int, height: Int), columns: Int, rows: Int
  ) -> (width: Int, height: Int) {
    let halves = rows * 2
    if picture.width * halves <= picture.height * columns {
      return (max(1, (picture.width * halves + picture.height / 2) / picture.height), halves)
    }
    return (columns, max(1, (picture.height * columns + picture.width / 2) / picture.width))
  }
}
