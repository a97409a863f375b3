import Causes
import CommandLineSupport
import PixelAccess
import Platform

/// A view of a watch: a terminal, or JSON lines.
@MainActor
package protocol WatchView: AnyObject {
  func show(_ message: WatchMessage)

  /// The reason why nothing can be shown any more, usually that the reader has exited; `nil` if the view is working.
  var failure: ProgramFailure? { get }
}

extension WatchView {
  package var failure: ProgramFailure? { nil }
}

/// Forwards the messages of one watch to several views.
package final class WatchViews: WatchView {
  private let views: [any WatchView]

  package init(_ views: [any WatchView]) { self.views = views }

  package func show(_ message: WatchMessage) {
    for view in views { view.show(message) }
  }

  /// The first failure among the views.
  package var failure: ProgramFailure? { views.lazy.compactMap(\.failure).first }
}

/// Writes the messages of a watch as the JSON lines of `Docs/JSONLines.md`.
package final class JSONWatchView: WatchView {
  private let lines: JSONLines
  private let console: Console

  /// Creates a view that writes events to `lines`, and encoding errors to `console`.
  package init(lines: JSONLines, console: Console) {
    self.lines = lines
    self.console = console
  }

  package var failure: ProgramFailure? { lines.failure }

  package func show(_ message: WatchMessage) {
    switch message {
    case .notice: break
    case .problem(let text): write(ProblemEvent(description: text))
    case .status(let isActive, let time): write(StatusEvent(active: isActive, atNs: time.nanoseconds))
    case .format(let format): write(FormatEvent(format))
    case .audio(let change): write(AudioEvent(change))
    case .stats(let stats): write(stats)
    case .crashed(let pid, let kill): write(CrashedEvent(pid: pid, kill: kill))
    case .suspended(let pid): write(ProducerSuspendedEvent(pid: pid))
    case .resumed(let pid): write(ProducerResumedEvent(pid: pid))
    case .appSuspended(let time): write(AppSuspendedEvent(seconds: time / .seconds(1)))
    case .cause(let cause, _, let again): write(CauseEvent(cause, repeat: again))
    case .begun(let event): write(event)
    case .ended(let event): write(event)
    case .control(let event): write(event)
    case .app(let change): write(AppEvent(change))
    case .capture(let change): write(CaptureEvent(change))
    case .serving(let address): write(ServingEvent(address: address))
    case .summary(let summary): write(summary)
    }
  }

  private func write(_ event: some JSONEvent) { lines.write(event, reportingTo: console, as: "consumer") }
}
