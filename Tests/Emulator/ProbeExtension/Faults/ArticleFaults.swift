import ReplayKit
import ScreenBroadcast

/// The article's handler, which loses the orientation.
final class SidewaysHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    CMSetAttachment(
      sampleBuffer, key: RPVideoSampleOrientationKey as CFString, value: NSNumber(value: 1),
      attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// The article's handler, which takes rows to be padded to 32 bytes.
final class ShearingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
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
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// The article's handler, which takes the length of luma rows for that of chroma rows.
final class ChromaShearingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
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
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// The article's handler, which takes app audio for little-endian.
final class ByteOrderHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if type == .audioApp, let block = CMSampleBufferGetDataBuffer(sampleBuffer) {
      var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(block))
      // UNSAFE: the array has the length of the block.
      _ = unsafe CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: bytes.count, destination: &bytes)
      for index in stride(from: 0, to: bytes.count - 1, by: 2) { bytes.swapAt(index, index + 1) }
      _ = unsafe CMBlockBufferReplaceDataBytes(
        with: bytes, blockBuffer: block, offsetIntoDestination: 0, dataLength: bytes.count)
    }
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// The article's handler, which takes all packets of the microphone for those of the first format.
final class FirstFormatHandler: SampleHandler, @unchecked Sendable {
  private var format: CMFormatDescription?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .audioMic, let block = CMSampleBufferGetDataBuffer(sampleBuffer) else {
      return super.processSampleBuffer(sampleBuffer, with: type)
    }
    format = format ?? CMSampleBufferGetFormatDescription(sampleBuffer)
    guard let format, let bytes = format.audioStreamBasicDescription?.mBytesPerFrame else { return }
    var sample: CMSampleBuffer?
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: format,
      sampleCount: CMBlockBufferGetDataLength(block) / Int(bytes),
      presentationTimeStamp: CMSampleBufferGetPresentationTimeStamp(sampleBuffer), packetDescriptions: nil,
      sampleBufferOut: &sample)
    if let sample { super.processSampleBuffer(sample, with: .audioMic) }
  }
}

/// The article's handler, which does not end a broadcast for its app.
final class DeafHandler: SampleHandler, @unchecked Sendable {
  override func finishBroadcastWithError(_ error: any Error) {
    if (error as NSError).domain != SampleHandler.errorDomain { super.finishBroadcastWithError(error) }
  }
}

/// The article's handler, which crashes when another process of its app is there than the first.
final class ClingingHandler: SampleHandler, @unchecked Sendable {
  private var app = AppProcess()
  private var first: Int32?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    _ = app.state()
    first = first ?? app.pid
    if let pid = app.pid { precondition(pid == first, "This is another app.") }
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// The article's handler, which waits for a suspended app.
final class WaitingHandler: SampleHandler, @unchecked Sendable {
  private var app = AppProcess()

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    while app.state() == "T" { Thread.sleep(forTimeInterval: 0.02) }
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// The watching consumer of the same scenario.
private struct AppProcess {
  private(set) var pid: Int32?

  /// The letter of its state in `/proc`; `nil` without such a process.
  mutating func state() -> Character? {
    if let state = pid.flatMap(Self.state) { return state }
    pid = Self.find()
    return pid.flatMap(Self.state)
  }

  /// Searches the children of the check, as this process is one.
  private static func find() -> Int32? {
    let tasks = "/proc/\(getppid())/task"
    let children = ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [])
      .flatMap { text("\(tasks)/\($0)/children").split(separator: " ").compactMap { Int32($0) } }
    let root = ProcessInfo.processInfo.environment["BROADCAST_CONTAINER"] ?? ""
    return children.first { pid in
      let words = text("/proc/\(pid)/cmdline").split(separator: "\0")
      return words.contains("watch") && words.contains("--container=\(root)") && state(of: pid) != nil
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
