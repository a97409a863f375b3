import PixelAccess

/// Makes the frames a disabled track shows; keeps the black picture while size and format stay.
struct BlackFrames {
  private var picture: RTCCVPixelBuffer?

  /// A black frame of the size, rotation and time of `frame`; `frame` itself only when there is no memory.
  mutating func frame(like frame: RTCVideoFrame) -> RTCVideoFrame {
    let format = (frame.buffer as? RTCCVPixelBuffer).map { CVPixelBufferGetPixelFormatType($0.pixelBuffer) }
    let nv12 =
      format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange : kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    guard let black = picture(width: frame.width, height: frame.height, format: nv12) else { return frame }
    return RTCVideoFrame(buffer: black, rotation: frame.rotation, timeStampNs: frame.timeStampNs)
  }

  private mutating func picture(width: Int32, height: Int32, format: OSType) -> RTCCVPixelBuffer? {
    if let picture, picture.width == width, picture.height == height,
      CVPixelBufferGetPixelFormatType(picture.pixelBuffer) == format
    {
      return picture
    }
    var created: CVPixelBuffer?
    // UNSAFE: an out parameter of this frame.
    _ = unsafe CVPixelBufferCreate(kCFAllocatorDefault, Int(width), Int(height), format, nil, &created)
    guard let created else { return nil }
    let luma: UInt8 = format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange ? 16 : 0
    created.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: luma) }
    created.writePlane(1) { bytes, _ in bytes.fill(0..<bytes.count, with: 128) }
    let black = RTCCVPixelBuffer(pixelBuffer: created)
    picture = black
    return black
  }
}
