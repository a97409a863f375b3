import Foundation

/// The names that app and extension share.
public enum ScreenShare {
  /// The app group.
  public static let group = "group.com.example.screenshare.dev"
  /// The socket, in the group's folder.
  public static let socketName = "screen.sock"

  /// Returns the folder of the app group.
  public static func groupFolder() throws -> URL {
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
      throw MissingGroup()
    }
    return folder
  }

  /// The error of an app group that has no folder.
  public struct MissingGroup: Error, CustomStringConvertible {
    /// The sentence.
    public var description: String { "there is no app group \(ScreenShare.group)" }
  }

  /// Ends an app that waits too long for an extension.
  public static func exit(after limit: DispatchTimeInterval = .seconds(30)) {
    DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
      fail("the extension did not do what is expected within the limit")
    }
  }

  /// Prints the reason to stderr, and ends the app.
  public static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("\(ProcessInfo.processInfo.processName): \(reason)\n".utf8))
    Foundation.exit(1)
  }

  /// Prints a line that a script waits for.
  public static func report(_ line: String) {
    print(line)
    fflush(stdout)
  }
}
