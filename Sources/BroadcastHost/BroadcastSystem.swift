import CoreMedia
import Foundation
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
/// no call before the last one has returned, until somebody ends it. All calls come on the main actor.
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

  private enum Phase { case idle, starting, live, paused, over }

  private let handler: RPBroadcastSampleHandler
  private let screen: EmulatedScreen
  private let framesPerSecond: Double
  private let limits: Limits
  private let timer: any RepeatingTimer
  private let now: () -> UInt64
  private let onEvent: (Event) -> Void

  private var phase = Phase.idle
  private var framesProduced: UInt64 = 0
  private var startTime: UInt64 = 0
  private var pauseTime: UInt64 = 0
  private var nanosecondsPaused: UInt64 = 0
  /// When the latest frame was taken, moved on by the pauses since; and the time from the first frame to it
  /// without pauses.
  private var lastFrameTime: UInt64?
  private var nanosecondsOfFrames: UInt64 = 0

  /// A broadcast that has not begun.
  ///
  /// - Parameters:
  ///   - timer: ticks on the main queue, once per frame.
  ///   - now: monotonic nanoseconds; the capture time of the frames.
  public init(
    handler: RPBroadcastSampleHandler, screen: EmulatedScreen, framesPerSecond: Double,
    limits: Limits = Limits(),
    timer: any RepeatingTimer = DispatchTimer(queue: .main),
    now: @escaping () -> UInt64 = { MonotonicTime.now },
    onEvent: @escaping (Event) -> Void
  ) {
    self.handler = handler
    self.screen = screen
    self.framesPerSecond = framesPerSecond
    self.limits = limits
    self.timer = timer
    self.now = now
    self.onEvent = onEvent
  }

  /// Launches the extension. Samples follow unless it refuses.
  public func start() {
    guard phase == .idle else { return }
    phase = .starting
    startTime = now()
    handler.onFinish { [weak self] error in
      let error = error as NSError
      // ReplayKit lets a call that is under way return before it ends the broadcast.
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.end(.byExtension(error)) } }
    }
    handler.broadcastStarted(withSetupInfo: nil)
    // Behind what a refusal has put into the queue, so that a broadcast that was refused never starts.
    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.goLive() } }
  }

  /// Stops delivering, as the system does when the person locks the device or taps the red mark.
  public func pause() {
    guard phase == .live else { return }
    phase = .paused
    pauseTime = now()
    handler.broadcastPaused()
    onEvent(.paused)
  }

  /// Delivers again.
  public func resume() {
    guard phase == .paused else { return }
    phase = .live
    let pause = Self.span(from: pauseTime, to: now())
    nanosecondsPaused += pause
    lastFrameTime = lastFrameTime.map { $0 &+ pause }
    handler.broadcastResumed()
    onEvent(.resumed)
  }

  /// Ends the broadcast as the system does when the person stops it: `broadcastFinished()`.
  public func stop() { end(.bySystem) }

  /// How far it has come.
  public var progress: BroadcastReport.Progress { progress(at: now()) }

  /// Delivers the next frame, if one is due and there is one: one tick of the timer.
  public func step() {
    guard phase == .live || phase == .paused else { return }
    let time = now()
    let elapsed = Duration.nanoseconds(Int64(clamping: Self.span(from: startTime, to: time)))
    if let duration = limits.duration, elapsed >= duration { return end(.durationReached) }
    guard phase == .live else { return }
    do {
      let (drawing, sample) = try screen.nextSample(frame: framesProduced + 1, time: time)
      if let sample {
        framesProduced += 1
        countTime(to: time)
        handler.processSampleBuffer(sample, with: .video)
      }
      if drawing == .ended {
        end(.endOfContent)
      } else if let frames = limits.frames, framesProduced >= frames {
        end(.framesReached)
      }
    } catch {
      end(.contentFailed(error))
    }
  }

  private func goLive() {
    guard phase == .starting else { return }
    phase = .live
    startTime = now()
    onEvent(.started)
    timer.start(every: .seconds(1) / framesPerSecond) { [weak self] in
      MainActor.assumeIsolated { self?.step() }
    }
    step()
  }

  private func end(_ ending: BroadcastEnding) {
    guard phase != .over, phase != .idle else { return }
    let time = now()
    if phase == .paused { nanosecondsPaused += Self.span(from: pauseTime, to: time) }
    phase = .over
    timer.cancel()
    handler.onFinish(nil)
    if case .byExtension = ending {} else { handler.broadcastFinished() }
    onEvent(.finished(BroadcastReport(ending: ending, progress: progress(at: time))))
  }

  /// Adds the time since the frame before.
  private func countTime(to time: UInt64) {
    if let lastFrameTime { nanosecondsOfFrames += Self.span(from: lastFrameTime, to: time) }
    lastFrameTime = time
  }

  private func progress(at time: UInt64) -> BroadcastReport.Progress {
    let pause = phase == .paused ? Self.span(from: pauseTime, to: time) : 0
    return BroadcastReport.Progress(
      framesProduced: framesProduced, framesDropped: timer.schedule?.missed ?? 0,
      lateTicks: timer.schedule?.late ?? 0, seconds: Double(Self.span(from: startTime, to: time)) / 1e9,
      secondsPaused: Double(nanosecondsPaused + pause) / 1e9,
      secondsOfFrames: Double(nanosecondsOfFrames) / 1e9)
  }

  /// The nanoseconds between two looks at the clock; 0 for a clock that went back.
  private static func span(from start: UInt64, to end: UInt64) -> UInt64 { end - min(start, end) }
}
