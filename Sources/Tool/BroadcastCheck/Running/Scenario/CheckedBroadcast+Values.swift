import Causes
import CommandLineSupport
import EmulatedDevice
import LaunchedPrograms
import PhoneLink
import Platform
import ScreenBroadcast

extension CheckedBroadcast {
  /// The names of the values of a container.
  static let containerValues = ["newFiles", "newBytes", "sockets"]

  /// How many seconds the handler has to connect, to use a notification or to show a picture. The `second` events of the
  /// extension count them, so host load delays them too.
  private static let useSeconds = 3

  /// Whether the handler or its app uses the thing that the scenario needs, or the handler has ended before it could.
  func isUsed() throws(ScenarioStop) -> Bool {
    guard let process = processes[.extension] else { return false }
    func isUsed() -> Bool {
      switch scenario.needs {
      case .socket: !process.events("socket").isEmpty
      case .notifications: !process.events("notification").isEmpty
      case .pictures: pictures?.pictures.isEmpty == false
      default:
        subject.app?.isArticles == true || !process.events("socket").isEmpty
          || pictures?.pictures.isEmpty == false
      }
    }
    _ = try wait(within: Scenario.startLimit) {
      process.hasEnded || isUsed() || process.events(SecondEvent.event).count >= Self.useSeconds
    }
    return process.hasEnded || isUsed()
  }

  /// Reads a value until it is as expected, or until the time limit of the expectation has passed.
  func read(_ expectation: Expectation) throws(ScenarioStop) -> Outcome {
    let path = expectation.path
    let deadline = clock.now + expectation.limit
    var found = try value(at: path)
    while !expectation.holds(for: found), clock.now < deadline {
      try pause()
      found = try value(at: path)
    }
    if expectation.holds(for: found) { return .value(found, names: [], nil) }
    if path.root == .app, let end = try deathForLock() { return .appEnded(end) }
    var names: [String] = []
    if path.root == .container {
      let content = try ownContent()
      names = path.name == "sockets" ? content.sockets.sorted() : newFiles(content)
    }
    let process = processes[.extension].flatMap { $0.hasEnded ? $0 : nil }
    return .value(found, names: names, process.map(end))
  }

  private func value(at path: ValuePath) throws(ScenarioStop) -> JSONValue? {
    switch path.root {
    case .container:
      let now = try ownContent()
      switch path.name {
      case "sockets": return .number(Double(now.sockets.count))
      case "newFiles": return .number(Double(newFiles(now).count))
      case "newBytes":
        let earlier = now.files.keys.map { earlierContent.files[$0] ?? 0 }.reduce(0, +)
        return .number(Double(max(0, now.files.values.reduce(0, +) - earlier)))
      default: return nil
      }
    case .extension, .app:
      if path.root == .app, path.name == "state" { return .number(Double(appState.rawValue)) }
      guard let process = processes[path.root == .app ? .app : .extension] else { return nil }
      if path.name == "cutOff" { return .boolean(isCutOff(process)) }
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

  /// Whether the handler still broadcasts, was sending until the scenario's faults began, and has sent nothing since.
  private func isCutOff(_ process: RecordedProcess) -> Bool {
    guard let faults, !process.hasEnded, process.events("finished").isEmpty else { return false }
    let seconds = process.events(SecondEvent.event).map { event in
      let start = event.arrival.advanced(by: .seconds(-(event.number("seconds") ?? 1)))
      return (start: start, end: event.arrival, sends: event.integer("sentBytes") ?? 0 > 0)
    }
    guard seconds.last(where: { $0.end < faults.first })?.sends == true else { return false }
    let sockets = process.events(SocketEvent.event).filter { $0.arrival > faults.newest }
    // The proxy does not count bytes that bypass it.
    if sockets.contains(where: { $0.text("what") == SocketEvent.What.direct.rawValue }) { return false }
    // A greeting over a new connection is not a frame.
    let begin = sockets.first { $0.text("what") == SocketEvent.What.connected.rawValue }?.arrival
    return !seconds.contains { $0.start >= begin ?? faults.newest && $0.sends }
  }

  /// Returns the new files since the newest launch that the extension's design does not allow, sorted.
  private func newFiles(_ content: ContainerContent) -> [String] {
    content.files.keys.filter { earlierContent.files[$0] == nil && !subject.design.allows(leftFile: $0) }
      .sorted()
  }

  /// Returns the current content of the container without the files and sockets that are known to belong to the app.
  private func ownContent() throws(ScenarioStop) -> ContainerContent {
    var content = try noteContentOfApp()
    content.files = content.files.filter { !appContent.contains($0.key) }
    content.sockets = content.sockets.filter {
      !appContent.contains($0) && !subject.design.allows(leftFile: $0)
        // The socket of the emulated system stays after a crash.
        && "\(root)/\($0)" != programs.container.controlSocket
    }
    return content
  }

  /// Records the files that the app has open now, because the app may leave them. Files that it has already closed are not known
  /// to be the app's.
  @discardableResult
  func noteContentOfApp() throws(ScenarioStop) -> ContainerContent {
    let app = processes[.app].flatMap { $0.isExiting ? nil : $0.pid }
    do {
      let content = try ContainerContent(below: root)
      appContent.formUnion(try content.open(below: root, app: app))
      return content
    } catch { throw .failure(ProgramFailure(error)) }
  }
}
