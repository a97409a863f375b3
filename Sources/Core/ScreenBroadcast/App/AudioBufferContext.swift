import Platform
import SharedMemory
import Synchronization

/// Receives the audio of a broadcast, on the thread on which the context's timer ticks.
public protocol AudioBufferContextSubscriber: AnyObject, Sendable {
  /// Audio has arrived. All audio is reported once and in order.
  func onAudio(_ audio: BroadcastAudio)

  /// The audio cannot be read. Reported once for each reason, and again if it was readable in between.
  func onAudioFailure(_ failure: FileError)
}

/// Polls the mapped packets of an audio stream in the app, by default as often as the frames, and reports all new packets.
///
/// ```swift
/// let audio = AudioBufferContext(container: container, stream: .app, pollTimer: DispatchTimer(queue: queue))
/// audio.subscribe(self)
/// ```
/// Nothing is lost if it polls at least every two seconds; lost audio is counted. When the extension starts again, the context
/// continues with the next session. Audio of a crashed extension is not reported. Only the last second of the audio from before
/// the first poll after ``subscribe(_:)`` is reported.
public final class AudioBufferContext: Sendable {
  /// The stream that the context reads.
  public let stream: BroadcastAudioStream
  private let poller: Poller<any AudioBufferContextSubscriber>
  private let state: Mutex<State>

  private struct State {
    let audio: BroadcastAudioReader
    var failure = OncePerReason<FileError>()
  }

  /// Creates a context for a stream of a container. The file may not exist yet. `clock` must be the clock of the audio's times.
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

  /// Starts polling for `subscriber`. It is held weakly and replaces an earlier subscriber. Unread audio of an earlier broadcast
  /// is not reported.
  public func subscribe(_ subscriber: any AudioBufferContextSubscriber) {
    state.withLock { $0.audio.join() }
    poller.start(for: { [weak subscriber] in subscriber }) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() { poller.stop() }

  /// Reads once, and reports all new audio, run by run. Call it only on the queue of the timer, because concurrent polls would
  /// report out of order.
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

  /// Counts over the lifetime of a context.
  public struct Statistics: Equatable, Sendable {
    /// The number of polls.
    public var polls: UInt64 = 0
    /// The number of frames reported to the subscriber (a frame is one sample of each channel).
    public var framesReceived: UInt64 = 0
    /// The number of gaps, where frames were overwritten before they were read.
    public var gaps: UInt64 = 0
    /// The number of frames missing in the gaps.
    public var framesLost: UInt64 = 0
    /// The number of packets that the extension dropped, in all sessions.
    public var packetsDropped: UInt64 = 0

    /// Creates counts of zero.
    public init() {}
  }
}
