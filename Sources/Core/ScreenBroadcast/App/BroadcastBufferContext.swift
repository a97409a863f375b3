import Foundation
import Platform
import SharedMemory
import Synchronization

/// Receives the frames of a broadcast, on the thread on which the context's timer ticks: on the queue of a ``DispatchTimer``, or
/// on the thread of a ``BroadcastFrameSignal``.
public protocol BroadcastBufferContextSubscriber: AnyObject, Sendable {
  /// A frame has arrived. Each frame is reported once; frames between two polls are skipped.
  func onFrame(_ frame: BroadcastFrame)

  /// The frames cannot be read. Reported once for each reason, and again if frames were read in between.
  func onFailure(_ failure: BroadcastBufferContext.Failure)
}

/// Polls the mapped frames in the app, by default 30 times per second, although 60 frames are published.
///
/// ```swift
/// let context = BroadcastBufferContext(container: container, framePollTimer: DispatchTimer(queue: queue))
/// context.subscribe(self)
/// ```
/// Each frame is reported once. Frames that a crashed extension left behind are not reported. The context checks for a crash at
/// every frame, except for frames that woke the app and are at most 0.5 ms old. When the extension starts again, the context
/// continues with the next session.
public final class BroadcastBufferContext: Sendable {
  /// The poll interval of the article's app.
  public static let pollInterval = Duration.seconds(1) / 30
  /// The age at which a frame of a finished session is stale and is not reported. By then an app that polls the flag at the
  /// article's interval has seen the end.
  public static let staleAge = BroadcastStatusManagerImpl.pollInterval

  let poller: Poller<any BroadcastBufferContextSubscriber>
  private let state: Mutex<State>

  private struct State {
    var frames: any BroadcastFrameSource
    var statistics = Statistics()
    var last: BroadcastFrame.ID?
    var failure = OncePerReason<Failure>()
  }

  /// Creates a context for the frames of a container. The container may not exist yet.
  ///
  /// - Parameters:
  /// - framePollTimer: the timer of the polls. A ``BroadcastFrameSignal`` polls when a frame arrives.
  /// - isWoken: whether the timer ticks when a frame arrives. Such a frame is reported without checking the extension.
  /// - layout: the extension's layout. With ``BroadcastLayout/article`` every poll reports a frame, whether new or not.
  /// - clock: the clock for the times of receipt.
  public init(
    container: AppGroupContainer, framePollTimer: any RepeatingTimer, isWoken: Bool = false,
    interval: Duration = pollInterval, layout: BroadcastLayout = .ring,
    clock: any MonotonicClock = SystemClock()
  ) {
    let frames: any BroadcastFrameSource =
      switch layout {
      case .ring:
        BroadcastFrameReader(container: container, isWoken: isWoken, clock: clock)
      case .article: ArticleFrameReader(container: container, clock: clock)
      }
    state = Mutex(State(frames: frames))
    poller = Poller(timer: framePollTimer, interval: interval)
  }

  /// The counts so far.
  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// The session whose frames were read last; `nil` before the first frame, and while the frames cannot be read.
  public var session: BroadcastSession? { state.withLock { $0.frames.session } }

  /// Starts polling for `subscriber`. It is held weakly and replaces an earlier subscriber. Unread frames of an earlier broadcast
  /// are not reported.
  public func subscribe(_ subscriber: any BroadcastBufferContextSubscriber) {
    state.withLock { $0.frames.reopen() }
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// Reads once, and reports the newest frame if it is new.
  public func poll() {
    let subscriber = poller.subscriber
    let result = state.withLock { state -> Result<BroadcastFrame, Failure>? in
      state.statistics.polls += 1
      defer { state.statistics.readsOvertaken = state.frames.overtaken }
      let result: Result<BroadcastFrame, Failure>
      do throws(FileError) {
        guard let next = try state.frames.next() else {
          if state.frames.session?.state == .finished { state.statistics.pollsAfterEnd += 1 }
          return nil
        }
        result = next.mapError(Failure.frame)
      } catch {
        result = .failure(.file(error))
      }
      switch result {
      case .success(let frame):
        _ = state.failure.changes(to: nil)
        state.statistics.count(frame, after: state.last)
        state.last = frame.id
        return result
      case .failure(let failure): return state.failure.changes(to: failure) ? result : nil
      }
    }
    switch result {
    case .success(let frame): subscriber?.onFrame(frame)
    case .failure(let failure): subscriber?.onFailure(failure)
    case nil: break
    }
  }
}

extension BroadcastBufferContext {
  /// An error that prevents the reading of frames.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file of the frames cannot be used.
    case file(FileError)
    /// The bytes of a frame are not a pixel buffer.
    case frame(PixelBufferSerializer.Failure)

    /// A sentence with the problem and the fix.
    public var description: String {
      switch self {
      case .file(let error): error.description
      case .frame(let error): error.description
      }
    }

    /// The nearest `errno`: the file's, or `EINVAL` for a frame.
    public var code: Int32 {
      if case .file(let error) = self { error.code } else { EINVAL }
    }
  }

  /// Counts over the lifetime of a context.
  public struct Statistics: Equatable, Sendable {
    /// The number of polls.
    public var polls: UInt64 = 0
    /// The number of ``polls`` between the end of a session and the next session.
    public var pollsAfterEnd: UInt64 = 0
    /// The number of frames reported to the subscriber.
    public var framesDelivered: UInt64 = 0
    /// The number of frames that were published between two reported frames of a session.
    public var framesSkipped: UInt64 = 0
    /// The number of reported frames that were not newer than their predecessor (a fault of the reader).
    public var framesRepeated: UInt64 = 0
    /// The number of reads discarded because the extension overtook them.
    public var readsOvertaken: UInt64 = 0

    /// Creates counts of zero.
    public init() {}

    mutating func count(_ frame: BroadcastFrame, after last: BroadcastFrame.ID?) {
      framesDelivered += 1
      guard let last, last.session == frame.id.session else { return }
      if frame.id.number > last.number {
        framesSkipped &+= frame.id.number - last.number - 1  // Untrusted numbers must not trap.
      } else {
        framesRepeated += 1
      }
    }
  }
}
