import CommandLineSupport
import ContainingApp
import Foundation
import LivePage
import RunReports
import ScreenBroadcast

/// Creates and connects the objects of a watch as the options say, and ends the program with an exit code.
@MainActor
package final class WatchProgram {
  package let signals = SignalSources(queue: .main)
  package private(set) var coordinator: WatchCoordinator?
  /// The failure that ended the screen, if there is one. The program then exits with it.
  package var screenFailure: ProgramFailure?

  private let name: String
  private let common: CommonOptions
  private let showing: ShowingOptions
  /// The frame rate to state in outputs, in frames per second.
  private let framesPerSecond: Double
  private let exit: @MainActor (ProgramFailure?) -> Never
  private var appLife: AppLife?

  package init(
    _ name: String, _ common: CommonOptions, _ showing: ShowingOptions, framesPerSecond: Double,
    exit: @escaping @MainActor (ProgramFailure?) -> Never
  ) {
    self.name = name
    self.common = common
    self.showing = showing
    self.framesPerSecond = framesPerSecond
    self.exit = exit
  }

  package var console: Console {
    common.console(messages: showing.streamsToStandardOutput ? .error : .output)
  }

  /// The view for the terminal, or for `--json`.
  ///
  /// - Parameter unit: the word for the source of frames that is counted each second, such as "polls".
  package func view(counting unit: String) -> any WatchView {
    if let lines = common.jsonLines { return JSONWatchView(lines: lines, console: console) }
    return TerminalWatchView(console: console, polls: unit, framesPerSecond: framesPerSecond)
  }

  /// Returns the report of a watch; `nil` if neither a report file nor the page (which can save it) was requested.
  package func report(of subject: @autoclosure () -> WatchReport.Subject) -> WatchReport? {
    guard showing.report.isWanted || showing.frames.serve != nil else { return nil }
    return WatchReport(of: subject())
  }

  /// Returns the page of `--serve`; `nil` without the option.
  package func page(
    _ actions: [PageAction], report: WatchReport?, run: PageRun, read: @escaping LivePage.Read
  ) throws(ProgramFailure) -> LivePage? {
    guard let port = showing.frames.serve, let report else { return nil }
    return try LivePage(
      port: port, framesPerSecond: framesPerSecond, console: console, report: report, actions: actions,
      run: run,
      read: read)
  }

  /// The command line of this program, for a terminal.
  package var commandLine: String {
    ([name] + CommonOptions.commandLine.dropFirst().map(\.shellWord)).joined(separator: " ")
  }

  /// Watches until a limit of the options is reached or a signal arrives, and then exits.
  ///
  /// - Parameters:
  ///   - container: the container of the broadcast; `nil` for a capture, which does not use one.
  ///   - pollsPerSecond: the rate at which frames are polled; infinite if each frame arrives by itself.
  package func follow(
    _ provider: any WatchedProvider, in call: VideoCall, counting unit: String, page: LivePage?,
    report: WatchReport?, container: AppGroupContainer? = nil, pollsPerSecond: Double = .infinity,
    wait: Duration? = nil, endsWithBroadcast: Bool
  ) throws(ProgramFailure) {
    report?.follow(call, of: provider)
    let mainView = view(counting: unit)
    let pages = page.map { [$0] } ?? []
    page?.show(call)
    let views = WatchViews([mainView] + pages + (report.map { [$0] } ?? []))
    let coordinator = WatchCoordinator(
      provider, in: call, view: views, container: container,
      control: container.map { _ in common.line("producer control") }, pollsPerSecond: pollsPerSecond,
      outputs: try outputs() + pages,
      goals: WatchGoals(
        duration: showing.limits.duration, frames: showing.limits.frames.map(UInt64.init), wait: wait,
        endsWithBroadcast: endsWithBroadcast),
      showsLive: console.showsLive)
    self.coordinator = coordinator
    for number in SignalSources.requestsToEnd {
      signals.handle(number) { MainActor.assumeIsolated { coordinator.interrupt() } }
    }
    if let page { mainView.show(.serving(address: page.address)) }
    appLife = container.map { AppLife(in: $0) { views.show($0) } }
    coordinator.start { [self] failure in
      let failure = screenFailure ?? failure
      do throws(ProgramFailure) {
        do throws(FileError) { try appLife?.end() } catch { throw ProgramFailure(error) }
        exit(try report?.write(showing.report, failure: failure, console: console) ?? failure)
      } catch {
        if failure != nil { console.report(error.report(from: name)) }
        exit(failure ?? error)
      }
    }
  }

  private func outputs() throws(ProgramFailure) -> [any VideoOutput] {
    var outputs: [any VideoOutput] = []
    if let path = showing.frames.y4m {
      outputs.append(try Y4MOutput(path: path, framesPerSecond: framesPerSecond))
    }
    if let path = showing.snapshot { outputs.append(SnapshotOutput(path: path)) }
    return outputs
  }
}
