import Glibc
import Platform
import ScreenBroadcast
import SharedMemory

/// The header of a frame on a socket.
struct SocketHeader {
  var publishTime: UInt64
  var byteCount: UInt64
}

/// The sending end of a Unix stream socket with raw frames.
final class SocketSender: FrameSender {
  private let listener: UnixSocket
  private var connection: UnixSocket?
  private let picture: Picture

  init(_ job: Job, picture: Picture) throws {
    listener = try UnixSocket.listening(at: job.path)
    self.picture = picture
  }

  func send() throws {
    if connection == nil { connection = try listener.accept() }
    let byteCount = picture.byteCount
    var header = SocketHeader(publishTime: SystemClock().now.nanoseconds, byteCount: UInt64(byteCount))
    // UNSAFE: a struct of plain numbers, and the picture's bytes.
    try unsafe connection?.write(&header, count: MemoryLayout<SocketHeader>.size)
    try unsafe connection?.write(picture.bytes, count: byteCount)
  }

  func finish() { connection = nil }
}

/// The receiving end, which sums the bytes of a complete frame.
@safe
final class SocketReceiver: WaitingReceiver {
  private let connection: UnixSocket
  // UNSAFE: owned by this object, for `byteCount` bytes.
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  init(_ job: Job) throws {
    connection = try UnixSocket.connected(to: job.path)
    let byteCount = PixelBufferSerializer.serializedSize(width: job.width, height: job.height)
    unsafe buffer = .allocate(capacity: byteCount)
    unsafe buffer.initialize(repeating: 0)
  }

  deinit { unsafe buffer.deallocate() }

  func receive(_ onFrame: (UInt64) -> Void) throws {
    guard let base = unsafe buffer.baseAddress else { return }
    while true {
      var header = SocketHeader(publishTime: 0, byteCount: 0)
      // UNSAFE: a struct of plain numbers, and as many bytes as the buffer has at the most.
      guard try unsafe connection.read(&header, count: MemoryLayout<SocketHeader>.size) else { return }
      let byteCount = unsafe min(Int(header.byteCount), buffer.count)
      guard try unsafe connection.read(base, count: byteCount) else { return }
      onFrame(SystemClock().now.nanoseconds - header.publishTime)
      // UNSAFE: initialised in init, and nobody writes to it now.
      Keep.value(unsafe buffer.span.sum)
    }
  }
}
