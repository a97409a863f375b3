import Foundation

extension System {
  /// The temporary folder that this process was started with. Code on an emulated device gets a separate one.
  package static let temporaryFolder = FileManager.default.temporaryDirectory
}

/// The folder that contains the containers of this user's app groups, because Linux provides none.
public struct AppGroupRoot: Sendable, Equatable {
  /// The absolute path of the folder.
  public let path: String
  /// Whether the path is a fallback that may be on a disk, where 60 mapped frames a second cause write-back. Programs report it.
  public let isDiskFallback: Bool

  /// Returns `$BROADCAST_CONTAINER` if it is set. Otherwise a folder of the user in `/dev/shm` or `$XDG_RUNTIME_DIR` (both are in
  /// memory), or else in the temporary folder.
  public static func standard(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    isWritableFolder: (String) -> Bool = { FileManager.default.isWritableFile(atPath: $0) }
  ) -> AppGroupRoot {
    if let path = environment["BROADCAST_CONTAINER"], !path.isEmpty {
      return AppGroupRoot(path: path, isDiskFallback: false)
    }
    let name = "broadcast-\(getuid())"  // A user in a Linux container may lack a name.
    for folder in ["/dev/shm", environment["XDG_RUNTIME_DIR"]].compactMap({ $0 })
    where isWritableFolder(folder) {
      return AppGroupRoot(path: folder + "/" + name, isDiskFallback: false)
    }
    let temporary = NSTemporaryDirectory()
    return AppGroupRoot(
      path: (temporary.hasSuffix("/") ? temporary : temporary + "/") + name, isDiskFallback: true)
  }

  /// Whether a string has the form of a group ID: `group.` and at least one more name. Names consist of letters, digits and
  /// hyphens and are separated by single dots (at most 128 bytes).
  package static func isGroupID(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 128 && names.count >= 2 && text.hasPrefix("group.")
      && names.allSatisfy { name in
        !name.isEmpty
          && name.allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber || character == "-")
          }
      }
  }
}
