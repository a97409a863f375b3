import ReplayKit
import ScreenBroadcast

/// The article's handler, which loses the orientation.
final class SidewaysHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    CMSetAttachment(
      sampleBuffer, key: RPVideoSampleOrientationKey as CFString, value: NSNumber(value: 1),
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which takes the width for the length of a row.
final class ShearingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
      CVPixelBufferLockBaseAddress(pixels, [])
      let (width, stride) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetBytesPerRowOfPlane(pixels, 0))
      // UNSAFE: both rows are in the locked luma plane.
      if let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0) {
        for row in 1..<CVPixelBufferGetHeight(pixels) {
          unsafe memmove(base + row * stride, base + row * width, width)
        }
      }
      CVPixelBufferUnlockBaseAddress(pixels, [])
    }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which never ends a broadcast by an error.
final class DeafHandler: SampleHandler, @unchecked Sendable {
  override func finishBroadcastWithError(_ error: any Error) {}
}

/// The article's handler, which ends with the app.
final class ClingingHandler: SampleHandler, @unchecked Sendable {
  private var hasApp = false

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    let isThere = AppProcess.state() != nil
    if hasApp, !isThere { fail("The app has gone.") }
    hasApp = isThere
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which waits for a suspended app.
final class WaitingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    while AppProcess.state() == "T" { Thread.sleep(forTimeInterval: 0.02) }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which ends without an app.
final class LonelyHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if AppProcess.state() == nil { fail("There is no app.") }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The consumer that uses the same containers.
private enum AppProcess {
  /// The letter of its state in `/proc`; `nil` without such a process.
  static func state() -> Character? {
    let root = ProcessInfo.processInfo.environment["BROADCAST_CONTAINER"] ?? ""
    for pid in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int32(pid) != nil {
      let words = text("/proc/\(pid)/cmdline").split(separator: "\0")
      guard words.first?.hasSuffix("/consumer") == true, words.contains("--container=\(root)") else {
        continue
      }
      let status = text("/proc/\(pid)/stat")
      guard let end = status.lastIndex(of: ")"), let state = status[end...].dropFirst(2).first, state != "Z"
      else { continue }
      return state
    }
    return nil
  }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
