import CommandLineSupport
import PixelAccess

/// Shows a watch to machines, as the JSON lines of `Docs/CommandLine.md`.
package final class JSONWatchView: WatchView {
  private let lines: JSONLines
  private let console: Console

  /// A view that writes events to `lines`; notices go nowhere.
  package init(lines: JSONLines, console: Console) {
    self.lines = lines
    self.console = console
  }

  /// Why nothing can be written any more: mostly because the reader has gone.
  package var failure: ProgramFailure? { lines.failure }

  /// Writes the event, if machines are told of it.
  package func show(_ output: WatchOutput) {
    do throws(ProgramFailure) {
      switch output {
      case .notice: break
      case .problem(let text): try lines.write(ProblemEvent(description: text))
      case .status(let isActive, let time): try lines.write(StatusEvent(active: isActive, atNs: time))
      case .format(let format): try lines.write(FormatEvent(format))
      case .stats(let stats): try lines.write(StatsEvent(stats))
      case .crashed(let pid, let kill): try lines.write(CrashedEvent(pid: pid, kill: kill))
      case .suspended(let pid): try lines.write(ProducerSuspendedEvent(pid: pid))
      case .resumed(let pid): try lines.write(ProducerResumedEvent(pid: pid))
      case .appSuspended(let seconds): try lines.write(AppSuspendedEvent(seconds: seconds))
      case .capture(let change): try lines.write(CaptureEvent(change))
      case .summary(let summary): try lines.write(summary)
      }
    } catch {
      console.report(error.report(from: "consumer"))
    }
  }
}
