import Foundation
import VideoToolbox
import os

/// An H.264 encoder that creates a new session when the system has invalidated the old one.
final class VideoEncoder {
  /// Receives each access unit with start codes; a key frame follows its parameter sets. Called on the session's queue.
  var onAccessUnit: ((Data) -> Void)?

  private let width: Int32
  private let height: Int32
  private var session: VTCompressionSession?
  private let log = Logger(subsystem: "com.example.screenshare", category: "encoder")

  init(width: Int, height: Int) {
    self.width = Int32(width)
    self.height = Int32(height)
  }

  deinit { stop() }

  func encode(_ sampleBuffer: CMSampleBuffer) {
    guard let imageBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    if session == nil { start() }
    var status = encode(imageBuffer, time)
    if status == kVTInvalidSessionErr {
      // The device was locked.
      log.notice("The session is invalid (\(status, privacy: .public)): a new one is created.")
      stop()
      start()
      status = encode(imageBuffer, time)
    }
    if status != noErr { log.error("A frame cannot be encoded: \(status, privacy: .public)") }
  }

  func stop() {
    guard let session else { return }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    VTCompressionSessionInvalidate(session)
    self.session = nil
  }

  private func start() {
    let status = VTCompressionSessionCreate(
      allocator: kCFAllocatorDefault, width: width, height: height, codecType: kCMVideoCodecType_H264,
      encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
      outputCallback: outputCallback, refcon: Unmanaged.passUnretained(self).toOpaque(),
      compressionSessionOut: &session)
    guard status == noErr, let session else {
      return log.error("There is no encoder: \(status, privacy: .public)")
    }
    VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_ProfileLevel, value: kVTProfileLevel_H264_Main_AutoLevel)
    let bitRate = Int(width) * Int(height) * 12
    VTSessionSetProperty(session, key: kVTCompressionPropertyKey_AverageBitRate, value: bitRate as CFNumber)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_MaxKeyFrameInterval, value: 100_000 as CFNumber)
    VTSessionSetProperty(
      session, key: kVTCompressionPropertyKey_AllowFrameReordering, value: kCFBooleanFalse)
    VTCompressionSessionPrepareToEncodeFrames(session)
  }

  private func encode(_ imageBuffer: CVImageBuffer, _ time: CMTime) -> OSStatus {
    guard let session else { return kVTCouldNotFindVideoEncoderErr }
    return VTCompressionSessionEncodeFrame(
      session, imageBuffer: imageBuffer, presentationTimeStamp: time, duration: .invalid,
      frameProperties: nil,
      sourceFrameRefcon: nil, infoFlagsOut: nil)
  }

  fileprivate func receive(_ sampleBuffer: CMSampleBuffer) {
    guard let dataBuffer = CMSampleBufferGetDataBuffer(sampleBuffer) else { return }
    let attachments = CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: true)
    let first = (attachments as? [[CFString: Any]])?.first
    let isKeyFrame = !(first?[kCMSampleAttachmentKey_NotSync] as? Bool ?? false)
    var accessUnit = Data()
    if isKeyFrame, let format = CMSampleBufferGetFormatDescription(sampleBuffer) {
      appendParameterSets(of: format, to: &accessUnit)
    }
    var length = 0
    var pointer: UnsafeMutablePointer<CChar>?
    let status = CMBlockBufferGetDataPointer(
      dataBuffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length, dataPointerOut: &pointer)
    guard status == kCMBlockBufferNoErr, let pointer else { return }
    var offset = 0
    while offset + 4 < length {
      var unitLength: UInt32 = 0
      memcpy(&unitLength, pointer + offset, 4)
      unitLength = UInt32(bigEndian: unitLength)
      accessUnit.append(contentsOf: [0, 0, 0, 1])
      pointer.withMemoryRebound(to: UInt8.self, capacity: length) {
        accessUnit.append($0 + offset + 4, count: Int(unitLength))
      }
      offset += 4 + Int(unitLength)
    }
    onAccessUnit?(accessUnit)
  }

  private func appendParameterSets(of format: CMFormatDescription, to accessUnit: inout Data) {
    for index in 0..<2 {
      var pointer: UnsafePointer<UInt8>?
      var size = 0
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        format, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
      guard let pointer else { continue }
      accessUnit.append(contentsOf: [0, 0, 0, 1])
      accessUnit.append(pointer, count: size)
    }
  }
}

private let outputCallback: VTCompressionOutputCallback = { refcon, _, status, _, sampleBuffer in
  guard let refcon, status == noErr, let sampleBuffer else { return }
  Unmanaged<VideoEncoder>.fromOpaque(refcon).takeUnretainedValue().receive(sampleBuffer)
}
