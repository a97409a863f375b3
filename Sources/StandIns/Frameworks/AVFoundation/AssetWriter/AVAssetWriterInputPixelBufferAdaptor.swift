import Foundation
import Synchronization

open class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has subclasses; its properties are constant, or protected by the mutex.

  public let assetWriterInput: AVAssetWriterInput
  public let sourcePixelBufferAttributes: [String: Any]?
  private let pool = Mutex<CVPixelBufferPool?>(nil)

  public init(
    assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil
  ) {
    (assetWriterInput, self.sourcePixelBufferAttributes) = (input, sourcePixelBufferAttributes)
  }

  /// If the attributes have no size, the buffers have the input's size. Also `nil` if the attributes have no pixel format.
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

  /// While the input is not ready, the call waits, as ``AVAssetWriterInput/append(_:)`` does.
  @discardableResult
  open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
    let owner = pixelBuffer.pictureOwner
    return assetWriterInput.append(
      "appendPixelBuffer:withPresentationTime:", at: presentationTime, lasting: .zero,
      pixelBuffer.captureMark.withLock(\.self)
    ) { feed, time, program in
      try withExtendedLifetime(owner) { try feed.append(pixelBuffer, at: time, by: program) }
    }
  }
}
