import CoreMedia
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory

/// The system's side of a broadcast: launches the extension's handler and delivers the screen to it.
///
/// ```swift
/// let system = BroadcastSystem(handler: SampleHandler(…), screen: screen, framesPerSecond: 60) { event in … }
/// system.start()
/// ```
/// It calls the handler as ReplayKit does: `broadcastStarted(withSetupInfo:)`, then one sample after the other,
/// no call before the last one has returned, until somebody ends it. The calls come on a queue of their own; the screen
/// goes on meanwhile, see ``SampleDelivery``.
@MainActor
public final class BroadcastSystem {
  /// What a broadcast reports while it runs.
  public enum Event: Sendable {
    /// The extension has started; samples follow.
    case started
    /// No samples until it resumes.
    case paused
    /// Samples follow again.
    case resumed
    /// Something else that was asked for has happened.
    case happened(DeviceEvent)
    /// Something that was asked for could not happen; one sentence says why.
    case refused(DeviceEvent, String)
    /// The handler did for the first time what it should not do.
    case misuse(HandlerMisuse)
    /// It is over; nothing follows.
    case finished(BroadcastReport)
  }

  /// When a broadcast ends by itself.
  public struct Limits: Sendable {
    /// After this time, pauses included; `nil` for no limit.
    public var duration: Duration?
    /// After this many frames; `nil` for no limit.
    public var frames: UInt64?

    /// Limits; none by default.
    public init(duration: Duration? = nil, frames: UInt64? = nil) {
      self.duration = duration
      self.frames = frames
    }
  }

  /// Why no samples come.
  enum PauseReason { case person, indicator, lock }

  enum Phase { case idle, starting, live, over }

  let screen: EmulatedScreen
  let audio: [EmulatedAudio]
  let delivery: SampleDelivery
  let handler: RPBroadcastSampleHandler
  let onEvent: (Event) -> Void
  private let limits: Limits
  private let setupInfo: [String: String]
  private let timer: any RepeatingTimer
  private let audioTimer: any RepeatingTimer
  private let eventTimer: any RepeatingTimer
  private let now: () -> UInt64

  private(set) var phase = Phase.idle
  private var isClosed = false
  var pacer = ScreenPacer()
  /// Whether the phone is in a call.
  var isInCall = false
  private var framesPerSecond: Double
  private var pauseReasons: Set<PauseReason> = []
  /// What is to happen, and how long after the launch.
  private var schedule: [ScheduledEvent]
  /// When the person who has tapped the red mark answers, in nanoseconds, and what.
  private var answer: (time: UInt64, DeviceEvent.IndicatorAnswer)?
  private var misuses: [HandlerMisuse: UInt64] = [:]
  /// What the timer had counted before its present rate.
  private var earlierTicks = (missed: UInt64(0), late: UInt64(0))

  private var framesTaken: UInt64 = 0
  private var launchTime: UInt64 = 0
  private var timing = BroadcastTiming()

  /// How long the person takes to answer whether to stop, in nanoseconds.
  private static let timeToAnswer: UInt64 = 1_000_000_000
  /// How often what is to happen, and the sound, is looked at.
  private static let shortInterval = Duration.milliseconds(10)

  /// A broadcast that has not begun.
  ///
  /// - Parameters:
  ///   - audio: the sounds that are delivered besides.
  ///   - setupInfo: what the extension's setup screen gave; empty when it came from the system's picker.
  ///   - schedule: what is to happen while it runs.
  ///   - timer: ticks on the main queue, once per frame.
  ///   - audioTimer: ticks on the main queue while there is sound, more often than it has packets.
  ///   - eventTimer: ticks on the main queue while something is to happen.
  ///   - now: monotonic nanoseconds; the capture time of the frames.
  public init(
    handler: RPBroadcastSampleHandler, screen: EmulatedScreen, framesPerSecond: Double,
    audio: [EmulatedAudio] = [], setupInfo: [String: String] = [:], schedule: [ScheduledEvent] = [],
    limits: Limits = Limits(),
    timer: any RepeatingTimer = DispatchTimer(queue: .main),
    audioTimer: any RepeatingTimer = DispatchTimer(queue: .main),
    eventTimer: any RepeatingTimer = DispatchTimer(queue: .main),
    now: @escaping () -> UInt64 = { SystemClock().now.nanoseconds },
    onEvent: @escaping (Event) -> Void
  ) {
    self.handler = handler
    self.screen = screen
    self.audio = audio
    self.framesPerSecond = framesPerSecond
    self.setupInfo = setupInfo
    self.schedule = schedule.sorted { $0.time < $1.time }
    self.limits = limits
    self.timer = timer
    self.audioTimer = audioTimer
    self.eventTimer = eventTimer
    self.now = now
    self.onEvent = onEvent
    delivery = SampleDelivery(handler: handler)
  }

