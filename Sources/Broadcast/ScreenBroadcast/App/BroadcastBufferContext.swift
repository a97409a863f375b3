import SharedMemory
import Synchronization

/// Who wants the frames of a broadcast.
public protocol BroadcastBufferContextSubscriber: AnyObject, Sendable {
  /// A frame came. Each is told once; ones that came and went between two polls are not told.
  func onFrame(_ frame: BroadcastFrame)

  /// The frames cannot be read. Told once until they can be again, or until the reason is another one.
  func onFailure(_ failure: BroadcastBufferContext.Failure)
}

/// The app's end of the frames: polls the mapped frames thirty times a second, although they come at sixty.
///
/// ```swift
/// let context = BroadcastBufferContext(container: container, framePollTimer: DispatchTimer(queue: queue))
/// context.subscribe(self)
/// ```
/// A frame is told once: nothing is repeated when nothing new came, or after the extension died. A new session
/// of the extension is picked up by itself.
public final class BroadcastBufferContext: Sendable {
  /// How often the article's app looks for a frame.
  public static let pollInterval = Duration.seconds(1) / 30

  private let framePollTimer: any RepeatingTimer
  private let interval: Duration
  private let state: Mutex<State>

  private struct State {
    weak var subscriber: (any BroadcastBufferContextSubscriber)?
    var frames: any BroadcastFrameSource
    var statistics = Statistics()
    var last: BroadcastFrame.ID?
    var lastFailure: Failure?

    /// What there is to tell; `nil` when there is no new frame and no new failure.
    mutating func look() -> Result<BroadcastFrame, Failure>? {
      statistics.polls += 1
      defer { statistics.readsOvertaken = frames.overtaken }
      do throws(Failure) {
        guard let frame = try frames.next() else { return nil }
        lastFailure = nil
        statistics.count(frame, after: last)
        last = frame.id
        return .success(frame)
      } catch {
        defer { lastFailure = error }
        return lastFailure == error ? nil : .failure(error)
      }
    }
  }

  /// A context over the frames of a container; they need not be there yet.
  ///
  /// - Parameters:
  ///   - layout: how the frames lie; the extension must write the same. Of ``BroadcastLayout/article`` every look
  ///     tells a frame, new or not.
  ///   - framePollTimer: when to look. A ``BroadcastFrameSignal`` looks when a frame comes.
  ///   - leases: whether frames are told in place, under a lease, instead of as a copy. For apps that hold them for a
  ///     while, as an encoder does, and for no longer than a second; see ``BroadcastFrame/isIntact``.
  public init(
    container: AppGroupContainer, framePollTimer: any RepeatingTimer, interval: Duration = pollInterval,
    leases: Bool = false, layout: BroadcastLayout = .ring
  ) {
    let frames: any BroadcastFrameSource =
      switch layout {
      case .ring: BroadcastFrameReader(container: container, leases: leases)
      case .article: ArticleFrameReader(container: container)
      }
    state = Mutex(State(frames: frames))
    self.framePollTimer = framePollTimer
    self.interval = interval
  }

  deinit { framePollTimer.cancel() }

  /// What came and went so far.
  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// What the extension says of the session whose frames were read last; `nil` before the first, and while the
  /// frames cannot be read.
  public var session: BroadcastSession? {
    state.withLock { $0.frames.session }
  }

  /// Starts polling and telling `subscriber`. It is held weakly, and it is the only one.
  public func subscribe(_ subscriber: any BroadcastBufferContextSubscriber) {
    state.withLock { $0.subscriber = subscriber }
    framePollTimer.start(every: interval) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() {
    framePollTimer.cancel()
    state.withLock { $0.subscriber = nil }
  }

  /// Looks once, and tells the subscriber of the newest frame when it is a new one.
  public func poll() {
    let (subscriber, news) = state.withLock { ($0.subscriber, $0.look()) }
    switch news {
    case .success(let frame): subscriber?.onFrame(frame)
    case .failure(let failure): subscriber?.onFailure(failure)
    case nil: break
    }
  }
}

extension BroadcastBufferContext {
  /// Why frames cannot be read.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file of frames cannot be used.
    case ring(RingError)
    /// A frame is not a pixel buffer.
    case frame(PixelBufferSerializer.Failure)

    /// One sentence: what is wrong, and the way out.
    public var description: String {
      switch self {
      case .ring(let error): error.description
      case .frame(let error): error.description
      }
    }
  }

  /// Counts of a context's life.
  public struct Statistics: Equatable, Sendable {
    /// Times the context looked for a frame.
    public var polls: UInt64 = 0
    /// Frames told to the subscriber.
    public var framesDelivered: UInt64 = 0
    /// Frames that came and went between two that were told, within a session.
    public var framesSkipped: UInt64 = 0
    /// Frames told although they are not newer than the one before. A fault of the reader would show here.
    public var framesRepeated: UInt64 = 0
    /// Reads thrown away because the extension overtook them.
    public var readsOvertaken: UInt64 = 0

    /// Nothing counted yet.
    public init() {}

    mutating func count(_ frame: BroadcastFrame, after last: BroadcastFrame.ID?) {
      framesDelivered += 1
      guard let last, last.session == frame.id.session else { return }
      if frame.id.number > last.number {
        framesSkipped &+= frame.id.number - last.number - 1  // Numbers from outside: no trap.
      } else {
        framesRepeated += 1
      }
    }
  }
}
