import CoreImage
import Dispatch
import ReplayKit
import VideoToolbox
import os

/// Copies each frame by the method that its setup info names, and logs at the end how many copies mix two frames. It
/// expects the pattern `proof`, whose rows have the frame number in the eighth byte.
final class CopyingHandler: RPBroadcastSampleHandler {
  private let log = Logger(subsystem: "ProbeExtension", category: "copies")
  private let context = CIContext()
  private var session: VTPixelTransferSession?
  private var way = ""
  private var mixed = 0

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    way = (setupInfo?["way"] as? NSString as String?) ?? ""
    // UNSAFE: the out parameter is a property.
    _ = unsafe VTPixelTransferSessionCreate(allocator: kCFAllocatorDefault, pixelTransferSessionOut: &session)
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    switch way {
    case "transfer":
      if let session, let copy = Self.buffer(like: pixels) {
        VTPixelTransferSessionTransferImage(session, from: pixels, to: copy)
        judge(copy)
      }
    case "image":
      if let copy = Self.buffer(like: pixels) {
        context.render(CIImage(cvPixelBuffer: pixels), to: copy)
        judge(copy)
      }
    default: judge(pixels)
    }
  }

  override func broadcastFinished() { log.notice("\(mixed) mixed") }

  private static func buffer(like pixels: CVPixelBuffer) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CVPixelBufferCreate(
      kCFAllocatorDefault, CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels),
      CVPixelBufferGetPixelFormatType(pixels), nil, &buffer)
    return buffer
  }

  /// Reads the rows for 3 ms, as long as a conversion on the CPU takes, and counts a frame that mixes two frames.
  private func judge(_ pixels: CVPixelBuffer) {
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let (height, length) = (CVPixelBufferGetHeight(pixels), CVPixelBufferGetBytesPerRowOfPlane(pixels, 0))
    guard let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0) else { return }
    var digits: Set<Int> = []
    let end = DispatchTime.now() + .milliseconds(3)
    repeat {
      for row in 0..<height {
        // UNSAFE: the byte is in the locked luma plane.
        let byte = unsafe base.load(fromByteOffset: row * length + 7, as: UInt8.self)
        digits.insert(MixedFrameHandler.digit(of: byte))
      }
    } while DispatchTime.now() < end
    if digits.count > 1 { mixed += 1 }
  }
}
