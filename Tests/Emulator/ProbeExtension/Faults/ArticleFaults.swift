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

/// The article's handler, which takes rows to be padded to 32 bytes.
final class ShearingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
      CVPixelBufferLockBaseAddress(pixels, [])
      let (width, stride) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetBytesPerRowOfPlane(pixels, 0))
      let length = (width + 31) / 32 * 32
      // UNSAFE: both rows are in the locked luma plane.
      if let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0) {
        for row in 1..<CVPixelBufferGetHeight(pixels) {
          unsafe memmove(base + row * stride, base + row * length, width)
        }
      }
      CVPixelBufferUnlockBaseAddress(pixels, [])
    }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which takes the length of luma rows for that of chroma rows.
final class ChromaShearingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
      CVPixelBufferLockBaseAddress(pixels, [])
      let length = CVPixelBufferGetBytesPerRowOfPlane(pixels, 0)
      let stride = CVPixelBufferGetBytesPerRowOfPlane(pixels, 1)
      // UNSAFE: both rows are in the locked chroma plane, whose rows are not shorter than those of luma.
      if stride > length, let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 1) {
        for row in 1..<CVPixelBufferGetHeightOfPlane(pixels, 1) {
          unsafe memmove(base + row * stride, base + row * length, length)
        }
      }
      CVPixelBufferUnlockBaseAddress(pixels, [])
    }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which takes app audio for little-endian.
final class ByteOrderHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if sampleBufferType == .audioApp, let block = CMSampleBufferGetDataBuffer(sampleBuffer) {
      var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(block))
      // UNSAFE: the array has the length of the block.
      _ = unsafe CMBlockBufferCopyDataBytes(
        block, atOffset: 0, dataLength: bytes.count, destination: &bytes)
      for index in stride(from: 0, to: bytes.count - 1, by: 2) { bytes.swapAt(index, index + 1) }
      _ = unsafe CMBlockBufferReplaceDataBytes(
        with: bytes, blockBuffer: block, offsetIntoDestination: 0, dataLength: bytes.count)
    }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which does not end a broadcast for its app.
final class DeafHandler: SampleHandler, @unchecked Sendable {
  override func finishBroadcastWithError(_ error: any Error) {
    if (error as NSError).domain != SampleHandler.errorDomain { super.finishBroadcastWithError(error) }
  }
}

/// The article's handler, which ends with the app.
final class ClingingHandler: SampleHandler, @unchecked Sendable {
  private var app = AppProcess()

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    let isKnown = app.isKnown
    if app.state() == nil, isKnown { fail("The app has gone.") }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which waits for a suspended app.
final class WaitingHandler: SampleHandler, @unchecked Sendable {
  private var app = AppProcess()

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    while app.state() == "T" { Thread.sleep(forTimeInterval: 0.02) }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The article's handler, which ends after two seconds without an app.
final class LonelyHandler: SampleHandler, @unchecked Sendable {
  private let start = ContinuousClock.now
  private var app = AppProcess()

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if ContinuousClock.now - start > .seconds(2), app.state() == nil { fail("There is no app.") }
    super.processSampleBuffer(sampleBuffer, with: sampleBufferType)
  }
}

/// The consumer that uses the same containers.
private struct AppProcess {
  private var pid: Int32?
  private var lastSearch: ContinuousClock.Instant?

  /// Whether the process was found before, and still existed.
  var isKnown: Bool { pid != nil }

  /// The letter of its state in `/proc`; `nil` without such a process. A process that is not known is searched five times
  /// a second.
  mutating func state() -> Character? {
    if let pid {
      let state = Self.state(of: pid)
      if state == nil { self.pid = nil }
      return state
    }
    guard lastSearch.map({ ContinuousClock.now - $0 > .milliseconds(200) }) ?? true else { return nil }
    lastSearch = .now
    pid = Self.find()
    return pid.flatMap(Self.state)
  }

  private static func find() -> Int32? {
    let root = ProcessInfo.processInfo.environment["BROADCAST_CONTAINER"] ?? ""
    return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).lazy.compactMap(Int32.init)
      .first { pid in
        let words = text("/proc/\(pid)/cmdline").split(separator: "\0")
        return words.first?.hasSuffix("/consumer") == true && words.contains("--container=\(root)")
      }
  }

  private static func state(of pid: Int32) -> Character? {
    let status = text("/proc/\(pid)/stat")
    guard let end = status.lastIndex(of: ")"), let state = status[end...].dropFirst(2).first else {
      return nil
    }
    return state == "Z" ? nil : state
  }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
