import Platform

#if Peers
  import CPeers
  import ScreenBroadcast
  import SharedMemory

  /// The sending end: GStreamer's shmsink.
  @safe
  final class GStreamerSender: FrameSender {
    // UNSAFE: owned by this object, closed by deinit.
    private let sender: OpaquePointer
    private let picture: Picture

    init(_ job: Job, picture: Picture) throws {
      // UNSAFE: the path is lent to the call as a C string.
      let sender = unsafe peer_sender_open(
        job.path, Int32(job.width), Int32(job.height), picture.byteCount, job.transport == .gstreamerZeroCopy)
      guard let sender = unsafe sender else {
        throw Failure("GStreamer has no shmsink; apt-get install gstreamer1.0-plugins-bad")
      }
      unsafe self.sender = sender
      self.picture = picture
    }

    deinit { unsafe peer_sender_close(sender) }

    func send() throws {
      // UNSAFE: the picture's bytes, which outlive the call and, with this object, shmsink's look at them.
      guard unsafe peer_sender_send(sender, picture.bytes, { SystemClock().now.nanoseconds }) else {
        throw Failure("GStreamer's shmsink did not take a frame")
      }
    }

    func finish() throws {
      guard unsafe peer_sender_end(sender) else { throw Failure("GStreamer's shmsink did not take the end") }
    }
  }

  /// The receiving end: GStreamer's shmsrc, which sums the bytes in place.
  @safe
  final class GStreamerReceiver: WaitingReceiver {
    // UNSAFE: owned by this object, closed by deinit.
    private let receiver: OpaquePointer
    private let byteCount: Int

    init(_ job: Job) throws {
      byteCount = PixelBufferSerializer.serializedSize(width: job.width, height: job.height)
      // UNSAFE: the path is lent to the call as a C string.
      guard let receiver = unsafe peer_receiver_open(job.path, byteCount) else {
        throw Failure("GStreamer has no shmsrc; apt-get install gstreamer1.0-plugins-bad")
      }
      unsafe self.receiver = receiver
    }

    deinit { unsafe peer_receiver_close(receiver) }

    func receive(_ onFrame: (UInt64) -> Void) throws {
      withoutActuallyEscaping(onFrame) { onFrame in
        let context = Context(byteCount: byteCount, onFrame: onFrame)
        // UNSAFE: the context outlives the call, after which nobody calls back.
        unsafe peer_receiver_run(
          receiver,
          { context, publishTime, bytes in
            guard let context = unsafe context, let bytes = unsafe bytes else { return }
            unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().take(publishTime, bytes)
          }, Unmanaged.passUnretained(context).toOpaque())
        withExtendedLifetime(context) {}
      }
    }

    /// The context of the C callback.
    private final class Context {
      private let byteCount: Int
      private let onFrame: (UInt64) -> Void

      init(byteCount: Int, onFrame: @escaping (UInt64) -> Void) {
        self.byteCount = byteCount
        self.onFrame = onFrame
      }

      func take(_ publishTime: UInt64, _ bytes: UnsafeRawPointer) {
        onFrame(SystemClock().now.nanoseconds - publishTime)
        // UNSAFE: GStreamer lends at least as many bytes as a frame has.
        let bytes = unsafe UnsafeBufferPointer(
          start: bytes.assumingMemoryBound(to: UInt8.self), count: byteCount)
        Keep.value(unsafe bytes.span.sum)
      }
    }
  }
#endif
