import CommandLineSupport
import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import RunReports
import ScreenCapture

/// Runs the emulated system and the app in this process.
@MainActor
final class CaptureAppProcess {
  private let program: Program<CaptureAppOptions>
  private let console: Console
  private let lines: JSONLines?
  private let startTime = SystemClock().now
  private let signals = SignalSources(queue: .main)
  private let framework: CaptureFramework
  private var system: (any CaptureSystem)?
  private var failure: ProgramFailure?

  init(
    _ options: CaptureAppOptions, program: Program<CaptureAppOptions>, start: @escaping @MainActor () -> Void
  ) throws(ProgramFailure) {
    let device = Device(options.capture.screen.identity, role: .app, denied: options.capture.screen.denied)
    Device.install(device)
    (self.program, console, lines) = (program, options.common.console(), options.common.jsonLines)
    framework = options.capture.framework
    var capture = options.capture
    if let path = options.infoPlist { capture.behaviour.backgroundModes = try Self.modes(in: path) }
    system = try capture.makeSystem(on: device, content: EmulatedAudio.tone(), signals: signals) {
      [weak self] in
      self?.report($0)
    }
    system?.requestStart = start
    for number in SignalSources.requestsToEnd {
      signals.handle(number) { [weak self] in MainActor.assumeIsolated { self?.end() } }
    }
    if let duration = options.duration { MainQueue.run(after: duration) { [weak self] in self?.end() } }
    DispatchQueue.main.async { MainActor.assumeIsolated { start() } }
  }

  /// Adds the values of an Info.plist to the main bundle, and returns its background modes.
  private static func modes(in path: String) throws(ProgramFailure) -> ContentCapture.BackgroundModes {
    let values = try PropertyListFile.dictionary(path)
    MainBundle.addInfoPlist(ofApp: values)
    return .init(values["UIBackgroundModes"] as? [String] ?? [])
  }

  private func report(_ event: CaptureUpdate) {
    switch event {
    case .happened(let event): say(.happened, event)
    case .refused(let event, let reason): say(.refused, "\(event): \(reason)")
    case .asked(let text): say(framework == .replaykit ? .asked : .picker, text)
    case .endOfContent(let error):
      failure = error.map { ProgramFailure($0) }
      end()
    }
  }

  private func say(_ kind: CaptureAppEvent.Kind, _ text: String) {
    console.say(text)
    lines?.write(CaptureAppEvent(kind: kind, text: text), reportingTo: console, as: program.name)
  }

  private func end() {
    let event = CapturedEvent(system?.figures ?? CaptureFigures(), duration: SystemClock().now - startTime)
    console.say(event.text(of: framework))
    lines?.write(event, reportingTo: console, as: program.name)
    program.exit(failure)
  }
}

/// A phone event that happened or was refused, or a question to the person.
struct CaptureAppEvent: JSONEvent {
  static let event = "phone"
  enum Kind: String, Encodable { case happened, refused, picker, asked }
  let kind: Kind
  let text: String
}

/// The statistics of a capture, written at its end.
struct CapturedEvent: JSONEvent {
  static let event = "captured"
  let framesDelivered: UInt64
  let framesDropped: UInt64
  let audioDelivered: UInt64
  let audioDropped: UInt64
  /// Frames and audio packets.
  let samplesDelivered: UInt64
  let starts: Int
  /// Whether the streams had no output of any kind for more than 60 frames (a second).
  let lacksOutput: Bool
  /// How many streams ended without a delegate that is notified.
  let endsUnheard: Int
  /// The code of the error that ended the last capture.
  let endingCode: Int?
  /// The durations of the app's calls with a frame, in milliseconds.
  let handlerMs: DelayHistogram.Percentiles
  let seconds: Double

  init(_ figures: CaptureFigures, duration: Duration) {
    (framesDelivered, framesDropped) = (figures.framesDelivered, figures.framesDropped)
    (audioDelivered, audioDropped) = (figures.audioDelivered, figures.audioDropped)
    samplesDelivered = framesDelivered + audioDelivered
    (lacksOutput, endsUnheard) = (figures.framesWithoutOutput > 60, figures.endsUnheard)
    (starts, endingCode) = (figures.starts, figures.endingCode)
    handlerMs = DelayHistogram.Percentiles(figures.handlerTimes)
    seconds = duration / .seconds(1)
  }

  func text(of framework: CaptureFramework) -> String {
    let (capture, other) =
      framework == .replaykit
      ? ("capture", "SCStream: screencapturekit") : ("stream", "RPScreenRecorder: replaykit")
    guard starts > 0 else { return "No \(capture) started. Choose the app's --framework (\(other))." }
    let end = endingCode.map { "; the \(capture) ended with \($0)" } ?? ""
    let times =
      "\(handlerMs.p50.text(decimals: 1)) ms at the median, \(handlerMs.max.text(decimals: 1)) ms at most"
    return "\(framesDelivered) frames, \(framesDropped) dropped, \(audioDelivered) packets of audio\(end)\n"
      + "a call with a frame took \(times)"
  }
}
