#if Peers
  import CBenchmark
  import CPeers
  import Platform

  /// The sending end: GStreamer's shmsink.
  @safe
  final class GStreamerSender: FrameSender {
    // UNSAFE: owned by this object, closed by deinit.
    private let sender: OpaquePointer
    private let picture: Picture

    init(_ job: Job) throws {
      picture = try Picture(job.size)
      // UNSAFE: the path is lent to the call as a C string.
      let sender = unsafe peer_sender_open(
        job.path, picture.byteCount, job.transport == .gstreamerZeroCopy)
      guard let sender = unsafe sender else {
        throw Failure("GStreamer has no shmsink; apt-get install gstreamer1.0-plugins-bad")
      }
      unsafe self.sender = sender
    }

    deinit { unsafe peer_sender_close(sender) }

    func send() throws {
      // UNSAFE: the picture's bytes, which live as long as this object; shmsink reads them until then.
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
  final class GStreamerReceiver: TransportEnd {
    // UNSAFE: owned by this object, closed by deinit.
    private let receiver: OpaquePointer

    init(_ job: Job) throws {
      // UNSAFE: the path is lent to the call as a C string.
      guard let receiver = unsafe peer_receiver_open(job.path, job.frameByteCount) else {
        throw Failure("GStreamer has no shmsrc; apt-get install gstreamer1.0-plugins-bad")
      }
      unsafe self.receiver = receiver
    }

    deinit { unsafe peer_receiver_close(receiver) }

    func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) {
      withoutActuallyEscaping(report) { report in
        var context = (byteCount: job.frameByteCount, report: report)
        // UNSAFE: the context outlives the call, and nothing calls back after it; GStreamer lends all bytes of a frame.
        unsafe withUnsafeMutablePointer(to: &context) { context in
          unsafe peer_receiver_run(
            receiver,
            { context, publishTime, bytes in
              guard
                let context = unsafe context?.assumingMemoryBound(
                  to: (byteCount: Int, report: (Duration) -> Void).self)
              else { return }
              unsafe context.pointee.report(SystemClock().now - MonotonicTime(nanoseconds: publishTime))
              Keep.value(unsafe benchmark_sum(bytes, context.pointee.byteCount))
            }, context)
        }
      }
    }
  }
#endif
