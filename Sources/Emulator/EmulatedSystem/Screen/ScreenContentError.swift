import PictureFormats
import PixelAccess
import TestPatterns

/// Why an emulated screen has nothing to show.
public enum ScreenContentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The pattern cannot be drawn.
  case pattern(PatternPainter.Error)
  /// The clip cannot be read.
  case clip(Y4MReader.Error)
  /// There is no memory for the screen's pixels.
  case noBuffer(PixelBufferError)

  /// One sentence: what is wrong, and the way out.
  public var description: String {
    switch self {
    case .pattern(let error): error.description
    case .clip(let error): error.description
    case .noBuffer(let error): error.description
    }
  }

  /// The `errno` behind it, when a system call failed.
  public var errno: Int32? {
    if case .clip(let error) = self { error.errno } else { nil }
  }
}
