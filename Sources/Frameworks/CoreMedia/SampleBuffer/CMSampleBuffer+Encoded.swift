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
