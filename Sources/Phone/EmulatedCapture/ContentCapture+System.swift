import CommandLineSupport
import CoreMedia
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import ScreenCapture

extension ContentCapture: ContentCaptureSystem {
  package nonisolated func onMain(_ body: @escaping @MainActor @Sendable (any ContentCaptureSystem) -> Void) {
    time.enqueue(.main, nil) { MainActor.assumeIsolated { body(self) } }
  }

  package func present(
    _ picker: SCContentSharingPicker, _ request: SCContentSharingPicker.Request,
    _ configuration: SCContentSharingPickerConfiguration, isActive: Bool
  ) {
    guard isActive else {
      return onEvent(.asked("The picker is not active, and shows nothing: set isActive."))
    }
    let answer = behaviour.answer
    let isApp = request == .app || (request == .any && answer == .app)
    let result = answer == .display && isApp ? "app" : answer.rawValue
    onEvent(.asked("The person gets the picker\(answer == .unanswered ? "" : ": \(result)")."))
    let filter = SCContentFilter(
      style: isApp ? .window : .display, pointPixelScale: Float(scale),
      contentRect: points(native),
      isMicrophoneEnabled: behaviour.turnsMicrophoneOn && configuration.showsMicrophoneControl, system: self)
    nonisolated(unsafe) let chosen = filter
    after(behaviour.answerDelay) { [self] in
      run(on: observers) {
        switch answer {
        case .display, .app: unsafe picker.choose(chosen)
        case .cancel: picker.cancel()
        case .fails: picker.fail(with: SCStreamError(.failedToStart, "The picker could not be shown."))
        case .declined: picker.fail(with: SCStreamError(.userDeclined, "The person declined the capture."))
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
    guard !device.state.isLocked else {
      return completion(SCStreamError(.failedToStart, "The device is locked."))
    }
    guard !isInBackground || behaviour.backgroundModes.hasCapture else {
      return completion(SCStreamError(.missingBackgroundMode, "UIBackgroundModes has no screen-capture."))
    }
    let size = PixelSize(
      width: stream.format.width > 0 ? min(stream.format.width, native.width) : native.width,
      height: stream.format.height > 0 ? min(stream.format.height, native.height) : native.height)
    do throws(ScreenContentError) {
      if size != screen.content.size, try !screen.resize(to: size) {
        return completion(SCStreamError(.notSupported, "A clip has a fixed size, \(native)."))
      }
    } catch {
      return completion(SCStreamError(.failedToStart, "\(error)."))
    }
    running = Running(stream: stream)
    device.change { $0.captures.insert(.stream) }
    earlier.starts += 1
    earlier.endingCode = nil
    audio = streams(of: stream)
    for stream in audio {
      stream.follow(DeviceState(), device.state)
      stream.start(at: time.clock.now)
    }
    completion(nil)
    frameTimer.startOnMain(every: .seconds(1) / screen.framesPerSecond) { [weak self] in self?.step() }
    audioTimer.startOnMain(every: EmulatedAudio.checkInterval) { [weak self] in self?.deliverAudio() }
    step()
  }

  private func streams(of stream: ContentStream) -> [EmulatedAudio] {
    var streams: [EmulatedAudio] = []
    if let audio = stream.format.audio {
      streams.append(
        EmulatedAudio(
          type: .audioApp, content: content,
          format: .ofStream(sampleRate: audio.sampleRate, channelCount: audio.channelCount),
          framesPerPacket: audio.sampleRate / 50))
    }
    if stream.isMicrophoneEnabled {
      streams.append(EmulatedAudio(type: .audioMic, content: content))
    }
    return streams
  }

  package func stop(_ stream: ContentStream, completion: @escaping @MainActor () -> Void) {
    guard running?.stream === stream, let ended = endDelivery() else { return completion() }
    Self.wait(for: ended.deliveries.values.map(\.delivery), time, completion)
  }
}
