import CommandLineSupport
import Platform
import Programs
import UIKit

extension ScenarioRun {
  /// The names of the values of a container.
  static let containerValues = ["newFiles", "newBytes", "sockets"]

  /// How long a handler may take after its start to connect to a socket, or to use a notification.
  private static let useTime = Duration.seconds(2)

  /// A scenario of sockets or notifications does not apply to a handler that uses none.
  func checkUse(by process: RecordedProcess) throws(ScenarioStop) {
    let (event, lack) =
      switch scenario.needs {
      case .socket: ("socket", "connects to no socket of an app")
      case .notifications: ("notification", "posts and observes no Darwin notification")
      case .app, .consumer, nil: ("started", "")
      }
    let isUsed = try wait(within: Self.useTime) { process.hasEnded || !process.events(event).isEmpty }
    if !isUsed { throw .doesNotApply("the handler \(lack)") }
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
      let files = path.name == "newFiles" ? try newFiles() : []
      throw .failed(
        expectation.problem(with: found)
          + (files.isEmpty ? "" : " They are: \(files.prefix(5).joined(separator: ", "))."))
    }
    if let figure = expectation.figure(found) { figures.append(figure) }
  }

  private func value(at path: ValuePath) throws(ScenarioStop) -> JSONValue? {
    switch path.root {
    case .container:
      let now = try content()
      switch path.name {
      case "sockets": return .number(Double(now.sockets.count))
      case "newFiles": return .number(Double(try newFiles().count))
      case "newBytes": return .number(Double(max(0, now.byteCount - earlierContent.byteCount)))
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

  /// The files that are new since the newest launch and not part of the extension's design, sorted.
  private func newFiles() throws(ScenarioStop) -> [String] {
    try content().files.subtracting(earlierContent.files).filter { !subject.design.allows(leftFile: $0) }
      .sorted()
  }

  func content() throws(ScenarioStop) -> ContainerContent {
    do { return try ContainerContent(below: root + "/c") } catch { throw .failure(ProgramFailure(error)) }
  }
}
