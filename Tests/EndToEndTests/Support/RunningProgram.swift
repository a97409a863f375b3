import Foundation
import TestSupport
import Testing

/// The programs of this package, which the build of the tests also builds.
enum BuiltPrograms {
  static let producer = program("producer")
  static let consumer = program("consumer")
  static let probeExtension = program("ProbeExtension")
  static let benchmark = program("benchmark")

  /// A program of the build that these tests belong to, or of the one in the folder that `PROGRAMS` names.
  private static func program(_ name: String) -> URL {
    guard let folder = ProcessInfo.processInfo.environment["PROGRAMS"] else {
      return ChildProcess.program(name)
    }
    return URL(filePath: folder, relativeTo: Document.package).appending(path: name).absoluteURL
  }
}

/// A program that a test started, with its output, its events and its exit.
final class RunningProgram {
  private let process: ChildProcess
  private let name: String
  /// Whether it starts programs that run on when it is killed.
  private let isCheck: Bool
  private let outputFile: URL
  private let errorFile: URL
  private let received = ReceivedLines(ProgramEvent.init)
  /// The bytes of the output that `received` has.
  private var byteCount = 0

  /// Starts `program`. Its output goes to files in `folder`, unless `output` is given.
  init(
    _ program: URL, _ arguments: [String], folder: TemporaryFolder, input: FileHandle = .nullDevice,
    output: FileHandle? = nil
  ) throws {
    name = program.lastPathComponent
    isCheck = arguments.contains("check")
    let stem = folder("\(name)-\(UUID().uuidString)")
    (outputFile, errorFile) = (URL(filePath: stem + ".out"), URL(filePath: stem + ".err"))
    try Data().write(to: outputFile)
    let ownOutput = output == nil ? try FileHandle(forWritingTo: outputFile) : nil
    // The process would keep it open.
    defer { ownOutput?.closeFile() }
    process = try ChildProcess(
      program, arguments, input: input, output: output ?? ownOutput, errors: errorFile.path)
  }

  /// Kills the program if it still runs, and waits for its end. A check ends what it has started before.
  func end() {
    if isCheck, process.isRunning {
      send(SIGINT)
      _ = holds(within: .seconds(20)) { !process.isRunning }
    }
    process.kill()
  }

  var pid: Int32 { process.pid }
  var isRunning: Bool { process.isRunning }

  /// The signal that ended the program, or `nil` if it runs or has exited.
  var endingSignal: Int32? {
    if case .signal(let number)? = process.end(within: .zero) { number } else { nil }
  }

  func send(_ signal: Int32) { process.send(signal) }

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
    try file.seek(toOffset: UInt64(byteCount))
    let data = try file.readToEnd() ?? Data()
    byteCount += data.count
    received.add(data)
    if let line = received.unreadable { throw TestFailure(description: "\(name) printed \(line)") }
    return received.all
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
    guard case .exit(let code)? = process.end() else {
      throw TestFailure(description: "\(name) \(process.end().text)")
    }
    return code
  }
}
