import CommandLineSupport
import ScreenBroadcast

/// Something that keeps the sound of a broadcast, such as a file.
@MainActor
package protocol AudioOutput: AnyObject, Sendable {
  /// Takes sound as it came, of whichever stream.
  func hear(_ audio: BroadcastAudio)

  /// Why it cannot go on, once it cannot.
  var failure: ProgramFailure? { get }

  /// What a person should know of it at the end, although nothing failed.
  var notice: String? { get }

  /// Brings what is under way to its end; nothing is heard afterwards.
  func finish() throws(ProgramFailure)
}
