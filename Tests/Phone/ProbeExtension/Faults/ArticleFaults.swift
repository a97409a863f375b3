import Foundation
import PhoneLink
import Platform
import ReplayKit
import ScreenBroadcast

/// A variant of the article's handler that loses the orientation.
final class SidewaysHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    CMSetAttachment(
      sampleBuffer, key: RPVideoSampleOrientationKey as CFString, value: NSNumber(value: 1),
      attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// A variant of the article's handler that assumes luma rows to be padded to 32 bytes.
class ShearingHandler: SampleHandler, @unchecked Sendable {
  var plane: Int { 0 }
  func rowLength(of pixels: CVPixelBuffer) -> Int { (CVPixelBufferGetWidth(pixels) + 31) / 32 * 32 }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
      CVPixelBufferLockBaseAddress(pixels, [])
      let (length, stride) = (rowLength(of: pixels), CVPixelBufferGetBytesPerRowOfPlane(pixels, plane))
      // UNSAFE: both rows are in the locked plane, whose rows are not shorter than the length.
      if stride > length, let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, plane) {
        for row in 1..<CVPixelBufferGetHeightOfPlane(pixels, plane) {
          unsafe memmove(base + row * stride, base + row * length, length)
        }
      }
      CVPixelBufferUnlockBaseAddress(pixels, [])
    }
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// A variant of the article's handler that uses the length of luma rows for chroma rows.
final class ChromaShearingHandler: ShearingHandler, @unchecked Sendable {
  override var plane: Int { 1 }
  override func rowLength(of pixels: CVPixelBuffer) -> Int { CVPixelBufferGetBytesPerRowOfPlane(pixels, 0) }
}

/// A variant of the article's handler that treats app audio as little-endian.
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

/// A variant of the article's handler that assumes the first format for all packets of the microphone.
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

/// A variant of the article's handler that never ends a broadcast itself, even if its app requests the end.
final class DeafHandler: SampleHandler, @unchecked Sendable {
  override func finishBroadcastWithError(_ error: any Error) {
    if (error as NSError).domain != SampleHandler.errorDomain { super.finishBroadcastWithError(error) }
  }
}

/// A variant of the article's handler that crashes when a new process of its app appears.
final class ClingingHandler: SampleHandler, @unchecked Sendable {
  private var first: Int32?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if let pid = appProcess {
      precondition(pid == first ?? pid, "This is another app.")
      first = pid
    }
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

/// A variant of the article's handler that waits while its app is suspended.
final class WaitingHandler: SampleHandler, @unchecked Sendable {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    while let pid = appProcess, ProcessState.isStopped(pid) { Thread.sleep(forTimeInterval: 0.02) }
    super.processSampleBuffer(sampleBuffer, with: type)
  }
}

extension SampleHandler {
  /// The process that holds the app's lock; `nil` if nobody does.
  fileprivate var appProcess: Int32? {
    guard let container = try? AppGroupContainer(group: "group.com.example.screenshare.dev"),
      case .alive(let pid) = try? ProcessLock.holder(at: container.appLockFile)
    else { return nil }
    return pid
  }
}
