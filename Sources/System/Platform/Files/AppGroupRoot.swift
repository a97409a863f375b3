import Foundation

/// The folder that holds the containers of this user's app groups, where the system does not give one.
public struct AppGroupRoot: Sendable, Equatable {
  /// The folder.
  public let path: String
  /// Whether the folder was not chosen by anybody and is not known to be in memory. Sixty mapped frames a
  /// second on a disk become write-back; a program says so.
  public let isDiskFallback: Bool

  /// `$BROADCAST_CONTAINER`; else a folder of the user's in `/dev/shm` or `$XDG_RUNTIME_DIR`, which are in
  /// memory; else one in the temporary folder.
  public static func standard(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    isWritableFolder: (String) -> Bool = { FileManager.default.isWritableFile(atPath: $0) }
  ) -> AppGroupRoot {
    if let path = environment["BROADCAST_CONTAINER"], !path.isEmpty {
      return AppGroupRoot(path: path, isDiskFallback: false)
    }
    let name = "broadcast-\(getuid())"  // Not the name, which a user in a container may lack.
    for folder in ["/dev/shm", environment["XDG_RUNTIME_DIR"]].compactMap({ $0 })
    where isWritableFolder(folder) {
      return AppGroupRoot(path: folder + "/" + name, isDiskFallback: false)
    }
    let temporary = NSTemporaryDirectory()
    return AppGroupRoot(
      path: (temporary.hasSuffix("/") ? temporary : temporary + "/") + name, isDiskFallback: true)
  }
}
