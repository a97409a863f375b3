// Models further creation functions of CoreMedia/CMSampleBuffer.h.

/// What makes the data of a buffer ready. Not called, as buffers are created ready.
public typealias CMSampleBufferMakeDataReadyCallback =
  @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> OSStatus

/// Creates a sample buffer of one video frame; see
/// ``CMSampleBufferCreateReadyWithImageBuffer(allocator:imageBuffer:formatDescription:sampleTiming:sampleBufferOut:)``.
/// - Returns: also `kCMSampleBufferError_RequiredParameterMissing` when the data is not ready.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard dataReady else { return kCMSampleBufferError_RequiredParameterMissing }
  // UNSAFE: the caller's parameters, valid for the call.
  return unsafe CMSampleBufferCreateReadyWithImageBuffer(
    allocator: allocator, imageBuffer: imageBuffer, formatDescription: formatDescription,
    sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
}

/// Creates a packet of audio in linear PCM; see
/// ``CMAudioSampleBufferCreateReadyWithPacketDescriptions(allocator:dataBuffer:formatDescription:sampleCount:presentationTimeStamp:packetDescriptions:sampleBufferOut:)``.
/// The sizes of samples are ignored: linear PCM has one size.
/// - Returns: also `kCMSampleBufferError_RequiredParameterMissing` without data, description or timing.
@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  guard dataReady, let dataBuffer, let formatDescription, sampleTimingEntryCount > 0,
    let timing = unsafe sampleTimingArray?.pointee
  else { return kCMSampleBufferError_RequiredParameterMissing }
  return unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: allocator, dataBuffer: dataBuffer, formatDescription: formatDescription,
    sampleCount: sampleCount, presentationTimeStamp: timing.presentationTimeStamp, packetDescriptions: nil,
    sampleBufferOut: sampleBufferOut)
}

/// Creates a buffer with the samples of another one and with other times; images and bytes are not copied.
/// - Returns: zero, or `kCMSampleBufferError_Invalidated`.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  let timing = unsafe sampleTimingEntryCount > 0 ? sampleTimingArray?.pointee : nil
  guard let copy = sampleBuffer.copy(with: timing) else { return kCMSampleBufferError_Invalidated }
  unsafe sampleBufferOut.pointee = copy
  return 0
}

/// Returns the times of a sample; an audio frame follows the one before by its duration.
/// - Returns: zero; `kCMSampleBufferError_Invalidated`; `kCMSampleBufferError_SampleIndexOutOfRange` for an index that is not
///   less than the number of samples.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard (0..<sbuf.numSamples).contains(sampleIndex) else { return kCMSampleBufferError_SampleIndexOutOfRange }
  var timing = sbuf.timing
  if sampleIndex > 0 {
    timing.presentationTimeStamp = CMTimeAdd(
      timing.presentationTimeStamp, timing.duration.multiplied(by: sampleIndex))
  }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe timingInfoOut.pointee = timing
  return 0
}

/// Returns the time at which the sample is decoded; invalid when samples are decoded in presentation order.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }

// Models what handlers use of CoreMedia/CMSampleBuffer.h for encoded video.

/// The sample attachment of frames that cannot be decoded alone: `true` on all but key frames, which do not have it.
public let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
/// The sample attachment that states whether a frame needs earlier ones.
public let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"

/// Returns the attachments of each sample, as dictionaries by their keys. They are copies: a change has no effect.
/// - Parameter createIfNecessary: whether a buffer without such attachments has an empty dictionary, and not `nil`.
public func CMSampleBufferGetSampleAttachmentsArray(
  _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? {
  sbuf.sampleAttachments.isEmpty && !createIfNecessary ? nil : [sbuf.sampleAttachments as CFDictionary]
}

/// Returns the number of bytes of all samples; zero for an image.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.dataBuffer?.dataLength ?? 0
}

extension CMSampleBuffer {
  /// Creates one frame of encoded video.
  package convenience init(
    encoded data: CMBlockBuffer, isKeyFrame: Bool, formatDescription: CMFormatDescription,
    timing: CMSampleTimingInfo
  ) {
    self.init(
      content: .data(data, samples: 1), formatDescription: formatDescription, timing: timing,
      sampleAttachments: isKeyFrame
        ? [kCMSampleAttachmentKey_DependsOnOthers: false]
        : [kCMSampleAttachmentKey_DependsOnOthers: true, kCMSampleAttachmentKey_NotSync: true])
  }
}
