extension BroadcastBufferContext {
  /// The frames of the broadcasts as a sequence, which subscribes to this context.
  ///
  /// ```swift
  /// for await frame in context.frames { show(frame.pixelBuffer, frame.orientation) }
  /// ```
  /// A loop that is slower than the polls gets the newest frame. The sequence continues from one broadcast to the next, and
  /// ends when its task is cancelled. It does not report why frames cannot be read: a
  /// ``BroadcastBufferContextSubscriber`` gets the reason.
  public var frames: AsyncStream<BroadcastFrame> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let subscriber = FrameSequence(continuation)
      subscribe(subscriber)
      // The context holds its subscriber weakly. Another one may have taken its place.
      continuation.onTermination = { [weak self] _ in
        if self?.poller.subscriber === subscriber { self?.unsubscribe() }
      }
    }
  }
}

private final class FrameSequence: BroadcastBufferContextSubscriber {
  private let continuation: AsyncStream<BroadcastFrame>.Continuation

  init(_ continuation: AsyncStream<BroadcastFrame>.Continuation) { self.continuation = continuation }

  func onFrame(_ frame: BroadcastFrame) { continuation.yield(frame) }
  func onFailure(_ failure: BroadcastBufferContext.Failure) {}
}
