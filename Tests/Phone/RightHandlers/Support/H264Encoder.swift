import Foundation
import ReplayKit
import VideoToolbox

/// Encodes frames as H.264 access units with start codes, and replaces an invalid session.
final class H264Encoder {
  /// Called on a queue of the session.
  var onAccessUnit: ((_ bytes: Data, _ isKeyFrame: Bool) -> Void)?

  private var session: VTCompressionSession?
  private var size = CMVideoDimensions(width: 0, height: 0)

  func encode(_ sampleBuffer: CMSampleBuffer) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    let (width, height) = (Int32(CVPixelBufferGetWidth(pixels)), Int32(CVPixelBufferGetHeight(pixels)))
    if size.width != width || size.height != height { stop() }
    size = CMVideoDimensions(width: width, height: height)
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    for _ in 0..<2 {
      guard let session = session ?? makeSession() else { return }
      self.session = session
      let status = VTCompressionSessionEncodeFrame(
        session, imageBuffer: pixels, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
        infoFlagsOut: nil
      ) { [weak self] status, _, sample in
        if status == noErr, let sample { self?.deliver(sample) }
      }
      guard status != noErr else { return }
      // The device was locked.
      stop()
    }
  }

  /// Finishes the frames that are being encoded, and ends the session.
  func stop() {
    guard let session else { return }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    VTCompressionSessionInvalidate(session)
    self.session = nil
  }

  private func makeSession() -> VTCompressionSession? {
    var session: VTCompressionSession?
    VTCompressionSessionCreate(
      allocator: nil, width: size.width / 2, height: size.height / 2, codecType: kCMVideoCodecType_H264,
      encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
      outputCallback: nil, refcon: nil, compressionSessionOut: &session)
    guard let session else { return nil }
    VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_AllowFrameReordering, value: kCFBooleanFalse)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration, value: 1 as CFNumber)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_AverageBitRate, value: 1_000_000 as CFNumber)
    return session
  }

  private func deliver(_ sample: CMSampleBuffer) {
    guard let format = CMSampleBufferGetFormatDescription(sample), let data = sample.dataBuffer,
      let bytes = try? data.dataBytes()
    else { return }
    let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
    let first = (attachments as? [[CFString: Any]])?.first
    let isKeyFrame = first?[kCMSampleAttachmentKey_NotSync] as? Bool != true
    var unit = Data()
    if isKeyFrame {
      for index in 0..<2 {
        var (pointer, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
        CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
          format, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &count,
          parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        guard let pointer else { return }
        unit += [0, 0, 0, 1]
        unit.append(pointer, count: count)
      }
    }
    // Each NAL unit follows its length in four bytes.
    var rest = bytes[...]
    while rest.count > 4 {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      unit += [0, 0, 0, 1]
      unit += rest.dropFirst(4).prefix(count)
      rest = rest.dropFirst(4 + count)
    }
    onAccessUnit?(unit, isKeyFrame)
  }
}
