import PixelAccess

public final class CIColor: NSObject, Sendable {
  public let red: CGFloat
  public let green: CGFloat
  public let blue: CGFloat
  public let alpha: CGFloat

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: 1)
  }

  public static let black = CIColor(red: 0, green: 0, blue: 0)
  public static let white = CIColor(red: 1, green: 1, blue: 1)
  public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
  public static let red = CIColor(red: 1, green: 0, blue: 0)
  public static let green = CIColor(red: 0, green: 1, blue: 0)
  public static let blue = CIColor(red: 0, green: 0, blue: 1)
  public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// Returns a 420f frame in this colour over black; `nil` if there is no memory.
  func frame(width: Int, height: Int) -> CVPixelBuffer? {
    guard let pixels = CVPixelBuffer.make(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA),
      let frame = CVPixelBuffer.make(width: width, height: height)
    else { return nil }
    let bytes = [blue, green, red, 1].map { UInt8(clamping: ($0 * alpha * 255).rounded()) }
    pixels.writePlane(0) { target, shape in
      for row in 0..<2 {
        for index in 0..<8 { target[row * shape.bytesPerRow + index] = bytes[index % 4] }
      }
    }
    guard let sample = pixels.convertedToBiPlanar() else { return nil }
    frame.state(sample.colourMatrix)
    for plane in 0..<2 {
      sample.readPlane(plane) { source, _ in
        frame.writePlane(plane) { target, _ in
          for index in 0..<target.count { target[index] = source[index % (plane + 1)] }
        }
      }
    }
    return frame
  }
}
