import CommandLineSupport
import Platform
import Programs
import UIKit

extension ScenarioRun {
  /// The names of the values of a container.
  static let containerValues = ["newFiles", "sockets"]

  /// How long a handler may take to connect to a socket after its start.
  private static let connectTime = Duration.seconds(2)

  /// A scenario of a socket does not apply to a handler that connects to none.
  func checkSocket(of process: RecordedProcess) throws(ScenarioStop) {
    guard scenario.needs == .socket else { return }
    let connects = try wait(within: Self.connectTime) {
      process.hasEnded || !process.events("socket").isEmpty
    }
    if !connects { throw .doesNotApply("the handler connects to no socket of an app") }
  }

  /// Fails unless a value is right, or becomes right within the time of the expectation.
  func check(_ expectation: Expectation) throws(ScenarioStop) {
    let path = expectation.path
    if path.root == .app, subject.app == nil || leavesOutAppOutput && path.name != "state" { return }
    var found = try value(at: expectation.path)
    if !expectation.holds(for: found), expectation.limit > .zero {
      let deadline = clock.now + expectation.limit
      while !expectation.holds(for: found), clock.now < deadline {
        try pause()
        found = try value(at: expectation.path)
      }
    }
    guard expectation.holds(for: found) else {
      if let process = processes[.extension], process.hasEnded { try judgeEnd(of: process) }
      throw .failed(expectation.problem(with: found))
    }
    if let figure = expectation.figure(found) { figures.append(figure) }
  }

  private func value(at path: ValuePath) throws(ScenarioStop) -> JSONValue? {
    switch path.root {
    case .container:
      let now = try content()
      switch path.name {
      case "sockets": return .number(Double(now.sockets.count))
      case "newFiles": return .number(Double(now.files.subtracting(earlierContent.files).count))
      default: return nil
      }
    case .extension, .app:
      if path.root == .app, path.name == "state" { return .number(Double(appState.rawValue)) }
      guard let process = processes[path.root == .app ? .app : .extension] else { return nil }
      if RecordedProcess.valueNames.contains(path.name) {
        _ = process.isExiting
        return process.value(path.name)
      }
      let events = process.events(path.name).filter { event in
        guard let filter = path.filter else { return true }
        let value = event.value.value(at: [filter.key])
        return value == .string(filter.value) || value?.text == filter.value
      }
      if path.keys == ["count"] { return .number(Double(events.count)) }
      return events.last?.value.value(at: path.keys)
    }
  }

  func content() throws(ScenarioStop) -> ContainerContent {
    do { return try ContainerContent(below: root + "/c") } catch { throw .failure(ProgramFailure(error)) }
  }
}
