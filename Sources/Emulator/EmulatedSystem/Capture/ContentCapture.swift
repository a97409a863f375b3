import CommandLineSupport
import CoreMedia
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import ScreenCapture

/// The system's side of ScreenCaptureKit: shows the picker, and delivers screen and audio to the app's stream.
///
/// ```swift
/// let capture = ContentCapture(screen: screen, onEvent: { event in … })
/// capture.install()   // becomes the system of SCContentSharingPicker.shared
/// ```
/// Docs/ScreenCaptureKit.md says what is known of a phone and what is not.
@MainActor
package final class ContentCapture {
  /// What a capture reports while it runs.
  package enum Event: Sendable {
    case happened(SystemEvent<ContentCapture>)
    case refused(SystemEvent<ContentCapture>, String)
    /// The app showed the picker, and what came of it.
    case picker(String)
    /// The screen's content has ended, with its error if it failed.
    case endOfContent(ScreenContentError?)
  }

  /// The phone and the person.
  package struct Behaviour: Equatable, Sendable {
    package var answer = PickerAnswer.display
    /// How long the person takes to answer.
    package var answerDelay = Duration.zero
    /// Whether the person turns the microphone on, where the picker shows its control.
    package var turnsMicrophoneOn = false
    package var backgroundModes = BackgroundModes.all
    /// Whether samples with the status `idle` come while the screen does not change.
    package var deliversIdle = true
    /// The pixels of a point.
    package var scale = 3.0

    package init() {}
  }

  /// The values of `UIBackgroundModes` that concern a capture.
  package enum BackgroundModes: String, CaseIterable, Sendable {
    case all, none
    case screenCapture = "screen-capture"
    case audio

    var hasCapture: Bool { self == .all || self == .screenCapture }
    var hasAudio: Bool { self == .all || self == .audio }
  }

  /// What was delivered to the outputs of all streams.
  package struct Figures: Sendable {
    package var framesDelivered: UInt64 = 0
    /// Frames of the screen that no output got: five waited already, or no buffer was free.
    package var framesDropped: UInt64 = 0
    package var audioDelivered: UInt64 = 0
    package var audioDropped: UInt64 = 0
    /// How long the outputs' calls with a frame took.
    package var handlerTimes = DelayHistogram()
    /// The code of the error that ended the last stream; `nil` if none did.
    package var ending: SCStreamError.Code?
    /// The streams that started.
    package var starts = 0

    package init() {}
  }

  /// Why no frames come although the stream runs.
  enum PauseReason { case lock, background }

  typealias Delivery = SampleDelivery<ContentStream.Output>

  private struct Running {
    let stream: ContentStream
    var deliveries: [ObjectIdentifier: (output: ContentStream.Output, delivery: Delivery)] = [:]
  }

  let screen: EmulatedScreen
  let time: DeviceTime
  private let native: PixelSize
  private let behaviour: Behaviour
  private let content: [RPSampleBufferType: any AudioContent]
  private let recorder: TraceRecorder?
  private let onEvent: @MainActor (Event) -> Void
  private let frameTimer: any RepeatingTimer
  private let audioTimer: any RepeatingTimer
  private let observers = DispatchQueue(label: "com.apple.ScreenCaptureKit.picker")
  private var running: Running?
  private var frames: UInt64 = 0
  /// The figures without those of the running stream.
  private var earlier = Figures()
  var audio: [EmulatedAudio] = []
  var pauseReasons: Set<PauseReason> = []
  var isInBackground = false
  var stillUntil = MonotonicTime.zero
  var isInCall = false
  /// The app requests a capture, for the event `start-again`.
  package var requestStart: @MainActor () -> Void = {}

  /// - Parameters:
  ///   - content: what is played and recorded; silence without it.
  ///   - recorder: records the samples that the first output of each kind gets.
  ///   - onEvent: called on the main queue.
  package init(
    screen: EmulatedScreen, behaviour: Behaviour = Behaviour(),
    content: [RPSampleBufferType: any AudioContent] = [:], time: DeviceTime = DeviceTime(),
    recorder: TraceRecorder? = nil,
    onEvent: @escaping @MainActor (Event) -> Void = { _ in }
  ) {
    (self.screen, self.behaviour, self.content, self.onEvent) = (screen, behaviour, content, onEvent)
    self.recorder = recorder
    native = screen.content.size
    screen.attachesOrientation = false
    screen.keepsRetainedPictures = true
    (self.time, frameTimer, audioTimer) = (time, time.makeTimer(.main), time.makeTimer(.main))
  }

  /// Becomes the system of a picker, which holds it weakly.
  package func install(behind picker: SCContentSharingPicker = .shared) { picker.attach(self) }

  /// Whether a stream runs.
  package var isRunning: Bool { running != nil }

  package var figures: Figures {
    var figures = earlier
    for (output, delivery) in running?.deliveries.values.map({ ($0.output, $0.delivery) }) ?? [] {
      figures.add(delivery, of: output.type)
    }
    figures.framesDelivered = frames
    return figures
  }

  // MARK: Events

  /// Makes an event happen now, and reports it or its refusal. Returns the reason of a refusal, else `nil`.
  @discardableResult
  package func perform(_ event: SystemEvent<ContentCapture>) -> String? {
    do throws(EventRefusal) {
      try event.happen(self)
      onEvent(.happened(event))
      return nil
    } catch {
      onEvent(.refused(event, error.reason))
      return error.reason
    }
  }

  /// Ends the stream for the person or the system.
  func end(_ code: SCStreamError.Code, _ text: String) throws(EventRefusal) {
    guard let stream = running?.stream else { throw EventRefusal("No stream runs.") }
    stopTimers()
    earlier.ending = code
    stream.end(with: SCStreamError(code, text))
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

  /// The app leaves the screen.
  func enterBackground() throws(EventRefusal) {
    guard !isInBackground else { throw EventRefusal("The app is in the background already.") }
    isInBackground = true
    guard let stream = running?.stream else { return }
    guard behaviour.backgroundModes.hasCapture else {
      return try end(.missingBackgroundMode, "UIBackgroundModes has no screen-capture.")
    }
    if stream.style == .window { pause(for: .background) }
    if !behaviour.backgroundModes.hasAudio { audio.first { $0.type == .audioMic }?.end() }
  }

  func enterForeground() throws(EventRefusal) {
    guard isInBackground else { throw EventRefusal("The app is in the foreground already.") }
    isInBackground = false
    resume(from: .background)
    if let microphone = audio.first(where: { $0.type == .audioMic }), !microphone.isOn, !isInCall {
      microphone.begin(at: time.clock.now)
    }
  }

  // MARK: Frames

  /// Delivers the next frame, or the status that the screen did not change: one tick of the timer.
  package func step() {
    guard running != nil, pauseReasons.isEmpty else { return }
    let now = time.clock.now
    let deliveries = deliveries(.screen)
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
    // This comes first, because the program may end with the stream.
    onEvent(.endOfContent(error))
    guard let stream = running?.stream else { return }
    stopTimers()
    stream.end(with: SCStreamError(.systemStoppedStream, error.map { "\($0)." } ?? "The content has ended."))
  }

  /// Delivers a sample without a picture.
  private func offerStatus(_ status: SCFrameStatus?) {
    guard let status else { return }
    let now = time.clock.now
    let sample = CMSampleBuffer.withoutData(at: CMTime(now))
    attach(status, to: sample, at: now)
    for delivery in deliveries(.screen) { _ = delivery.offer(sample, .video) }
  }

  private func attach(_ status: SCFrameStatus, to sample: CMSampleBuffer, at time: MonotonicTime) {
    guard
      let dictionary = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)?.first
        as? NSMutableDictionary
    else { return }
    let size = screen.content.size
    let (width, height) = (Double(size.width) / behaviour.scale, Double(size.height) / behaviour.scale)
    let screenRect = CGRect(
      x: 0, y: 0, width: Double(native.width) / behaviour.scale,
      height: Double(native.height) / behaviour.scale
    )
    let values: [SCStreamFrameInfo: Any] = [
      .status: status.rawValue as NSNumber, .displayTime: (time.nanoseconds * 3 / 125) as NSNumber,
      .scaleFactor: behaviour.scale as NSNumber,
      .contentScale: (Double(size.width) / Double(native.width)) as NSNumber,
      .contentRect: CGRect(x: 0, y: 0, width: width, height: height).dictionaryRepresentation,
      .screenRect: screenRect.dictionaryRepresentation,
      .videoOrientation: (screen.orientation ?? .up).rawValue as NSNumber,
    ]
    for (key, value) in values { dictionary[key] = value }
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

  /// The deliveries to the outputs of a kind, which the app may add and remove at any time.
  private func deliveries(_ type: SCStreamOutputType) -> [Delivery] {
    guard let stream = running?.stream else { return [] }
    return stream.outputs.filter { $0.type == type }.enumerated().map { index, output in
      let id = ObjectIdentifier(output)
      if let (_, delivery) = running?.deliveries[id] { return delivery }
      let recorder = index == 0 ? recorder : nil
      let delivery = Delivery(to: output, on: output.queue, time: time) { output, sample, type in
        recorder?.note(sample, type, orientation: sample.streamOrientation)
        output.deliver(sample)
      }
      running?.deliveries[id] = (output, delivery)
      return delivery
    }
  }

  private func stopTimers() {
    earlier = figures
    frameTimer.cancel()
    audioTimer.cancel()
    running = nil
    pauseReasons.remove(.background)
  }
}

extension ContentCapture: ContentCaptureSystem {
  package nonisolated func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    time.enqueue(queue, nil, body)
  }

  package nonisolated func onMain(_ body: @escaping @MainActor @Sendable (any ContentCaptureSystem) -> Void) {
    time.enqueue(.main, nil) { MainActor.assumeIsolated { body(self) } }
  }

  package func present(
    _ picker: SCContentSharingPicker, _ request: SCContentSharingPicker.Request,
    _ configuration: SCContentSharingPickerConfiguration, isActive: Bool
  ) {
    guard isActive else {
      return onEvent(.picker("The picker is not active, and shows nothing: set isActive."))
    }
    let answer = behaviour.answer
    let isApp = request == .app || (request == .any && answer == .app)
    let result = answer == .display && isApp ? "app" : answer.rawValue
    onEvent(.picker("The person gets the picker\(answer == .unanswered ? "" : ": \(result)")."))
    let filter = SCContentFilter(
      style: isApp ? .window : .display, pointPixelScale: Float(behaviour.scale),
      contentRect: CGRect(
        x: 0, y: 0, width: Double(native.width) / behaviour.scale,
        height: Double(native.height) / behaviour.scale),
      isMicrophoneEnabled: behaviour.turnsMicrophoneOn && configuration.showsMicrophoneControl, system: self)
    nonisolated(unsafe) let chosen = filter
    after(behaviour.answerDelay) { [self] in
      run(on: observers) {
        switch answer {
        case .display, .app: unsafe picker.choose(chosen)
        case .cancel: picker.cancel()
        case .fails: picker.fail(with: SCStreamError(.failedToStart, "The picker could not be shown."))
        case .declined: picker.fail(with: SCStreamError(.userDeclined, "The person did not allow it."))
        case .unanswered: break
        }
      }
    }
  }

  private func after(_ delay: Duration, _ body: @escaping @MainActor @Sendable () -> Void) {
    guard delay > .zero else { return body() }
    let timer = time.makeTimer(.main)
    timer.start(every: delay) {
      timer.cancel()
      MainActor.assumeIsolated { body() }
    }
  }

  package func start(_ stream: ContentStream, completion: @escaping @MainActor (SCStreamError?) -> Void) {
    guard running == nil else { return completion(SCStreamError(.failedToStart, "Another stream runs.")) }
    guard !isInBackground || behaviour.backgroundModes.hasCapture else {
      return completion(SCStreamError(.missingBackgroundMode, "UIBackgroundModes has no screen-capture."))
    }
    let size = PixelSize(
      width: stream.format.width > 0 ? min(stream.format.width, native.width) : native.width,
      height: stream.format.height > 0 ? min(stream.format.height, native.height) : native.height)
    do throws(ScreenContentError) {
      if size != screen.content.size, try !screen.resize(to: size) {
        return completion(SCStreamError(.notSupported, "A clip has a size of its own, \(native)."))
      }
    } catch {
      return completion(SCStreamError(.failedToStart, "\(error)."))
    }
    running = Running(stream: stream)
    earlier.starts += 1
    earlier.ending = nil
    audio = streams(of: stream)
    for stream in audio { stream.start(at: time.clock.now) }
    completion(nil)
    frameTimer.start(every: .seconds(1) / screen.framesPerSecond) { [weak self] in
      MainActor.assumeIsolated { self?.step() }
    }
    audioTimer.start(every: AudioCatchUp.checkInterval) { [weak self] in
      MainActor.assumeIsolated { self?.deliverAudio() }
    }
    step()
  }

  private func streams(of stream: ContentStream) -> [EmulatedAudio] {
    var streams: [EmulatedAudio] = []
    if let audio = stream.format.audio {
      streams.append(
        EmulatedAudio(
          type: .audioApp, content: content[.audioApp],
          format: .ofStream(sampleRate: audio.sampleRate, channelCount: audio.channelCount),
          framesPerPacket: audio.sampleRate / 50))
    }
    if stream.isMicrophoneEnabled {
      streams.append(EmulatedAudio(type: .audioMic, content: content[.audioMic]))
    }
    return streams
  }

  package func stop(_ stream: ContentStream, completion: @escaping @MainActor () -> Void) {
    guard let running, running.stream === stream else { return completion() }
    stopTimers()
    Self.wait(for: running.deliveries.values.map(\.delivery), time, completion)
  }

  /// Calls `completion` on the main queue when the calls that were begun have ended.
  private static func wait(
    for deliveries: [Delivery], _ time: DeviceTime,
    _ completion: @escaping @MainActor @Sendable () -> Void
  ) {
    guard let delivery = deliveries.last else { return completion() }
    delivery.end(with: .bySystem)
    delivery.call { _ in
    } completion: {
      time.enqueue(.main, nil) {
        MainActor.assumeIsolated { wait(for: deliveries.dropLast(), time, completion) }
      }
    }
  }
}

extension ContentCapture.Figures {
  fileprivate mutating func add(_ delivery: ContentCapture.Delivery, of type: SCStreamOutputType) {
    if type == .screen {
      handlerTimes.add(delivery.videoTimes)
    } else {
      let counts = delivery.counts(.audio)
      audioDelivered += counts.delivered
      audioDropped += counts.dropped
    }
  }
}

extension CMSampleBuffer {
  /// The orientation that ScreenCaptureKit attaches.
  fileprivate var streamOrientation: CGImagePropertyOrientation? {
    let dictionary = CMSampleBufferGetSampleAttachmentsArray(self, createIfNecessary: false)?.first
    let number = (dictionary as? NSDictionary)?[SCStreamFrameInfo.videoOrientation] as? NSNumber
    return number.flatMap { CGImagePropertyOrientation(rawValue: $0.uint32Value) }
  }
}

/// What the person does with the picker, or the system.
package enum PickerAnswer: String, CaseIterable, Sendable {
  /// The person chooses the whole display, or the app where the app asks for that alone.
  case display
  /// The person chooses the app, where there is a choice.
  case app
  case cancel, declined
  /// The picker cannot be shown.
  case fails
  case unanswered
}
