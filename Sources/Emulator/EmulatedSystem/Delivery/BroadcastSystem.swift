import CoreMedia
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast

/// The system's side of a broadcast: launches the extension's handler and delivers the screen to it.
///
/// ```swift
/// let system = BroadcastSystem(handler: SampleHandler(…), screen: screen, framesPerSecond: 60) { event in … }
/// system.start()
/// ```
/// It calls the handler as ReplayKit does: first `broadcastStarted(withSetupInfo:)`, then one sample after the other,
/// on a queue of its own; see ``SampleDelivery``. Events come on the main queue.
@MainActor
package final class BroadcastSystem {
  /// What a broadcast reports while it runs.
  package enum Event: Sendable {
    /// The extension has started; samples follow.
    case started
    /// No samples follow until the broadcast resumes.
    case paused
    /// Samples follow again.
    case resumed
    /// Another requested event has happened.
    case happened(DeviceEvent)
    /// A requested event could not happen, for the reason in one sentence.
    case refused(DeviceEvent, String)
    /// The handler misused a sample in this way for the first time.
    case misuse(HandlerMisuse)
    /// The broadcast is over; no event follows.
    case finished(BroadcastReport)
  }

  /// `ending` waits for the handler's last call to return.
  enum Phase { case idle, starting, live, ending, ended }

  let screen: EmulatedScreen
  let audio: [EmulatedAudio]
  let delivery: SampleDelivery<RPBroadcastSampleHandler>
  let clock: any MonotonicClock
  let onEvent: (Event) -> Void
  private let handler: RPBroadcastSampleHandler
  private let durationLimit: Duration?
  private let frameLimit: UInt64?
  private let setupInfo: [String: String]
  private let timer: any RepeatingTimer
  private let audioTimer: any RepeatingTimer
  let eventTimer: any RepeatingTimer

  private(set) var phase = Phase.idle
  private var framesPerSecond: Double
  private var framesTaken: UInt64 = 0
  private(set) var launchTime = MonotonicTime.zero
  private var misuses: [HandlerMisuse: UInt64] = [:]
  /// The counts of the timer at earlier frame rates.
  private var earlierTicks = (missed: UInt64(0), late: UInt64(0))

  var timing = BroadcastTiming()
  var pacer = ScreenPacer()
  /// Whether the phone is in a call.
  var isInCall = false
  /// Why no samples are delivered; empty while they are.
  var pauseReasons: Set<PauseReason> = []
  /// The events that have not happened yet, in order of time.
  var schedule: [ScheduledEvent]
  /// The pending answer of the person who tapped the recording indicator.
  var pendingAnswer: (time: MonotonicTime, answer: DeviceEvent.IndicatorAnswer)?

  /// The interval at which audio and scheduled events are checked.
  static let checkInterval = Duration.milliseconds(10)

  /// A broadcast that has not started.
  ///
  /// - Parameters:
  ///   - audio: the audio streams delivered beside the frames.
  ///   - setupInfo: the values of the extension's setup screen; empty if it came from the system's picker.
  ///   - schedule: the events that happen during the broadcast.
  ///   - durationLimit: the time after which the broadcast ends, pauses included; `nil` for no limit.
  ///   - frameLimit: the number of frames after which the broadcast ends; `nil` for no limit.
  ///   - timer: ticks on the main queue, once per frame.
  ///   - audioTimer: ticks on the main queue while there is audio, every ``checkInterval``.
  ///   - eventTimer: ticks on the main queue while an event is scheduled, every ``checkInterval``.
  ///   - clock: gives the capture times of the samples and the times of events.
  ///   - onEvent: called on the main queue.
  package init(
    handler: RPBroadcastSampleHandler, screen: EmulatedScreen, framesPerSecond: Double,
    audio: [EmulatedAudio] = [], setupInfo: [String: String] = [:], schedule: [ScheduledEvent] = [],
    durationLimit: Duration? = nil, frameLimit: UInt64? = nil,
    timer: any RepeatingTimer = DispatchTimer(queue: .main),
    audioTimer: any RepeatingTimer = DispatchTimer(queue: .main),
    eventTimer: any RepeatingTimer = DispatchTimer(queue: .main),
    clock: any MonotonicClock = SystemClock(),
    onEvent: @escaping (Event) -> Void
  ) {
    self.handler = handler
    self.screen = screen
    self.audio = audio
    self.framesPerSecond = framesPerSecond
    self.setupInfo = setupInfo
    self.schedule = schedule.sorted { $0.time < $1.time }
    (self.durationLimit, self.frameLimit) = (durationLimit, frameLimit)
    self.timer = timer
    self.audioTimer = audioTimer
    self.eventTimer = eventTimer
    self.clock = clock
    self.onEvent = onEvent
    delivery = SampleDelivery(to: handler, clock: clock)
  }

  /// Launches the extension. Samples follow unless it refuses.
  package func start() {
    guard phase == .idle else { return }
    phase = .starting
    launchTime = clock.now
    timing.begin(at: launchTime)
    handler.onFinish { [weak self, delivery] error in
      let ending = error.map { .byExtension($0 as NSError) } ?? BroadcastEnding.gracefullyByExtension
      // The handler gets no further call. A call that is under way returns before the broadcast is over.
      delivery.end(with: ending)
      self?.onMain { $0.end(ending) }
    }
    applyInitialDelay()
    nonisolated(unsafe) let setupInfo =
      setupInfo.isEmpty ? nil : setupInfo.mapValues { $0 as NSString as NSObject }
    delivery.call {
      unsafe $0.broadcastStarted(withSetupInfo: setupInfo)
    } completion: { [weak self] in
      // The main queue gets the end of a refused broadcast first, so that it never goes live.
      self?.onMain { $0.goLive() }
    }
    if !schedule.isEmpty { watchSchedule() }
  }

  /// Runs `body` on the main queue, unless this object has gone.
  private nonisolated func onMain(_ body: @escaping @MainActor @Sendable (BroadcastSystem) -> Void) {
    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { if let self { body(self) } } }
  }

  /// Whether the broadcast is ending, and the handler has not returned from its last call.
  package var isWaitingForHandler: Bool { phase == .ending }

  /// Counts a misuse, and reports the first one of its kind.
  package func note(_ misuse: HandlerMisuse) {
    misuses[misuse, default: 0] += 1
    if misuses[misuse] == 1 { onEvent(.misuse(misuse)) }
  }

  private func goLive() {
    guard phase == .starting else { return }
    phase = .live
    timing.begin(at: clock.now)
    onEvent(.started)
    startTimer()
    if !audio.isEmpty {
      for stream in audio { stream.start(at: timing.start) }
      audioTimer.start(every: Self.checkInterval) { [weak self] in
        MainActor.assumeIsolated { self?.stepAudio() }
      }
    }
    step()
  }

  private func startTimer() {
    timer.start(every: .seconds(1) / framesPerSecond) { [weak self] in
      MainActor.assumeIsolated { self?.step() }
    }
  }

  /// Changes the frame rate of the screen.
  func setRate(_ rate: Double) {
    framesPerSecond = rate
    guard phase == .live else { return }
    earlierTicks = ticks
    startTimer()
  }

  /// Delivers the next frame if one is due: one tick of the frame timer.
  package func step() {
    guard phase == .live else { return }
    let now = clock.now
    if let durationLimit, timing.elapsed(at: now) >= durationLimit { return end(.durationReached) }
    guard pauseReasons.isEmpty else { return }
    for time in pacer.take(at: now) where phase == .live { takeFrame(at: time) }
  }

  private func takeFrame(at time: MonotonicTime) {
    do {
      let (drawing, sample) = try screen.nextSample(frame: framesTaken + 1, time: time)
      if let sample, delivery.offer(sample.buffer, .video, memory: sample.memory) {
        screen.useNextBuffer()
        framesTaken += 1
        timing.countFrame(at: time)
      }
      if drawing == .ended {
        end(.endOfContent)
      } else if let frameLimit, framesTaken >= frameLimit {
        end(.framesReached)
      }
    } catch {
      end(.contentFailed(error))
    }
  }

  /// Delivers the audio that is due: one tick of the audio timer.
  package func stepAudio() {
    if phase == .live, pauseReasons.isEmpty { deliverAudio() }
  }

  func deliverAudio() {
    let now = clock.now
    for stream in audio {
      // No more at once than can wait: if this process had no time for a moment, the handler had none either.
      for sample in stream.samples(until: now, atMost: waitingSampleLimit / audio.count) {
        _ = delivery.offer(sample, stream.type)
      }
    }
  }

  /// Ends the broadcast, once. The event `finished` follows when the handler has returned from its last call.
  func end(_ ending: BroadcastEnding) {
    guard phase == .starting || phase == .live else { return }
    timing.finish(at: clock.now)
    let isDelivering = phase == .live && pauseReasons.isEmpty
    phase = .ending
    timer.cancel()
    audioTimer.cancel()
    eventTimer.cancel()
    switch ending {
    case .byExtension, .gracefullyByExtension: break
    default:
      if isDelivering { deliverAudio() }
      delivery.call { handler in
        handler.onFinish(nil)
        handler.broadcastFinished()
      }
    }
    delivery.drain { [weak self] in self?.onMain { $0.finish(ending) } }
  }

  private func finish(_ ending: BroadcastEnding) {
    phase = .ended
    handler.onFinish(nil)
    // The handler may have ended the broadcast while another ending waited for it to return.
    let ending = delivery.ending ?? ending
    onEvent(.finished(BroadcastReport(ending: ending, progress: progress, misuses: misuses)))
  }

  private var ticks: (missed: UInt64, late: UInt64) {
    (earlierTicks.missed + (timer.schedule?.missed ?? 0), earlierTicks.late + (timer.schedule?.late ?? 0))
  }

  /// The present counts.
  package var progress: BroadcastReport.Progress {
    let (now, video) = (clock.now, delivery.counts(.video))
    return BroadcastReport.Progress(
      framesProduced: video.delivered, framesDropped: ticks.missed + video.dropped + pacer.skipped,
      lateTicks: ticks.late,
      audioDropped: audio.reduce(delivery.counts(.audio).dropped) { $0 + $1.packetsSkipped },
      elapsed: timing.elapsed(at: now), paused: timing.paused(at: now), framesSpan: timing.framesSpan)
  }
}
