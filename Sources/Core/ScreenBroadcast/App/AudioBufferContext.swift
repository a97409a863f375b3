import Platform
import SharedMemory
import Synchronization

/// Receives the audio of a broadcast. The calls come where the context's timer ticks.
public protocol AudioBufferContextSubscriber: AnyObject, Sendable {
  /// Audio has arrived. All of it is reported, once, in order.
  func onAudio(_ audio: BroadcastAudio)

  /// The audio cannot be read. Reported once for each reason, and again after it has been readable.
  func onAudioFailure(_ failure: FileError)
}

/// The app's end of one stream of audio: polls the mapped packets as often as the frames, and reports all that are new.
///
/// ```swift
/// let audio = AudioBufferContext(container: container, stream: .app, pollTimer: DispatchTimer(queue: queue))
/// audio.subscribe(self)
/// ```
/// Nothing is lost if it polls at least every two seconds; what is lost is counted. It continues with the next session
/// when the extension starts again, and reports nothing of one that crashed. Of the audio before the first poll after
/// ``subscribe(_:)`` it reports the last second.
public final class AudioBufferContext: Sendable {
  /// The stream it reads.
  public let stream: BroadcastAudioStream
  private let poller: Poller<any AudioBufferContextSubscriber>
  private let state: Mutex<State>

  private struct State {
    let audio: BroadcastAudioReader
    var failure = ReportedReason<FileError>()
  }

  /// A context over one stream of a container, whose file may not exist yet. `clock` is that of the audio's times.
  public init(
    container: AppGroupContainer, stream: BroadcastAudioStream, pollTimer: any RepeatingTimer,
    interval: Duration = BroadcastBufferContext.pollInterval, clock: any MonotonicClock = SystemClock()
  ) {
    self.stream = stream
    poller = Poller(timer: pollTimer, interval: interval)
    state = Mutex(State(audio: BroadcastAudioReader(container: container, stream: stream, clock: clock)))
  }

  /// The counts so far.
  public var statistics: Statistics { state.withLock { $0.audio.statistics } }

  /// Starts polling for `subscriber`. It is held weakly, and replaces an earlier subscriber. What was not read of an
  /// earlier broadcast is not reported.
  public func subscribe(_ subscriber: any AudioBufferContextSubscriber) {
    state.withLock { $0.audio.join() }
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// Reads once, and reports all new audio, one run after another. Only on the queue of the timer: two polls at once
  /// would report out of order.
  public func poll() {
    let subscriber = poller.subscriber
    let result = state.withLock { state -> Result<[BroadcastAudio], FileError>? in
      state.audio.statistics.polls += 1
      do throws(FileError) {
        let runs = try state.audio.newRuns() ?? []
        _ = state.failure.changes(to: nil)
        state.audio.statistics.framesReceived += UInt64(runs.reduce(0) { $0 + $1.frameCount })
        return .success(runs)
      } catch {
        return state.failure.changes(to: error) ? .failure(error) : nil
      }
    }
    switch result {
    case .success(let runs): for audio in runs { subscriber?.onAudio(audio) }
    case .failure(let failure): subscriber?.onAudioFailure(failure)
    case nil: break
    }
  }

  /// The counts over a context's life.
  public struct Statistics: Equatable, Sendable {
    /// Polls.
    public var polls: UInt64 = 0
    /// Frames reported to the subscriber; a frame is one sample of each channel.
    public var framesReceived: UInt64 = 0
    /// Places at which frames are missing, because they were overwritten before they were read.
    public var gaps: UInt64 = 0
    /// The frames that are missing there.
    public var framesLost: UInt64 = 0
    /// Packets that the extension left out, over all sessions.
    public var packetsDropped: UInt64 = 0

    /// All counts at zero.
    public init() {}
  }
}
