import CommandLineSupport
import ContainingApp
import CoreVideo
import Foundation
import HTTPServer
import PictureFormats
import PixelAccess
import Platform
import ReplayKitCore
import ScreenBroadcast
import WebRTC

/// A page that shows a watch in a browser of this machine: pictures, what was wrong and when, and actions.
///
/// ```swift
/// let page = try LivePage(port: 0, report: report, actions: actions, run: run) { … }
/// page.show(call)
/// let view = WatchViews([terminalView, page])
/// ```
/// It is a view, which keeps the events, and an output, which keeps the newest frame of the call.
@MainActor
package final class LivePage: NSObject, VideoOutput, WatchView {
  /// A command that a page requested.
  package struct Command: Sendable {
    /// Its text in the timeline: an event, or a command line.
    package var text: String
    /// The name of the action, with its values.
    package var name: String
    /// What a terminal runs to do the same; `nil` where no command line does.
    package var line: String?
    /// Returns why it did not happen; `nil` if it did.
    package var perform: @MainActor @Sendable () async -> String?

    package init(
      _ text: String, name: String, line: String? = nil,
      perform: @escaping @MainActor @Sendable () async -> String?
    ) { (self.text, self.name, self.line, self.perform) = (text, name, line, perform) }
  }

  /// Parses the command in the body of `POST /control`. Throws a sentence for the page if the body is no command.
  package typealias Read = @Sendable (String) throws(UsageError) -> Command

  /// Nothing: a page that is closed may come again.
  package var failure: ProgramFailure? { nil }
  /// The address of the page.
  package var address: String { server.address }
  /// The port of the page.
  var port: UInt16 { server.port }

  private let server: HTTPServer
  private let view: JSONWatchView
  private let events: LiveEvents
  private let captured: LiveFrames
  private let entering: LiveFrames
  private let clock: any MonotonicClock
  /// The capture time of the frame that enters the call now. The times of the call's own frames are translated.
  private var captureTime = MonotonicTime.zero

  /// A page at `port` of the loopback address; 0 picks a free one. Throws if the port is taken.
  ///
  /// - Parameters:
  ///   - actions: what a person can do, and how the page draws it: the array `actions` of `/settings`.
  ///   - run: the app, the object `run` of `/settings`.
  ///   - report: the report of the watch, which measures each second for the page and can be saved at any time.
  package init(
    port: UInt16, framesPerSecond: Double, console: Console, report: WatchReport,
    actions: [PageAction], run: PageRun, clock: any MonotonicClock = SystemClock(), read: @escaping Read
  ) throws(ProgramFailure) {
    let wake = LiveWake()
    let events = LiveEvents(clock: clock, wake: wake)
    (captured, entering) = (LiveFrames(wake: wake), LiveFrames(wake: wake))
    let lines = JSONLines { events.add($1, ["stats": .stats, "measures": .measures][$0] ?? .lasting) }
    let routes = LiveRoutes(
      wake: wake, events: events, captured: captured, entering: entering,
      snapshot: .snapshot(of: captured, wake: wake), page: .page(of: report, after: events, wake: wake),
      settings: LiveRoutes.Settings(
        actions: actions, run: run, startNs: clock.now.nanoseconds, pollsPerSecond: framesPerSecond),
      tell: { event in
        lines.write(event, reportingTo: console, as: "consumer")
        report.show(.control(event))
      }, clock: clock, read: read)
    do {
      server = try HTTPServer(port: port, clock: clock) { routes.answer($0) }
    } catch {
      throw ProgramFailure(
        errno: error.code,
        "The page cannot be served at port \(port): \(error.errno); name another port, or 0 for a free one.")
    }
    let server = server
    wake.set { server.wake() }
    (self.events, self.clock) = (events, clock)
    view = JSONWatchView(lines: lines, console: console)
    super.init()
    report.onSample = { sample in
      lines.write(sample.stats, reportingTo: console, as: "consumer")
      lines.write(sample.measures, reportingTo: console, as: "consumer")
    }
  }

  /// Shows all messages but those of the rates, which the report measures. The summary is the last.
  package func show(_ message: WatchMessage) {
    if case .stats = message { return }
    view.show(message)
    if case .summary = message { close() }
  }

  /// Shows the frames that enter `call`.
  package func show(_ call: VideoCall) {
    call.observeFrames { [weak self] pixelBuffer, orientation, time, number in
      guard let self else { return }
      captureTime = time
      captured.publish(
        LiveFrame(
          buffer: RTCCVPixelBuffer(pixelBuffer: pixelBuffer), rotation: PictureRotation(orientation),
          orientation: orientation, number: number, captureTime: time, receiveTime: clock.now))
    }
  }

  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated {
      guard let frame, let buffer = frame.buffer as? RTCCVPixelBuffer else { return }
      entering.publish(
        LiveFrame(
          buffer: buffer, rotation: PictureRotation(frame.rotation), orientation: nil, number: 0,
          captureTime: captureTime, receiveTime: clock.now))
    }
  }

  /// Does nothing: the page stays until it has the summary, which comes after all outputs are complete.
  package func finish() {}

  /// Ends the server when the pages have all events, or after a limit: a page that has stalled may take none.
  func close() {
    for frames in [captured, entering] { frames.finish() }
    // A person who ended the watch waits for this.
    events.finish(within: .milliseconds(800))
    server.close()
  }
}
