/// The two streams of sound of a broadcast.
public enum BroadcastAudioStream: String, CaseIterable, Sendable {
  /// What apps play.
  case app
  /// What the microphone hears.
  case microphone
}
