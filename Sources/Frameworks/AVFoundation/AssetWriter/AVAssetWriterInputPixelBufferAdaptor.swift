import Foundation
import Synchronization

/// What appends pixel buffers to an input of video. Models the class of AVAssetWriterInput.h.
open class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; its properties are constant, or protected by the mutex.

  /// The input.
  public let assetWriterInput: AVAssetWriterInput
  /// The attributes of the pool's buffers.
  public let sourcePixelBufferAttributes: [String: Any]?
  private let pool = Mutex<CVPixelBufferPool?>(nil)

  /// Creates an adaptor of an input.
  public init(
    assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil
  ) {
    (assetWriterInput, self.sourcePixelBufferAttributes) = (input, sourcePixelBufferAttributes)
  }

  /// A pool of buffers of the attributes, and of the input's size without one; `nil` before the writer has started, and
  /// without a pixel format.
  open var pixelBufferPool: CVPixelBufferPool? {
    guard assetWriterInput.isWriting, var attributes = sourcePixelBufferAttributes else { return nil }
    let settings = assetWriterInput.outputSettings
    for (key, setting) in [
      (kCVPixelBufferWidthKey, AVVideoWidthKey), (kCVPixelBufferHeightKey, AVVideoHeightKey),
    ] where attributes[key] == nil { attributes[key] = settings?[setting] }
    return pool.withLock { pool in
      if pool == nil {
        // UNSAFE: the out parameter is the pool of this object.
        _ = unsafe CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
      }
      return pool
    }
  }

  /// Appends a pixel buffer, which is retained and must not be changed until it is encoded. Returns `false` when the writer
  /// has ended or failed; see ``AVAssetWriterInput/append(_:)``.
  @discardableResult
  open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
    let owner = pixelBuffer.pictureOwner
    return assetWriterInput.append("appendPixelBuffer:withPresentationTime:", at: presentationTime) {
      feed, time, program in
      try withExtendedLifetime(owner) { try feed.append(pixelBuffer, at: time, by: program) }
    }
  }
}
