/// Where app and extension meet, and what they call out to each other.
public enum Meeting {
  /// The app group.
  public static let group = "group.com.example.screenshare.dev"
  /// The socket, in the group's folder.
  public static let socketName = "screen.sock"
  /// The extension has connected.
  public static let started = "com.example.screenshare.broadcastStarted"
  /// The extension has ended the broadcast.
  public static let finished = "com.example.screenshare.broadcastFinished"
}
