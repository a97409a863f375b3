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

/// A page that shows a watch in a browser on this machine: images, findings with their times, and actions.
///
/// ```swift
/// let page = try LivePage(port: 0, report: report, actions: actions, run: run) { … }
/// page.show(call)
/// let view = WatchViews([terminalView, page])
/// ```
/// As a view it keeps the events; as an output it keeps the newest frame of the call.
@MainActor
package final class LivePage: NSObject, VideoOutput, WatchView {
  /// A command that a page requested.
  package struct Command: Sendable {
    /// The text of the command in the timeline: an event, or a command line.
    package var text: String
    /// The name of the action, with its values.
    package var name: String
    /// The equivalent command line for a terminal; `nil` if there is none.
    package var line: String?
    /// Performs the command. Returns the reason if it did not happen, otherwise `nil`.
    package var perform: @MainActor @Sendable () async -> String?

    package init(
      _ text: String, name: String, line: String? = nil,
      perform: @escaping @MainActor @Sendable () async -> String?
    ) {
      self.text = text
      self.name = name
      self.line = line
      self.perform = perform
    }
  }

  /// Parses the command in the body of `POST /control`. Throws a sentence for the page if the body is not a command.
  package typealias Read = @Sendable (String) throws(UsageError) -> Command

  /// Always `nil`, because a closed page may connect again.
  package var failure: ProgramFailure? { nil }
  package var address: String { server.address }
  var port: UInt16 { server.port }

  private let server: HTTPServer
  private let view: JSONWatchView
  private let events: LiveEvents
  private let captured: LiveFrames
  private let entering: LiveFrames
  private let clock: any MonotonicClock
  /// The capture time of the frame that is entering the call. The timestamps of the call's own frames are converted.
  private var captureTime = MonotonicTime.zero

  /// Creates a page at `port` of the loopback address (0: a free port). Throws if the port is in use.
  ///
  /// - Parameters:
  ///   - actions: the person's actions and their form on the page: the array `actions` of `/settings`.
  ///   - run: the app: the object `run` of `/settings`.
  ///   - report: the report of the watch. It measures each second for the page, and can be saved at any time.
  package init(
    port: UInt16, framesPerSecond: Double, console: Console, report: WatchReport,
    actions: [PageAction], run: PageRun, clock: any MonotonicClock = SystemClock(), read: @escaping Read
  ) throws(ProgramFailure) {
    let wake = StreamWaker()
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
    self.events = events
    self.clock = clock
    view = JSONWatchView(lines: lines, console: console)
    super.init()
    report.onSample = { sample in
      lines.write(sample.stats, reportingTo: console, as: "consumer")
      lines.write(sample.measures, reportingTo: console, as: "consumer")
    }
  }

  /// Shows all messages except those with rates, which the report measures. The summary is the last message.
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

  /// Does nothing: the page stays open until the summary, which follows after all outputs are complete.
  package func finish() {}

  /// Closes the server once the pages have received all events, or after a timeout, because a stalled page may receive
  /// none.
  func close() {
    for frames in [captured, entering] { frames.finish() }
    // A person who ended the watch waits for this, so the timeout is short.
    events.finish(within: .milliseconds(800))
    server.close()
  }
}
