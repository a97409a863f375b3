import PixelAccess
import ScreenBroadcast

/// What keeps the app from following a broadcast.
package enum BroadcastFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The status cannot be read.
  case status(KeyValueFile.Failure)
  /// The frames cannot be read.
  case frames(BroadcastBufferContext.Failure)
  /// The sound cannot be read.
  case audio(AudioBufferContext.Failure)
  /// There is no memory for a picture.
  case picture(PixelBufferError)

  /// One sentence: what is wrong, and the way out.
  package var description: String {
    switch self {
    case .status(let error): error.description
    case .frames(let error): error.description
    case .audio(let error): error.description
    case .picture(let error): error.description
    }
  }
}
