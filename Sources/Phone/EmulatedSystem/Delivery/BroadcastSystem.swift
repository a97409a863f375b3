import Causes
import CoreMedia
import EmulatedDevice
import Foundation
import Platform
import ReplayKitCore
import RunReports
import ScreenBroadcast
import Synchronization

/// The system's side of a broadcast: launches the extension's handler and delivers the screen to it.
///
/// ```swift
/// let system = BroadcastSystem(on: device, handler: SampleHandler(…), screen: screen) { event in … }
/// system.start()
/// ```
/// It calls the handler as ReplayKit does: first `broadcastStarted(withSetupInfo:)`, then with one sample at a time, on a
/// separate queue; see ``SampleDelivery``. Events arrive on the main queue.
@MainActor
package final class BroadcastSystem {
  /// The events that a broadcast reports while it runs.
  package enum Event: Sendable {
    /// Samples follow, or stop until the broadcast resumes.
    case started, paused, resumed
    /// A requested event is about to happen. It may end the process.
    case requested(DeviceEvent)
    /// Another requested event has happened.
    case happened(DeviceEvent)
    /// A requested event could not happen. The string is the reason, as one sentence.
    case refused(DeviceEvent, String)
    /// The handler misused a sample in this way for the first time. If it kept too many, `held` has the buffers that it held.
    /// `name` is the file or the name that was misused.
    case misuse(HandlerMisuse, held: HeldBuffers? = nil, name: String? = nil)
    /// The handler connected to a socket of its app through the proxy, or such a connection was closed.
    case socket(SocketEvent)
    /// A call of the handler does not return. The closure of ``watchCalls(on:report:)`` has already been called, on the watch's
    /// thread.
    case call(CallEvent)
    /// The handler posted or observed a Darwin notification for the first time.
    case notification(NotificationEvent)
    /// The broadcast is over; no event follows.
    case finished(BroadcastEnding, BroadcastEnd)
  }

  /// In the phase `ending`, the handler's last call has not returned.
  enum Phase { case idle, starting, live, ending, ended }

  package let device: Device
  package let screen: EmulatedScreen
  var audio: [EmulatedAudio]
  let delivery: SampleDelivery<RPBroadcastSampleHandler>
  private let samplesHeld: HeldSampleCounter
  let time: DeviceTime
  /// The trace that determines samples and calls, instead of the screen's rate, the audio streams and the events.
  let replay: TraceReplay?
  let recorder: TraceRecorder?
  package let recordings = RecordingLog()
  let onEvent: (Event) -> Void
  private let handler: RPBroadcastSampleHandler
  private let durationLimit: Duration?
  private let frameLimit: UInt64?
  private let setupInfo: [String: String]
  let frameTimer: any RepeatingTimer
  private let checkTimer: any RepeatingTimer

  private(set) var phase = Phase.idle
  /// The return of the handler's last call.
  package private(set) var lastReturn: ShutdownWait.Start?
  /// When the broadcast was or is to end; `nil` if that is not known. Also set by signals, because the main thread may hang.
  package nonisolated let endDue = Mutex<MonotonicTime?>(nil)
  private(set) var launchTime = MonotonicTime.zero
  private var framesTaken: UInt64 = 0
  /// The number of misuses by kind.
  package private(set) var misuses: [HandlerMisuse: UInt64] = [:]
  /// The maximum number of buffers that the handler held when no buffer was left, and their maximum age.
  private var held: HeldBuffers?
  /// The counts of the frame timer at earlier frame rates.
  private var earlierTicks = (missed: UInt64(0), late: UInt64(0))

  /// The container of the app that receives app events; `nil` for a broadcast in the process of its app.
  package var appContainer: AppGroupContainer?
  /// The app that received the last app event, and its pending suspension in the background.
  var app: PhoneApp?
  var suspension: ScheduledEvent?
  var catchUp = CatchUp()
  /// Whether `broadcastAnnotated` was called: the handler knows which app the person opened first.
  var isAnnotated = false
  /// When the audio was last found to have no room to wait; `nil` if it has room.
  var audioFullTime: MonotonicTime?
  /// When the next check or the next step of a trace is due.
  var nextStep: MonotonicTime?
  var timing = BroadcastTiming()
  var pacing = BroadcastPacing()
  /// The dialog that a phone shows after an end that the person did not request.
  package var dialog = BroadcastDialog(name: "the app", ios: .newest)
  private var observation: DeviceObservation?
  /// The reasons why no samples are delivered; empty while samples are delivered.
  var pauseReasons: Set<PauseReason> = []
  /// The events that have not happened yet, sorted by time.
  var schedule: [ScheduledEvent]

  /// - Parameters:
  ///   - setupInfo: the values of the extension's setup screen; empty for a start by the system's picker.
  ///   - durationLimit: the time after which the broadcast ends, including pauses; `nil` for no limit.
  ///   - frameLimit: the number of frames after which the broadcast ends; `nil` for no limit.
  ///   - replay: the trace to replay, on a screen whose content has no fixed size.
  ///   - recorder: records the handler's calls.
  ///   - onEvent: called on the main queue.
  package init(
    on device: Device, handler: RPBroadcastSampleHandler, screen: EmulatedScreen, audio: [EmulatedAudio] = [],
    setupInfo: [String: String] = [:], schedule: [ScheduledEvent] = [], durationLimit: Duration? = nil,
    frameLimit: UInt64? = nil, time: DeviceTime = DeviceTime(), replay: TraceReplay? = nil,
    recorder: TraceRecorder? = nil, onEvent: @escaping (Event) -> Void
  ) {
    self.device = device
    self.replay = replay
    self.recorder = recorder
    self.handler = handler
    self.screen = screen
    self.audio = audio
    self.setupInfo = setupInfo
    self.schedule = schedule.sorted { $0.time < $1.time }
    self.durationLimit = durationLimit
    self.frameLimit = frameLimit
    (self.time, frameTimer, checkTimer) = (time, time.makeTimer(.main), time.makeTimer(.main))
    self.onEvent = onEvent
    samplesHeld = HeldSampleCounter(clock: time.clock)
    delivery = SampleDelivery(to: handler, time: time, held: samplesHeld) { [recorder, recordings] in
      recordings.deliver($1, $2)
      recorder?.note($1, $2)
      $0.processSampleBuffer($1, with: $2)
    }
    observation = device.observe { [weak self] _, old, new in
      MainActor.assumeIsolated { self?.deviceChanged(from: old, to: new) }
    }
    device.change { state in
      if let orientation = screen.orientation { state.orientation = orientation.rawValue }
      // The person unlocks the device to start a broadcast.
      state.isLocked = false
    }
    // A call or an audio route may have begun before the broadcast.
    for stream in audio { stream.follow(DeviceState(), device.state) }
  }

  /// Launches the extension. Samples follow unless the handler refuses to start.
  package func start() {
    guard phase == .idle else { return }
    phase = .starting
    launchTime = time.clock.now
    timing.begin(at: launchTime)
    handler.onFinish { [weak self, delivery, recorder] error in
      let ending = error.map { .byExtension($0 as NSError) } ?? BroadcastEnding.gracefullyByExtension
      if delivery.ending == nil { recorder?.note(TraceLine.Call(ending: error as NSError?)) }
      // The handler gets no further call. The current call returns before the broadcast is over.
      delivery.end(with: ending)
      self?.onMain { $0.end(ending) }
    }
    SocketProxy.install()
    System.endOnBrokenPipes()
    CFNotificationCenter.darwinNotifyCenter(of: device).onFirstUse { [weak self] name in
      self?.onMain { system in
        if system.phase != .ended { system.onEvent(.notification(NotificationEvent(name: name))) }
      }
    }
    performFirstEvents()
    nonisolated(unsafe) let setupInfo =
      setupInfo.isEmpty ? nil : setupInfo.mapValues { $0 as NSString as NSObject }
    delivery.call("broadcastStarted") { [recorder, launchTime] in
      recorder?.note(.broadcastStarted, at: launchTime)
      unsafe $0.broadcastStarted(withSetupInfo: setupInfo)
    } completion: { [weak self, clock = time.clock] in
      let time = clock.now
      // The main queue processes the end of a refused broadcast first, so that it never goes live.
      self?.onMain { $0.goLive(startedAt: time) }
    }
    if !schedule.isEmpty { startChecks() }
  }

  /// Runs `body` on the main queue, unless this object has been released.
  nonisolated func onMain(_ body: @escaping @MainActor @Sendable (BroadcastSystem) -> Void) {
    time.enqueue(.main, nil) { [weak self] in MainActor.assumeIsolated { if let self { body(self) } } }
  }

  /// The handler's method that has not returned; `nil` if there is none.
  package nonisolated var openCall: String? { delivery.openCall?.name }

  /// Watches the handler's calls from now on. `report` is called on the watch's thread, before the event `call` is delivered.
  package func watchCalls(on watch: WatchdogThread, report: @escaping @Sendable (CallEvent) -> Void) {
    let work = HandlerWork(SocketProxy.shared(for: device))
    let calls = CallWatchdog(clock: time.clock) { [delivery, main = MainThread()] in
      // The handler's call takes precedence: if it waits for the main thread, it explains more than the main thread.
      delivery.openCall ?? main.openCall()
    } work: {
      work.next()
    } report: { [weak self] event in
      report(event)
      self?.onMain { if $0.phase != .ended { $0.onEvent(.call(event)) } }
    }
    watch.add { calls.check() }
  }

  /// The frames that the handler has received.
  package nonisolated var framesDelivered: UInt64 { delivery.counts(.video).delivered }

  /// Whether the broadcast was to end by now.
  package nonisolated var isEndDue: Bool { endDue.withLock(\.self).map { $0 <= time.clock.now } ?? false }

  /// Counts a misuse, and reports the first one of its kind.
  package func note(_ misuse: HandlerMisuse, held: HeldBuffers? = nil, name: String? = nil) {
    misuses[misuse, default: 0] += 1
    if misuses[misuse] == 1 { onEvent(.misuse(misuse, held: held, name: name)) }
  }

  /// Skips a frame that has no free buffer. The handler is the cause if it holds a buffer and keeps up.
  private func skipFrame(at time: MonotonicTime) {
    let now = screen.heldBuffers(at: time)
    guard now.count > 0, !delivery.isFull(.video) else {
      pacing.dropped.framesBehind += 1
      return
    }
    pacing.dropped.framesHeld += 1
    held = now.larger(than: held)
    note(.kept, held: now)
  }

  /// - Parameter time: when `broadcastStarted` returned.
  private func goLive(startedAt time: MonotonicTime) {
    guard phase == .starting else { return }
    // These events belong to the start, even if the main queue runs late.
    performDueEvents(until: time)
    guard phase == .starting, delivery.ending == nil else { return }
    phase = .live
    timing.begin(at: self.time.clock.now)
    if let durationLimit { endDue.withLock { $0 = $0 ?? timing.start + durationLimit } }
    device.change { $0.captures.insert(.broadcast) }
    onEvent(.started)
    nextStep = time
    guard replay == nil else { return stepTrace() }
    startFrames()
    for stream in audio { stream.start(at: timing.start) }
    if !audio.isEmpty { startChecks() }
    step()
  }

  private func startFrames() {
    frameTimer.startOnMain(every: .seconds(1) / screen.framesPerSecond) { [weak self] in self?.step() }
  }

  func setRate(_ rate: Double) {
    screen.framesPerSecond = rate
    guard phase == .live else { return }
    earlierTicks = ticks
    startFrames()
  }

  /// Checks now and regularly from now on whether audio or an event is due.
  func startChecks() {
    checkTimer.startOnMain(every: EmulatedAudio.checkInterval) { [weak self] in self?.check() }
    check()
  }

  private func check() {
    let now = time.clock.now
    if replay == nil {
      noteDelays(at: now)
      nextStep = now + EmulatedAudio.checkInterval
    }
    if phase == .live, pauseReasons.isEmpty { deliverAudio(until: now) }
    performDueEvents(until: time.clock.now)
    if schedule.isEmpty, audio.isEmpty { checkTimer.cancel() }
  }

  /// Records how late this step is, and how long the handler has waited for a thread and a CPU.
  func noteDelays(at now: MonotonicTime) {
    catchUp.note(now, due: nextStep ?? now, machineDelay: delivery.machineDelay(at: now))
  }

  /// Handles a tick of the frame timer: draws and offers the frames that are due.
  package func step() {
    guard phase == .live else { return }
    let now = time.clock.now
    guard !pauseReasons.contains(.replaydCrash) else { return }
    guard !hasReachedDuration(at: now), pauseReasons.isEmpty, now >= pacing.stillUntil else { return }
    guard pacing.framesToSkip == 0 else {
      pacing.framesToSkip -= 1
      pacing.dropped.framesLeftOut += 1
      return
    }
    pacing.held.append(now)
    guard pacing.held.count >= pacing.burstSize else { return }
    let due = pacing.held
    (pacing.held, pacing.burstSize) = ([], 0)
    for time in due where phase == .live { takeFrame(at: time) }
  }

  /// Ends the broadcast if its duration has passed. Returns whether it has.
  func hasReachedDuration(at now: MonotonicTime) -> Bool {
    guard let durationLimit, timing.elapsed(at: now) >= durationLimit else { return false }
    performDueEvents(until: timing.start + durationLimit)
    end(.durationReached)
    return true
  }

  /// After this time without a frame, the screen draws one even if the handler holds all buffers.
  private static let starvedInterval = Duration.seconds(6)

  /// Draws and offers a frame. Its sample has the time `presentation` (default: `time`).
  func takeFrame(at time: MonotonicTime, presentation: CMTime? = nil) {
    do throws(ScreenContentError) {
      if screen.emptySamples > 0, let sample = try screen.emptySample(framesTaken + 1, at: time) {
        screen.emptySamples -= 1
        guard delivery.offer(sample, .video) else { return }
        framesTaken += 1
        return timing.countFrame(at: time)
      }
      let isStarved = framesTaken > 0 && time - pacing.lastFrame >= Self.starvedInterval
      let drawing = try screen.drawFrame(
        framesTaken + 1, at: time, presentation: presentation, mayAdd: isStarved
      ) { sample, memory in
        guard delivery.offer(sample, .video, memory: memory) else { return false }
        framesTaken += 1
        pacing.lastFrame = time
        timing.countFrame(at: time)
        return true
      }
      if drawing == nil { skipFrame(at: time) }
      if drawing == .ended { end(.endOfContent) }
      if let frameLimit, framesTaken >= frameLimit { end(.framesReached) }
    } catch {
      end(.contentFailed(error))
    }
  }

  /// How long after the end waiting samples are still delivered. It is not known what iOS does with them. Here a handler that
  /// keeps up receives all of them, and a slow handler does not delay the end for each.
  private static let deliveryGrace = Duration.milliseconds(500)

  /// Ends the broadcast, once. The event `finished` follows after the handler's last call has returned.
  func end(_ ending: BroadcastEnding) {
    guard phase == .starting || phase == .live else { return }
    timing.finish(at: time.clock.now)
    endDue.withLock { $0 = time.clock.now }
    if phase == .live, pauseReasons.isEmpty, delivery.ending == nil { finishAudio() }
    phase = .ending
    device.change { $0.captures.remove(.broadcast) }
    frameTimer.cancel()
    checkTimer.cancel()
    if ending.dropsWaitingSamples { delivery.dropSamples(waitingAt: time.clock.now + Self.deliveryGrace) }
    // Not called if the handler ended the broadcast itself.
    delivery.call("broadcastFinished") { [recorder] handler in
      handler.onFinish(nil)
      recorder?.note(.broadcastFinished)
      handler.broadcastFinished()
    } completion: { [weak self, recordings, clock = time.clock] in
      let start = ShutdownWait.Start(at: clock.now)
      recordings.end(at: start.time)
      self?.onMain { system in
        system.lastReturn = start
        system.phase = .ended
        system.handler.onFinish(nil)
        // The handler may have ended the broadcast while another end waited for a call to return.
        let ending = system.delivery.ending ?? ending
        system.onEvent(.finished(ending, system.result(of: ending)))
      }
    }
  }

  private var ticks: (missed: UInt64, late: UInt64) {
    let schedule = frameTimer.schedule
    return (earlierTicks.missed + (schedule?.missed ?? 0), earlierTicks.late + (schedule?.late ?? 0))
  }

  private func result(of ending: BroadcastEnding) -> BroadcastEnd {
    var end = BroadcastEnd(ending, progress)
    let samples = samplesHeld.figures
    (end.framesRead, end.misuses) = (screen.reads.count, misuses.values.reduce(0, +))
    end.audioReads = SoundReads.shared(for: device).count.load(ordering: .relaxed)
    (end.buffersHeld, end.heldSeconds) = (held?.count, held.map { $0.longest / .seconds(1) })
    end.samplesHeld = samples.count
    end.samplesHeldSeconds = samples.count > 0 ? samples.longest / .seconds(1) : nil
    end.dialog = dialog.text(of: ending)
    end.handlerMs = DelayHistogram.Percentiles(delivery.videoTimes)
    return end
  }

  package var progress: BroadcastProgress {
    let (now, video) = (time.clock.now, delivery.counts(.video))
    var total = pacing.dropped
    (total.seconds, total.framesDelivered) = (timing.elapsed(at: now) / .seconds(1), video.delivered)
    total.framesBehind += video.dropped
    total.framesLate += ticks.missed
    total.handlerMs = delivery.videoTime / .milliseconds(1)
    total.handlerMsMax = delivery.longestCall / .milliseconds(1)
    total.machineMs = delivery.machineDelay(at: now) / .milliseconds(1)
    total.screenMs = time.processorDelay() / .milliseconds(1)
    total.sentBytes = SocketProxy.shared(for: device).sentBytes
    var progress = BroadcastProgress(total: total, framesSpan: timing.framesSpan)
    progress.lateTicks = ticks.late
    progress.audioDropped = audio.reduce(delivery.counts(.audio).dropped) { $0 + $1.packetsSkipped }
    progress.paused = timing.paused(at: now)
    return progress
  }
}
