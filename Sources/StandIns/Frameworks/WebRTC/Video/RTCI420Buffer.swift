import CoreMedia
import PixelAccess

// Models sdk/objc/base/RTCYUVPlanarBuffer.h, RTCI420Buffer.h, and the conversions in sdk/objc/base/RTCVideoFrameBuffer.h.

public protocol RTCI420BufferProtocol: RTCVideoFrameBuffer {
  var chromaWidth: Int32 { get }
  var chromaHeight: Int32 { get }
  var dataY: UnsafePointer<UInt8> { get }
  var dataU: UnsafePointer<UInt8> { get }
  var dataV: UnsafePointer<UInt8> { get }
  var strideY: Int32 { get }
  var strideU: Int32 { get }
  var strideV: Int32 { get }
}

@safe
public final class RTCI420Buffer: NSObject, RTCI420BufferProtocol, @unchecked Sendable {
  // Unchecked `Sendable`: the memory does not change after the buffer is created.

  public let width: Int32
  public let height: Int32
  private let memory: UnsafeMutablePointer<UInt8>
  private let byteCount: Int

  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
    let luma = Int(width) * Int(height)
    let chroma = Int((width + 1) / 2) * Int((height + 1) / 2)
    // UNSAFE: memory of three planes, which this object frees.
    byteCount = luma + 2 * chroma
    unsafe memory = .allocate(capacity: max(1, byteCount))
    unsafe memory.initialize(repeating: 0, count: luma)
    unsafe (memory + luma).initialize(repeating: 128, count: 2 * chroma)
  }

  deinit { unsafe memory.deallocate() }

  /// Copies the planes of a 420f or 420v buffer of this size.
  fileprivate convenience init(copying pixels: CVPixelBuffer) {
    self.init(width: Int32(CVPixelBufferGetWidth(pixels)), height: Int32(CVPixelBufferGetHeight(pixels)))
    // UNSAFE: memory of three planes, which belongs to this object alone until it is created.
    let bytes = unsafe UnsafeMutableBufferPointer(start: memory, count: byteCount)
    var planes = unsafe bytes.mutableSpan
    pixels.readPlane(0) { bytes, shape in
      planes.copyRows(
        shape.height, of: bytes, every: shape.bytesPerRow, toEvery: shape.width, rowBytes: shape.width)
    }
    let (cb, size) = (Int(width) * Int(height), Int(chromaWidth) * Int(chromaHeight))
    pixels.readPlane(1) { bytes, shape in
      for y in 0..<shape.height {
        planes.deinterleave(
          bytes, at: y * shape.bytesPerRow, count: shape.width, first: cb + y * shape.width,
          second: cb + size + y * shape.width)
      }
    }
  }

  public var chromaWidth: Int32 { (width + 1) / 2 }
  public var chromaHeight: Int32 { (height + 1) / 2 }
  public var dataY: UnsafePointer<UInt8> { unsafe UnsafePointer(memory) }
  public var dataU: UnsafePointer<UInt8> { unsafe dataY + Int(width) * Int(height) }
  public var dataV: UnsafePointer<UInt8> { unsafe dataU + Int(chromaWidth) * Int(chromaHeight) }
  public var strideY: Int32 { width }
  public var strideU: Int32 { chromaWidth }
  public var strideV: Int32 { chromaWidth }
}

extension RTCVideoFrameBuffer {
  /// Black for a buffer of another class, and for pixels that cannot be scaled here.
  public func toI420() -> any RTCI420BufferProtocol {
    if let planes = self as? any RTCI420BufferProtocol { return planes }
    guard let buffer = self as? RTCCVPixelBuffer else { return RTCI420Buffer(width: width, height: height) }
    return buffer.planes ?? RTCI420Buffer(width: width, height: height)
  }
}

extension RTCCVPixelBuffer {
  fileprivate var planes: RTCI420Buffer? {
    guard let source = pixelBuffer.convertedToBiPlanar() else { return nil }
    let whole = RTCCVPixelBuffer(
      pixelBuffer: source, adaptedWidth: width, adaptedHeight: height, cropWidth: cropWidth,
      cropHeight: cropHeight, cropX: cropX, cropY: cropY)
    guard whole.requiresCropping() || whole.requiresScaling(toWidth: width, height: height) else {
      return RTCI420Buffer(copying: source)
    }
    let scaled = CVPixelBuffer.make(
      width: Int(width), height: Int(height), pixelFormat: CVPixelBufferGetPixelFormatType(source))
    guard let scaled, unsafe whole.cropAndScale(to: scaled, withTempBuffer: nil) else { return nil }
    return RTCI420Buffer(copying: scaled)
  }
}

extension RTCVideoFrame {
  public func newI420() -> RTCVideoFrame {
    RTCVideoFrame(buffer: buffer.toI420(), rotation: rotation, timeStampNs: timeStampNs)
  }
}
