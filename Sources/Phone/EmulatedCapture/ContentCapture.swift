import CommandLineSupport
import CoreMedia
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import ScreenCapture

/// The system's side of ScreenCaptureKit: shows the picker, and delivers the screen and the audio to the app's stream.
///
/// ```swift
/// let capture = ContentCapture(on: device, screen: screen, onEvent: { event in … })
/// capture.install()   // becomes the system of SCContentSharingPicker.shared
/// ```
/// Docs/ScreenCaptureKit.md lists the known and the unknown behaviour of a phone.
@MainActor
package final class ContentCapture {
  /// The reason why a running stream delivers no frames.
  enum PauseReason { case lock, background }

  typealias Delivery = SampleDelivery<ContentStream.Output>

  struct Running {
    let stream: ContentStream
    var deliveries: [ObjectIdentifier: (output: ContentStream.Output, delivery: Delivery)] = [:]
  }

  package let screen: EmulatedScreen
  package let device: Device
  package nonisolated let time: DeviceTime
  let native: PixelSize
  let behaviour: Behaviour
  let content: AudioContent?
  package let onEvent: @MainActor (CaptureUpdate) -> Void
  let frameTimer: any RepeatingTimer
  let audioTimer: any RepeatingTimer
  let observers = DispatchQueue(label: "com.apple.ScreenCaptureKit.picker")
  var running: Running?
  /// The number of frames that were offered to outputs.
  private var frames: UInt64 = 0
  private let framesGot = DeliveredFrames()
  /// The statistics without the running stream.
  var earlier = CaptureFigures()
  var audio: [EmulatedAudio] = []
  var pauseReasons: Set<PauseReason> = []
  var stillUntil = MonotonicTime.zero
  private var observation: DeviceObservation?
  package var requestStart: @MainActor () -> Void = {}

  /// - Parameters:
  ///   - content: the source of audio and microphone; `nil` for silence.
  ///   - onEvent: called on the main queue.
  package init(
    on device: Device, screen: EmulatedScreen, behaviour: Behaviour = Behaviour(),
    content: AudioContent? = nil, time: DeviceTime = DeviceTime(),
    onEvent: @escaping @MainActor (CaptureUpdate) -> Void = { _ in }
  ) {
    self.device = device
    self.screen = screen
    self.behaviour = behaviour
    self.content = content
    self.onEvent = onEvent
    native = screen.content.size
    screen.attachesOrientation = false
    screen.keepsRetainedPictures = true
    (self.time, frameTimer, audioTimer) = (time, time.makeTimer(.main), time.makeTimer(.main))
    observation = device.observe { [weak self] _, old, new in
      MainActor.assumeIsolated { self?.deviceChanged(from: old, to: new) }
    }
    if let orientation = screen.orientation { device.change { $0.orientation = orientation.rawValue } }
  }

  private func deviceChanged(from old: DeviceState, to new: DeviceState) {
    screen.orientation = CGImagePropertyOrientation(rawValue: new.orientation)
    for stream in audio { stream.follow(old, new) }
  }

  /// Becomes the system of a picker. The picker keeps a weak reference.
  package func install(behind picker: SCContentSharingPicker = .shared) {
    System.endOnBrokenPipes()
    picker.attach(self)
  }

  package var isRunning: Bool { running != nil }

  package var figures: CaptureFigures {
    var figures = earlier
    for (_, delivery) in (running?.deliveries ?? [:]).values { figures.add(delivery) }
    // A frame counts once, even if several outputs receive it.
    (figures.framesDelivered, figures.framesDropped) = (framesGot.count, earlier.framesDropped)
    return figures
  }

  // MARK: Events

  /// Ends the stream on behalf of the person or the system. Throws if no stream runs.
  func end(_ code: SCStreamError.Code, _ text: String) throws(EventRefusal) {
    guard endStream(code, text) else { throw EventRefusal("No stream runs.") }
  }

  /// Ends the stream. Returns `false` if none runs.
  @discardableResult
  private func endStream(_ code: SCStreamError.Code, _ text: String) -> Bool {
    guard let ended = endDelivery() else { return false }
    earlier.endingCode = code.rawValue
    if !ended.stream.end(with: SCStreamError(code, text)) { earlier.endsUnheard += 1 }
    return true
  }

  /// Stops the samples for `reason`, until no reason is left. Returns `false` if `reason` is present already.
  @discardableResult
  func pause(for reason: PauseReason) -> Bool {
    guard pauseReasons.insert(reason).inserted else { return false }
    guard pauseReasons.count == 1 else { return true }
    running?.stream.become(active: false)
    offerStatus(.suspended)
    return true
  }

  /// Removes `reason`, and delivers samples again if it was the last. Returns whether `reason` was present.
  @discardableResult
  func resume(from reason: PauseReason) -> Bool {
    guard pauseReasons.remove(reason) != nil else { return false }
    guard pauseReasons.isEmpty else { return true }
    for stream in audio { stream.skip(to: time.clock.now) }
    running?.stream.become(active: true)
    return true
  }

  /// Moves the app to the background.
  func enterBackground() throws(EventRefusal) {
    guard !isInBackground else { throw EventRefusal("The app is in the background already.") }
    defer { device.change { $0.app.note(.background) } }
    guard let stream = running?.stream else { return }
    guard behaviour.backgroundModes.hasCapture else {
      return try end(.missingBackgroundMode, "UIBackgroundModes has no screen-capture.")
    }
    if stream.style == .window { pause(for: .background) }
    if !behaviour.backgroundModes.hasAudio { audio.first { $0.type == .audioMic }?.end() }
  }

  func enterForeground() throws(EventRefusal) {
    guard isInBackground else { throw EventRefusal("The app is in the foreground already.") }
    device.change { $0.app.note(.foreground) }
    resume(from: .background)
    if let microphone = audio.first(where: { $0.type == .audioMic }), !microphone.isOn,
      device.state.call == nil
    {
      microphone.begin(at: time.clock.now)
    }
  }

  // MARK: Frames

  /// Handles a tick of the frame timer: delivers the next frame, or the status that the screen is unchanged.
  package func step() {
    guard pauseReasons.isEmpty else { return }
    let now = time.clock.now
    let deliveries = deliveries(.screen)
    if let running, running.stream.outputs.isEmpty { earlier.framesWithoutOutput += 1 }
    guard !deliveries.isEmpty else { return }
    guard now >= stillUntil else { return offerStatus(behaviour.deliversIdle ? .idle : nil) }
    let isBlank = now < screen.protectedUntil
    do throws(ScreenContentError) {
      let drawing = try screen.drawFrame(frames + 1, at: now) { sample, memory in
        attach(isBlank ? .blank : .complete, to: sample, at: now)
        var isTaken = false
        for (index, delivery) in deliveries.enumerated() {
          if delivery.offer(sample, .video, memory: index == 0 ? memory : nil) { isTaken = true }
        }
        if isTaken { frames += 1 } else { earlier.framesDropped += 1 }
        return isTaken
      }
      if drawing == nil { earlier.framesDropped += 1 }
      if drawing == .unchanged, behaviour.deliversIdle { offerStatus(.idle) }
      if drawing == .ended { endContent(nil) }
    } catch {
      endContent(error)
    }
  }

  private func endContent(_ error: ScreenContentError?) {
    // Report this first, because the program may exit when the stream ends.
    onEvent(.endOfContent(error))
    endStream(.systemStoppedStream, error.map { "\($0)." } ?? "The content has ended.")
  }

  /// Delivers a sample without an image.
  private func offerStatus(_ status: SCFrameStatus?) {
    guard let status else { return }
    let now = time.clock.now
    let sample = CMSampleBuffer.withoutData(at: CMTime(now))
    attach(status, to: sample, at: now)
    for delivery in deliveries(.screen) { _ = delivery.offer(sample, .video) }
  }

  // MARK: Audio

  func deliverAudio() {
    guard running != nil, pauseReasons.isEmpty else { return }
    let now = time.clock.now
    for stream in audio {
      let deliveries = deliveries(stream.type == .audioMic ? .microphone : .audio)
      let room = deliveries.map { $0.room(for: .audio) }.max() ?? 0
      for sample in stream.samples(until: now, atMost: room) {
        for delivery in deliveries { _ = delivery.offer(sample, stream.type) }
      }
    }
  }

  /// Returns the deliveries to the outputs of a kind. The app can add and remove outputs at any time.
  private func deliveries(_ type: SCStreamOutputType) -> [Delivery] {
    guard let stream = running?.stream else { return [] }
    return stream.outputs.filter { $0.type == type }.map { output in
      let id = ObjectIdentifier(output)
      if let (_, delivery) = running?.deliveries[id] { return delivery }
      let delivery = Delivery(to: output, on: output.queue, time: time) { [framesGot] output, sample, type in
        framesGot.note(sample, type)
        output.deliver(sample)
      }
      running?.deliveries[id] = (output, delivery)
      return delivery
    }
  }

  /// Ends the delivery, and drops the waiting samples. Returns the stream that was running, if any.
  func endDelivery() -> Running? {
    guard let ended = running else { return nil }
    for (_, delivery) in ended.deliveries.values { delivery.end(with: .bySystem) }
    device.change { $0.captures.remove(.stream) }
    earlier = figures
    frameTimer.cancel()
    audioTimer.cancel()
    running = nil
    pauseReasons.remove(.background)
    return ended
  }
}
