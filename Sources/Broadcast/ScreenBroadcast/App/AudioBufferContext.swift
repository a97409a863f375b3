import SharedMemory
import Synchronization

/// Who wants the sound of a broadcast.
public protocol AudioBufferContextSubscriber: AnyObject, Sendable {
  /// Sound came. All of it is told, once, in order.
  func onAudio(_ audio: BroadcastAudio)

  /// The sound cannot be read. Told once until it can be again, or until the reason is another one.
  func onFailure(_ failure: AudioBufferContext.Failure)
}

/// The app's end of one stream of sound: polls the mapped packets as often as the frames, and tells all that is new.
///
/// ```swift
/// let sound = AudioBufferContext(container: container, stream: .app, pollTimer: DispatchTimer(queue: queue))
/// sound.subscribe(self)
/// ```
/// Nothing is lost as long as it looks at least every two seconds; what is lost all the same is counted. A new session
/// of the extension is picked up by itself, and nothing is told of one that died. Of what came before the first
/// look after ``subscribe(_:)``, the last second is told.
public final class AudioBufferContext: Sendable {
  /// Which stream it is.
  public let stream: BroadcastAudioStream
  private let pollTimer: any RepeatingTimer
  private let interval: Duration
  private let state: Mutex<State>

  private struct State {
    weak var subscriber: (any AudioBufferContextSubscriber)?
    var audio: BroadcastAudioReader
    var statistics = Statistics()
    var lastFailure: Failure?

    mutating func look() -> Result<[BroadcastAudio], Failure>? {
      statistics.polls += 1
      do throws(RingError) {
        let news = try audio.next()
        lastFailure = nil
        statistics.framesReceived += UInt64(news.reduce(0) { $0 + $1.frameCount })
        (statistics.gaps, statistics.framesLost) = (audio.gaps, audio.framesLost)
        statistics.packetsDropped = audio.packetsDropped
        return news.isEmpty ? nil : .success(news)
      } catch {
        let failure = Failure.ring(error)
        defer { lastFailure = failure }
        return lastFailure == failure ? nil : .failure(failure)
      }
    }
  }

  /// A context over one stream of a container; there need be no sound yet.
  public init(
    container: AppGroupContainer, stream: BroadcastAudioStream, pollTimer: any RepeatingTimer,
    interval: Duration = BroadcastBufferContext.pollInterval
  ) {
    self.stream = stream
    self.pollTimer = pollTimer
    self.interval = interval
    state = Mutex(State(audio: BroadcastAudioReader(container: container, stream: stream)))
  }

  deinit { pollTimer.cancel() }

  /// What came and went so far.
  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// Starts polling and telling `subscriber`. It is held weakly, and it is the only one.
  public func subscribe(_ subscriber: any AudioBufferContextSubscriber) {
    state.withLock { state in
      state.subscriber = subscriber
      state.audio.join()
    }
    pollTimer.start(every: interval) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() {
    pollTimer.cancel()
    state.withLock { $0.subscriber = nil }
  }

  /// Looks once, and tells the subscriber of everything new, one run after another. Only on the queue of the timer:
  /// two looks at once would tell out of order.
  public func poll() {
    let (subscriber, news) = state.withLock { ($0.subscriber, $0.look()) }
    switch news {
    case .success(let runs): for audio in runs { subscriber?.onAudio(audio) }
    case .failure(let failure): subscriber?.onFailure(failure)
    case nil: break
    }
  }
}

extension AudioBufferContext {
  /// Why sound cannot be read.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file of sound cannot be used.
    case ring(RingError)

    /// One sentence: what is wrong, and the way out.
    public var description: String {
      switch self {
      case .ring(let error): error.description
      }
    }
  }

  /// Counts of a context's life.
  public struct Statistics: Equatable, Sendable {
    /// Times the context looked for sound.
    public var polls: UInt64 = 0
    /// Frames told to the subscriber.
    public var framesReceived: UInt64 = 0
    /// Places at which frames are missing, because they were overwritten before they were read.
    public var gaps: UInt64 = 0
    /// The frames that are missing there.
    public var framesLost: UInt64 = 0
    /// Packets that came to the extension and did not travel, over all sessions.
    public var packetsDropped: UInt64 = 0

    /// Nothing counted yet.
    public init() {}
  }
}
