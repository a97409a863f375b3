import Causes
import CommandLineSupport
import EmulatedDevice
import LaunchedPrograms
import PhoneLink
import Platform
import ScreenBroadcast

extension ScenarioRun {
  /// The names of the values of a container.
  static let containerValues = ["newFiles", "newBytes", "sockets"]

  /// The extension's own seconds in which a handler has to connect, to use a notification, or to show a picture. On a late
  /// machine they are late too.
  private static let useSeconds = 3

  /// A scenario of sockets, notifications or pictures does not apply to a handler that uses none.
  func checkUse(by process: RecordedProcess) throws(ScenarioStop) {
    func hasPictures() -> Bool { pictures?.pictures.isEmpty == false }
    var (isUsed, lack): (() -> Bool, String)
    switch scenario.needs {
    case .socket:
      isUsed = { !process.events("socket").isEmpty }
      lack = "the handler makes no connection over TCP or a Unix socket"
    case .notifications:
      isUsed = { !process.events("notification").isEmpty }
      lack = "the handler posts and observes no Darwin notification"
    case .pictures:
      (isUsed, lack) = (hasPictures, "the app puts no picture into $\(PictureFolder.variable)")
    case .output:
      isUsed = { [subject] in
        subject.app?.isArticles == true || !process.events("socket").isEmpty || hasPictures()
      }
      lack =
        "what the far end gets is not seen: the handler makes no connection, and the app puts no picture into "
        + "$\(PictureFolder.variable)"
    case .app, .consumer, .stream, .frames, nil: return
    }
    if subject.app == nil { lack += "; if it waits for its app, --app starts the app's program" }
    _ = try wait(within: Scenario.startLimit) {
      process.hasEnded || isUsed() || process.events(SecondFact.event).count >= Self.useSeconds
    }
    if !process.hasEnded, !isUsed() { throw .doesNotApply(lack) }
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
      // A built-in scenario of sockets does not apply to a handler that does not make the connections it expects.
      if path.name == "socket", scenario.isBuiltIn, scenario.needs == .socket {
        throw .doesNotApply(expectation.problem(with: found))
      }
      if expectation.isCertain { hasEndedByItself = true }
      throw .failed(expectation.problem(with: found) + (try list(of: path)))
    }
    if let figure = expectation.figure(found) { figures.append(figure) }
  }

  /// The files or sockets that are too many, as a sentence, and what to do when they are not the extension's.
  private func list(of path: ValuePath) throws(ScenarioStop) -> String {
    guard path.root == .container else { return "" }
    let content = try ownContent()
    let names = path.name == "sockets" ? content.sockets.sorted() : newFiles(content)
    guard !names.isEmpty else { return "" }
    let list = " They are: \(names.prefix(5).joined(separator: ", "))."
    return processes[.app] == nil ? list : list + " If the app makes them, name them as 'leaves' in --design."
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
  private func newFiles(_ content: ContainerContent) -> [String] {
    content.files.keys.filter { earlierContent.files[$0] == nil && !subject.design.allows(leftFile: $0) }
      .sorted()
  }

  /// What the container has now, without what is known to be the app's.
  private func ownContent() throws(ScenarioStop) -> ContainerContent {
    var content = try noteContentOfApp()
    content.files = content.files.filter { !appContent.contains($0.key) }
    content.sockets = content.sockets.filter {
      !appContent.contains($0) && !subject.design.allows(leftFile: $0)
        // That of the emulated system stays after a crash.
        && "\(root)/c/\($0)" != container.controlSocket
    }
    return content
  }

  /// Notes what the app has open at this moment, which it may leave. A file that it has closed is not known as its own.
  @discardableResult
  func noteContentOfApp() throws(ScenarioStop) -> ContainerContent {
    let app = processes[.app].flatMap { $0.isExiting ? nil : $0.pid }
    do {
      let content = try ContainerContent(below: root + "/c")
      appContent.formUnion(try content.open(below: root + "/c", app: app))
      return content
    } catch { throw .failure(ProgramFailure(error)) }
  }
}
