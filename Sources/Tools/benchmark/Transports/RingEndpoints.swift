import Platform
import ScreenBroadcast
import SharedMemory

/// The writer of the frame ring, which fills the slot as the job requires.
final class RingSender: FrameSender {
  private let ring: FrameRingWriter
  private let picture: Picture?
  private let pixels: Job.Pixels
  private let byteCount: Int
  private let serializer = PixelBufferSerializer()

  init(_ job: Job, picture: Picture?, path: String) throws {
    byteCount = PixelBufferSerializer.serializedSize(width: job.width, height: job.height)
    self.picture = picture
    pixels = job.pixels
    ring = try FrameRingWriter(
      path: path, slotCount: Context.slotCount, payloadCapacity: byteCount)
  }

  func send() throws {
    switch (pixels, picture) {
    case (.bytes, let picture?):
      try ring.publish(
        byteCount: picture.byteCount, captureTime: .zero, orientation: 1,
        picture.copy(to:))
    case (.pictures, let picture?):
      try ring.publish(
        byteCount: picture.byteCount, captureTime: .zero, orientation: 1
      ) { slot throws(PixelBufferSerializer.Failure) in
        try serializer.serialize(picture.pixelBuffer, into: &slot)
      }
    default:
      try ring.publish(
        byteCount: byteCount, captureTime: .zero, orientation: 1
      ) { _ in }
    }
  }

  func finish() throws { try ring.finish() }
}

/// A reader of the frame ring.
final class RingReceiver: PolledReceiver {
  private let ring: FrameRingReader
  private let pixels: Job.Pixels
  private var serializer = PixelBufferSerializer()

  init(_ job: Job, registers: Bool = false) throws {
    ring = try FrameRingReader(path: job.path, registers: registers)
    pixels = job.pixels
  }

  /// Sleeps until a frame is published. The reader must be registered.
  func wait() { ring.wait(until: SystemClock().now + .seconds(1)) }

  func look() throws -> Look {
    let age = try ring.next { stamp, payload throws(PixelBufferSerializer.Failure) in
      let seen = SystemClock().now.nanoseconds
      switch pixels {
      case .none: break
      case .bytes: Keep.value(payload.sum)
      case .pictures: Keep.object(try serializer.deserialize(payload))
      }
      return seen - stamp.publishTime.nanoseconds
    }
    if let age { return .frame(age: age) }
    return ring.state == .finished ? .over : .nothing
  }
}

/// A reader of the frame ring that sleeps until the writer wakes it.
final class RingWaiter: WaitingReceiver {
  private let receiver: RingReceiver

  init(_ job: Job) throws { receiver = try RingReceiver(job, registers: true) }

  func receive(_ onFrame: (UInt64) -> Void) throws {
    while true {
      switch try receiver.look() {
      case .frame(let age): onFrame(age)
      case .nothing: receiver.wait()
      case .over: return
      }
    }
  }
}