  /// Launches the extension. Samples follow unless it refuses.
  public func start() {
    guard phase == .idle else { return }
    phase = .starting
    launchTime = now()
    timing.begin(at: launchTime)
    handler.onFinish { [weak self, delivery] error in
      let error = error as NSError
      // It gets nothing more. A call that is under way returns before the broadcast ends.
      delivery.close(with: error)
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.end(.byExtension(error)) } }
    }
    takeOverDelay()
    let info = setupInfo.isEmpty ? nil : setupInfo.mapValues { $0 as NSString as NSObject }
    nonisolated(unsafe) let setupInfo = info
    delivery.call {
      unsafe $0.broadcastStarted(withSetupInfo: setupInfo)
    } completion: {
      // Behind what a refusal has put into the queue, so that a broadcast that was refused never starts.
      DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.goLive() } }
    }
    if !schedule.isEmpty { watchSchedule() }
  }

  /// How slow the handler is from its first call on, of what is to happen at once.
  private func takeOverDelay() {
    let isDelay = { (scheduled: ScheduledEvent) in
      if case .slow = scheduled.event { scheduled.time == .zero } else { false }
    }
    let delays = schedule.filter(isDelay)
    schedule.removeAll(where: isDelay)
    for delay in delays { perform(delay.event) }
  }

  /// Stops delivering, as the system does when the person pauses.
  public func pause() { perform(.pause) }

  /// Delivers again.
  public func resume() { perform(.resume) }

  /// Ends the broadcast as the system does when the person stops it: `broadcastFinished()`.
  public func stop() { end(.bySystem) }

  /// Whether it has been ended and the handler has not returned from its last call yet.
  public var isWaitingForHandler: Bool { phase == .over && !isClosed }

  /// Notes that the handler did what it should not.
  public func note(_ misuse: HandlerMisuse) {
    misuses[misuse, default: 0] += 1
    if misuses[misuse] == 1 { onEvent(.misuse(misuse)) }
  }

  /// How far it has come.
  public var progress: BroadcastReport.Progress { progress(at: now()) }

  /// Delivers the next frame, if one is due and there is one: one tick of the timer.
  public func step() {
    guard phase == .live else { return }
    let time = now()
    let elapsed = Duration.nanoseconds(Int64(clamping: timing.elapsed(at: time)))
    if let duration = limits.duration, elapsed >= duration { return end(.durationReached) }
    guard pauseReasons.isEmpty else { return }
    for time in pacer.take(at: time) where phase == .live { takePicture(at: time) }
  }

  /// Delivers the sound that is complete: one tick of the timer of sound.
  ///
  /// After a moment without time for it, no more at once than can wait: the handler, which had no time either, is not
  /// the reason.
  public func stepAudio() {
    if phase == .live, pauseReasons.isEmpty { deliverAudio() }
  }

  private func deliverAudio() {
    let time = now()
    for sound in audio {
      for sample in sound.samples(until: time, atMost: SampleDelivery.capacity / audio.count) {
        _ = delivery.offer(sample, sound.type)
      }
    }
  }

  /// Lets happen what is due: one tick of the timer of events.
  public func runDueEvents() {
    let time = now()
    if let (due, answer) = answer, time >= due {
      self.answer = nil
      switch answer {
      case .stop: end(.bySystem)
      case .cancel: resume(from: .indicator)
      }
    }
    while let next = schedule.first, phase != .over,
      .nanoseconds(Int64(clamping: BroadcastTiming.span(from: launchTime, to: time))) >= next.time
    {
      schedule.removeFirst()
      perform(next.event)
    }
    if schedule.isEmpty, answer == nil { eventTimer.cancel() }
  }

  private func watchSchedule() {
    eventTimer.start(every: Self.shortInterval) { [weak self] in
      MainActor.assumeIsolated { self?.runDueEvents() }
    }
    runDueEvents()
  }

  private func takePicture(at time: UInt64) {
    do {
      let (drawing, sample) = try screen.nextSample(frame: framesTaken + 1, time: time)
      if let sample, delivery.offer(sample) {
        screen.useNextBuffer()
        framesTaken += 1
        timing.countFrame(at: time)
      }
      if drawing == .ended {
        end(.endOfContent)
      } else if let frames = limits.frames, framesTaken >= frames {
        end(.framesReached)
      }
    } catch {
      end(.contentFailed(error))
    }
  }

  private func goLive() {
    guard phase == .starting else { return }
    phase = .live
    timing.begin(at: now())
    onEvent(.started)
    startTimer()
    if !audio.isEmpty {
      for sound in audio { sound.start(at: timing.start) }
      audioTimer.start(every: Self.shortInterval) { [weak self] in
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

  /// Changes the rate of the screen.
  func setRate(_ rate: Double) {
    framesPerSecond = rate
    guard phase == .live else { return }
    earlierTicks = ticks
    startTimer()
  }

  /// Delivers nothing for `reason`, until all reasons are gone. Whether the reason is a new one.
  @discardableResult
  func pause(for reason: PauseReason) -> Bool {
    let isFirst = pauseReasons.isEmpty
    guard pauseReasons.insert(reason).inserted else { return false }
    guard isFirst else { return true }
    // What sounded before the pause is heard.
    deliverAudio()
    timing.pause(at: now())
    pacer.giveUpHeld()
    delivery.call { $0.broadcastPaused() }
    onEvent(.paused)
    return true
  }

  /// Delivers again unless there is another reason not to. Whether the reason was one.
  @discardableResult
  func resume(from reason: PauseReason) -> Bool {
    guard pauseReasons.remove(reason) != nil else { return false }
    guard pauseReasons.isEmpty else { return true }
    timing.resume(at: now())
    for sound in audio { sound.skip(to: now()) }
    delivery.call { $0.broadcastResumed() }
    onEvent(.resumed)
    return true
  }

  /// Pauses while the person is asked whether to stop.
  func ask(_ answer: DeviceEvent.IndicatorAnswer) -> Bool {
    guard pause(for: .indicator) else { return false }
    self.answer = (now() &+ Self.timeToAnswer, answer)
    watchSchedule()
    return true
  }

  /// The moment `duration` from now, in nanoseconds.
  func time(in duration: Duration) -> UInt64 { now() &+ UInt64(clamping: Int64(duration / .nanoseconds(1))) }

  private func end(_ ending: BroadcastEnding) {
    guard phase != .over, phase != .idle else { return }
    timing.finish(at: now())
    let wasLive = phase == .live && pauseReasons.isEmpty
    phase = .over
    timer.cancel()
    audioTimer.cancel()
    eventTimer.cancel()
    if case .byExtension = ending {
    } else {
      if wasLive { deliverAudio() }
      delivery.call { handler in
        handler.onFinish(nil)
        handler.broadcastFinished()
      }
    }
    // What waits is delivered, and a call that is under way returns, before it is over.
    delivery.drain { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.close(ending) } }
    }
  }

  private func close(_ ending: BroadcastEnding) {
    isClosed = true
    handler.onFinish(nil)
    // The handler may have ended it while another end waited for it to return.
    let ending = delivery.error.map(BroadcastEnding.byExtension) ?? ending
    onEvent(.finished(BroadcastReport(ending: ending, progress: progress, misuses: misuses)))
  }

  private var ticks: (missed: UInt64, late: UInt64) {
    (earlierTicks.missed + (timer.schedule?.missed ?? 0), earlierTicks.late + (timer.schedule?.late ?? 0))
  }

  private func progress(at time: UInt64) -> BroadcastReport.Progress {
    let video = delivery.counts(.video)
    return BroadcastReport.Progress(
      framesProduced: video.delivered, framesDropped: ticks.missed + video.dropped + pacer.skipped,
      lateTicks: ticks.late,
      audioDropped: audio.reduce(delivery.counts(.audio).dropped) { $0 + $1.packetsSkipped },
      seconds: Double(timing.elapsed(at: time)) / 1e9, secondsPaused: Double(timing.paused(at: time)) / 1e9,
      secondsOfFrames: Double(timing.ofFrames) / 1e9)
  }
}
