import Foundation
import ReplayKit
import os

/// Logs the system's answers about its app group at the start, and about its memory at every tenth frame.
final class AskingHandler: RPBroadcastSampleHandler {
  private static let group = "group.com.example.screenshare.dev"
  private let log = Logger(subsystem: "ProbeExtension", category: "answers")
  private var frames = 0

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
    let defaults = UserDefaults(suiteName: Self.group)
    defaults?.set(7, forKey: "asked")
    log.notice(
      "container \(folder == nil ? "nil" : "there"), defaults \(defaults?.integer(forKey: "asked") ?? -1)")
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    frames += 1
    guard frames % 10 == 0 else { return }
    var info = task_vm_info_data_t()
    var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<integer_t>.size)
    // UNSAFE: the memory of the structure, as words.
    let code = unsafe withUnsafeMutablePointer(to: &info) { pointer in
      unsafe pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
        unsafe task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
      }
    }
    guard code == KERN_SUCCESS else { return log.error("\(code)") }
    log.notice("memory \(info.phys_footprint) \(info.limit_bytes_remaining) \(os_proc_available_memory())")
  }
}
