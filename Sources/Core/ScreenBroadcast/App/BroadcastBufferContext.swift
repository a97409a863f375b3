import Foundation
import Platform
import SharedMemory
import Synchronization

/// Receives the frames of a broadcast. The calls come where the context's timer ticks: on the queue of a ``DispatchTimer``,
/// on a thread of its own with a ``BroadcastFrameSignal``.
public protocol BroadcastBufferContextSubscriber: AnyObject, Sendable {
  /// A frame has arrived. Each is reported once; frames between two polls are skipped.
  func onFrame(_ frame: BroadcastFrame)

  /// The frames cannot be read. Reported once for each reason, and again after frames have been read.
  func onFailure(_ failure: BroadcastBufferContext.Failure)
}

/// The app's end of the frames: polls the mapped frames 30 times per second, although 60 are published.
///
/// ```swift
/// let context = BroadcastBufferContext(container: container, framePollTimer: DispatchTimer(queue: queue))
/// context.subscribe(self)
/// ```
/// It reports a frame once, and nothing that an extension left behind when it crashed. Only a frame that woke the app is
/// not checked for that, if it is at most 0.5 ms old. The context continues with the next session when the extension starts
/// again.
public final class BroadcastBufferContext: Sendable {
  /// How often the article's app polls for a frame.
  public static let pollInterval = Duration.seconds(1) / 30
  /// A frame that was published longer ago is stale if its session is over, and is not reported: an app that polls the flag
  /// at the article's interval has seen the end by then.
  public static let staleAge = BroadcastStatusManagerImpl.pollInterval

  private let poller: Poller<any BroadcastBufferContextSubscriber>
  private let state: Mutex<State>

  private struct State {
    var frames: any BroadcastFrameSource
    var statistics = Statistics()
    var last: BroadcastFrame.ID?
    var failure = ReportedReason<Failure>()
  }

  /// A context over the frames of a container, which may not exist yet.
  ///
  /// - Parameters:
  ///   - framePollTimer: when to poll. A ``BroadcastFrameSignal`` polls when a frame arrives.
  ///   - isWoken: whether the timer ticks when a frame arrives. Such a frame is reported without a check of the extension.
  ///   - layout: that of the extension. With ``BroadcastLayout/article`` every poll reports a frame, new or not.
  ///   - clock: gives the times of receipt.
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

  /// The session whose frames were read last; `nil` before the first, and while the frames cannot be read.
  public var session: BroadcastSession? { state.withLock { $0.frames.session } }

  /// Starts polling for `subscriber`. It is held weakly, and replaces an earlier subscriber. A frame that was not read of
  /// an earlier broadcast is not reported.
  public func subscribe(_ subscriber: any BroadcastBufferContextSubscriber) {
    state.withLock { $0.frames.reopen() }
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// Reads once, and reports the newest frame if it is a new one.
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
  /// Why frames cannot be read.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file of the frames cannot be used.
    case file(FileError)
    /// The bytes of a frame are not a pixel buffer.
    case frame(PixelBufferSerializer.Failure)

    /// One sentence: what is wrong, and the remedy.
    public var description: String {
      switch self {
      case .file(let error): error.description
      case .frame(let error): error.description
      }
    }

    /// The nearest `errno`: that of the file, or `EINVAL` for a frame.
    public var code: Int32 {
      if case .file(let error) = self { error.code } else { EINVAL }
    }
  }

  /// The counts over a context's life.
  public struct Statistics: Equatable, Sendable {
    /// Polls.
    public var polls: UInt64 = 0
    /// Those of ``polls`` after the end of a session, until the next one.
    public var pollsAfterEnd: UInt64 = 0
    /// Frames reported to the subscriber.
    public var framesDelivered: UInt64 = 0
    /// Frames of a session that were published between two reported ones.
    public var framesSkipped: UInt64 = 0
    /// Frames reported although they are not newer than the one before: a fault of the reader.
    public var framesRepeated: UInt64 = 0
    /// Reads discarded because the extension overtook them.
    public var readsOvertaken: UInt64 = 0

    /// All counts at zero.
    public init() {}

    mutating func count(_ frame: BroadcastFrame, after last: BroadcastFrame.ID?) {
      framesDelivered += 1
      guard let last, last.session == frame.id.session else { return }
      if frame.id.number > last.number {
        framesSkipped &+= frame.id.number - last.number - 1  // Numbers from the file: they must not trap.
      } else {
        framesRepeated += 1
      }
    }
  }
}
