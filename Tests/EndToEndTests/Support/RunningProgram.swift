import Foundation
import TestSupport
import Testing

/// A program that a test started, with its output, its events and its exit.
final class RunningProgram {
  private let process = Process()
  private let name: String
  /// Whether it starts programs that run on when it is killed.
  private let isCheck: Bool
  private let outputFile: URL
  private let errorFile: URL
  /// The events in the first `parsedByteCount` bytes of the output.
  private var parsedEvents: [ProgramEvent] = []
  private var parsedByteCount = 0

  /// Starts `program`. Its output goes to files in `folder`, unless `output` is given.
  init(
    _ program: URL, _ arguments: [String], folder: URL, input: FileHandle = .nullDevice,
    output: FileHandle? = nil
  ) throws {
    name = program.lastPathComponent
    isCheck = arguments.contains("check")
    let stem = folder.appending(path: "\(name)-\(UUID().uuidString)")
    outputFile = stem.appendingPathExtension("out")
    errorFile = stem.appendingPathExtension("err")
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = try output ?? Self.newFile(outputFile)
    process.standardError = try Self.newFile(errorFile)
    try process.run()
  }

  /// Kills the program if it still runs, and waits for its end. A check ends what it has started before.
  func end() {
    if isCheck, process.isRunning {
      send(SIGINT)
      _ = holds(within: .seconds(20)) { !process.isRunning }
    }
    if process.isRunning { send(SIGKILL) }
    process.waitUntilExit()
  }

  /// Blocks the thread until the program ends.
  func waitUntilExit() { process.waitUntilExit() }

  var pid: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// The signal that ended the program, or `nil` if it runs or has exited.
  var endingSignal: Int32? {
    guard !process.isRunning, process.terminationReason == .uncaughtSignal else { return nil }
    return process.terminationStatus
  }

  func send(_ signal: Int32) { kill(pid, signal) }

  /// The standard output so far.
  func output() throws -> Data { try Data(contentsOf: outputFile) }

  /// The standard error so far.
  var errors: String {
    String(decoding: FileManager.default.contents(atPath: errorFile.path) ?? Data(), as: UTF8.self)
  }

  /// The time of the last line of output, in the file system's resolution.
  func timeOfLastOutput() throws -> Date {
    let attributes = try FileManager.default.attributesOfItem(atPath: outputFile.path)
    return try #require(attributes[.modificationDate] as? Date)
  }

  /// The events so far. Each complete line of the output must be one.
  func events() throws -> [ProgramEvent] {
    let file = try FileHandle(forReadingFrom: outputFile)
    defer { file.closeFile() }
    try file.seek(toOffset: UInt64(parsedByteCount))
    let data = try file.readToEnd() ?? Data()
    guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return parsedEvents }
    let lines = String(decoding: data[..<end], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    parsedEvents += try lines.map { try ProgramEvent(line: $0) }
    parsedByteCount += end - data.startIndex + 1
    return parsedEvents
  }

  func events(_ event: String) throws -> [ProgramEvent] { try events().filter { $0.name == event } }

  /// Waits for an event with that name that `matches`, after the first `count` events of any name.
  @discardableResult @MainActor
  func event(
    _ event: String, after count: Int = 0, where matches: (ProgramEvent) -> Bool = { _ in true }
  ) async throws -> ProgramEvent {
    try await eventually("an event '\(event)' of \(name)") {
      let wasRunning = isRunning
      let found = try events().dropFirst(count).first { $0.name == event && matches($0) }
      if let found { return found }
      guard wasRunning else {
        throw TestFailure(description: "\(name) ended without '\(event)': \(errors)")
      }
      return nil
    }
  }

  /// Waits for an event that the program has not printed yet.
  @discardableResult @MainActor
  func nextEvent(
    _ event: String, where matches: (ProgramEvent) -> Bool = { _ in true }
  ) async throws -> ProgramEvent {
    try await self.event(event, after: try events().count, where: matches)
  }

  /// Waits until the program has reported that the flag was on and is off again.
  @MainActor
  func endOfBroadcast() async throws {
    try await eventually("the end of the broadcast in \(name)") {
      let statuses = try events("status").map { $0.boolean("active") }
      return statuses.contains(true) && statuses.last == false
    }
  }

  /// Waits until the program exits, and returns its exit code.
  @discardableResult @MainActor
  func exitCode(within limit: Duration = .seconds(60)) async throws -> Int32 {
    try await eventually("the exit of \(name)", within: limit) { !isRunning }
    #expect(process.terminationReason == .exit, "signal \(process.terminationStatus) ended \(name)")
    return process.terminationStatus
  }

  private static func newFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }
}
