import Platform

#if Peers
  import CPeers
  import CoreVideo
  import PixelAccess
  import SharedMemory

  /// JPEG images on a Unix stream socket.
  @safe
  final class JPEGSender: FrameSender {
    private let listener: UnixSocket
    private var connection: UnixSocket?
    private let picture: Picture
    // UNSAFE: owned by this object, closed by deinit.
    private let jpeg: OpaquePointer

    init(_ job: Job, picture: Picture) throws {
      listener = try UnixSocket.listening(at: job.path)
      self.picture = picture
      guard let jpeg = unsafe peer_jpeg_open(Int32(job.width), Int32(job.height)) else {
        throw Failure("there is no memory for a JPEG picture")
      }
      unsafe self.jpeg = jpeg
    }

    deinit { unsafe peer_jpeg_close(jpeg) }

    func send() throws {
      if connection == nil { connection = try listener.accept() }
      var header = SocketHeader(publishTime: SystemClock().now.nanoseconds, byteCount: 0)
      var count = 0
      // UNSAFE: the bytes are valid until the next picture is compressed.
      let bytes = unsafe Peers.withPicture(picture.pixelBuffer) {
        unsafe peer_jpeg_compress(jpeg, $0, &count)
      }
      guard let bytes = unsafe bytes else { throw Failure("libjpeg did not compress the picture") }
      header.byteCount = UInt64(count)
      try unsafe connection?.write(&header, count: MemoryLayout<SocketHeader>.size)
      try unsafe connection?.write(bytes, count: count)
    }

    func finish() { connection = nil }
  }

  /// The receiving end, which creates pixel buffers.
  @safe
  final class JPEGReceiver: WaitingReceiver {
    private let connection: UnixSocket
    private let pool: PixelBufferPool
    // UNSAFE: owned by this object, freed by deinit.
    private let jpeg: OpaquePointer
    private let room: UnsafeMutableRawPointer
    private let capacity: Int

    init(_ job: Job) throws {
      connection = try UnixSocket.connected(to: job.path)
      pool = try PixelBufferPool(
        width: job.width, height: job.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      guard let jpeg = unsafe peer_jpeg_open(Int32(job.width), Int32(job.height)) else {
        throw Failure("there is no memory for a JPEG picture")
      }
      unsafe self.jpeg = jpeg
      capacity = job.width * job.height * 2
      unsafe room = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
    }

    deinit {
      unsafe peer_jpeg_close(jpeg)
      unsafe room.deallocate()
    }

    func receive(_ onFrame: (UInt64) -> Void) throws {
      while true {
        var header = SocketHeader(publishTime: 0, byteCount: 0)
        // UNSAFE: a struct of plain numbers, and as many bytes as there is room for.
        guard try unsafe connection.read(&header, count: MemoryLayout<SocketHeader>.size) else { return }
        let count = min(Int(header.byteCount), capacity)
        guard try unsafe connection.read(room, count: count) else { return }
        let buffer = try pool.makeBuffer()
        let isWhole = unsafe Peers.withPicture(buffer) { unsafe peer_jpeg_decompress(jpeg, room, count, $0) }
        guard isWhole else { throw Failure("libjpeg did not decompress the picture") }
        // The age of the frame includes its decompression.
        onFrame(SystemClock().now.nanoseconds - header.publishTime)
        Keep.object(buffer)
      }
    }
  }
#endif
