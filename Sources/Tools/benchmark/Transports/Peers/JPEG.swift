#if Peers
  import CPeers
  import CoreVideo
  import PixelAccess

  /// JPEG images of one size, for a socket.
  @safe
  final class JPEGCodec {
    private let picture: Picture?
    private let pool: PixelBufferPool
    // UNSAFE: owned by this object, closed by deinit.
    private let jpeg: OpaquePointer

    init(_ job: Job) throws {
      picture = job.role == .sender ? try job.makePicture() : nil
      pool = try PixelBufferPool(
        width: job.width, height: job.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      guard let jpeg = unsafe peer_jpeg_open(Int32(job.width), Int32(job.height)) else {
        throw Failure("there is no memory for a JPEG picture")
      }
      unsafe self.jpeg = jpeg
    }

    deinit { unsafe peer_jpeg_close(jpeg) }

    /// Compresses the picture of the job.
    func encode(_ write: (Span<UInt8>) throws -> Void) throws {
      guard let picture else { throw Failure("a socket needs pixels to send") }
      var count = 0
      // UNSAFE: the bytes are valid until the next picture is compressed.
      let bytes = unsafe Peers.withPicture(picture.pixelBuffer) {
        unsafe peer_jpeg_compress(jpeg, $0, &count)
      }
      guard let bytes = unsafe bytes else { throw Failure("libjpeg did not compress the picture") }
      try unsafe write(UnsafeBufferPointer(start: bytes, count: count).span)
    }

    /// Decompresses an image into a new pixel buffer.
    func decode(_ image: Span<UInt8>) throws -> AnyObject {
      let buffer = try pool.makeBuffer()
      // UNSAFE: the bytes of the image, within the closure.
      let isComplete = unsafe image.withUnsafeBufferPointer { image in
        unsafe Peers.withPicture(buffer) {
          unsafe peer_jpeg_decompress(jpeg, image.baseAddress, image.count, $0)
        }
      }
      guard isComplete else { throw Failure("libjpeg did not decompress the picture") }
      return buffer
    }
  }
#endif
