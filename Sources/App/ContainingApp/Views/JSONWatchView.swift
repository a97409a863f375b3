import CommandLineSupport
import PixelAccess
import Platform

/// Writes the messages of a watch as the JSON lines of `Docs/CommandLine.md`.
package final class JSONWatchView: WatchView {
  private let lines: JSONLines
  private let console: Console

  /// A view that writes events to `lines`, and errors of the encoding to `console`.
  package init(lines: JSONLines, console: Console) {
    self.lines = lines
    self.console = console
  }

  package var failure: ProgramFailure? { lines.failure }

  package func show(_ message: WatchMessage) {
    do throws(ProgramFailure) {
      switch message {
      case .notice: break
      case .problem(let text): try lines.write(ProblemEvent(description: text))
      case .status(let isActive, let time):
        try lines.write(StatusEvent(active: isActive, atNs: time.nanoseconds))
      case .format(let format): try lines.write(FormatEvent(format))
      case .stats(let stats): try lines.write(stats)
      case .crashed(let pid, let kill): try lines.write(CrashedEvent(pid: pid, kill: kill))
      case .suspended(let pid): try lines.write(ProducerSuspendedEvent(pid: pid))
      case .resumed(let pid): try lines.write(ProducerResumedEvent(pid: pid))
      case .appSuspended(let time): try lines.write(AppSuspendedEvent(seconds: time / .seconds(1)))
      case .capture(let change): try lines.write(CaptureEvent(change))
      case .summary(let summary): try lines.write(summary)
      }
    } catch {
      console.report(error.report(from: "consumer"))
    }
  }
}
