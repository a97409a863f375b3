import Foundation
import Glibc
import ReplayKit
import os

/// Ends its process at the third frame.
final class ExitingHandler: RPBroadcastSampleHandler {
  private var frames = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    frames += type == .video ? 1 : 0
    if frames == 3 { exit(0) }
  }
}

/// Opens a semaphore and shared memory by names that only its own process group on a desktop may use.
class NamingHandler: RPBroadcastSampleHandler {
  fileprivate class var name: String { "/frames" }

  override final func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let semaphore = unsafe sem_open(Self.name, O_CREAT, 0o600, 0)
    let error = errno
    let memory = unsafe shm_open(Self.name, O_CREAT | O_RDWR, 0o600)
    Logger().notice("\(unsafe semaphore == nil ? error : 0) \(memory < 0 ? errno : 0)")
    unsafe _ = (sem_unlink(Self.name), shm_unlink(Self.name))
  }
}

final class RightNamingHandler: NamingHandler {
  override fileprivate class var name: String { "group.com.example/frames" }
}

/// Writes a file where only Linux permits it, and in its containers.
final class StrayingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let manager = FileManager.default
    let folders = ["/tmp", manager.temporaryDirectory.path, NSHomeDirectory() + "/Documents", Self.file(".")]
    let results = folders.map { folder in
      do {
        let url = URL(filePath: folder).appending(path: "stray-\(UUID().uuidString)")
        try Data([1]).write(to: url)
        try Data([1]).write(to: url, options: .atomic)
        try manager.removeItem(at: url)
        return "written"
      } catch let error as CocoaError {
        return "\(error.code.rawValue)"
      } catch {
        return "\(error)"
      }
    }
    Logger().notice("\(results.joined(separator: " "))")
  }
}

/// Changes files in the folder of the setup info.
final class MovingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let folder = (setupInfo?["folder"] as? NSString as String?) ?? ""
    let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY)
    func file(_ name: String) -> String { "\(folder)/\(name)" }
    var template = Array(file("XXXXXX").utf8CString), template2 = template
    // UNSAFE: C strings for the calls.
    let calls: [() -> Bool] = [
      { unsafe fopen(file("1"), "w") != nil }, { unsafe creat(file("2"), 0o600) >= 0 },
      { unsafe mkstemp(&template) >= 0 }, { unsafe mkdtemp(&template2) != nil },
      { unsafe openat(opened, "3", O_WRONLY | O_CREAT, 0o600) >= 0 },
      { unsafe symlink("x", file("4")) == 0 }, { unsafe link(file("a"), file("5")) == 0 },
      { unsafe mkdirat(opened, "7", 0o700) == 0 },
      { Self.bindSocket(in: folder) == 0 }, { unsafe truncate(file("a"), 1) == 0 },
      { unsafe chmod(file("a"), 0o600) == 0 }, { unsafe rename(file("a"), file("9")) == 0 },
      { unsafe renameat(opened, "b", opened, "10") == 0 }, { unsafe unlink(file("c")) == 0 },
      { unsafe unlinkat(opened, "d", 0) == 0 }, { unsafe remove(file("e")) == 0 },
      { unsafe rmdir(file("f")) == 0 }, { unsafe remove(file("g")) == 0 },
      // These calls fail on a device too, with the same errors.
      { unsafe unlink(file("-")) == 0 }, { unsafe rename(file("-"), file("11")) == 0 },
      { unsafe mkdir(folder, 0o700) == 0 },
    ]
    Logger().notice("\(calls.map { $0() ? "0" : "\(errno)" }.joined(separator: " "))")
  }

  /// A path of a socket has at most 103 bytes, so it is relative.
  private static func bindSocket(in folder: String) -> Int32 {
    let socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    // UNSAFE: C strings and the address for the calls.
    guard unsafe chdir(folder) == 0 else { return -1 }
    return unsafe SocketHandler.withAddress("8") { unsafe Darwin.bind(socket, $0, $1) }
  }
}
