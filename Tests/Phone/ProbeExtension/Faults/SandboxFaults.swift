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
    let folder = unsafe open("/tmp", O_RDONLY | O_DIRECTORY)
    var template = Array("/tmp/stray-XXXXXX".utf8CString)
    // UNSAFE: C strings for the calls.
    let calls: [() -> Bool] = [
      { unsafe fopen("/tmp/stray-file", "w") != nil }, { unsafe creat("/tmp/stray-file", 0o600) >= 0 },
      { unsafe mkstemp(&template) >= 0 }, { unsafe mkdtemp(&template) != nil },
      { unsafe openat(folder, "stray-file", O_WRONLY | O_CREAT, 0o600) >= 0 },
      { unsafe rename(Self.file("."), "/tmp/stray-file") == 0 },
    ]
    let errors = calls.map { $0() ? "done" : "\(errno)" }
    Logger().notice("\((results + errors).joined(separator: " "))")
  }
}
