import CommandLineSupport
import Foundation
import Platform
import Synchronization
import WorkerSupport

/// A program of a broadcast under test, whose events go to the log. Released, it is killed.
final class LaunchedProgram {
  private let process: ChildProcess
  private let errorFile: String
  /// The folder must outlive the process.
  private let folder: ContainerFolder
  private(set) var ending: ChildProcess.Ending?

  init(
    _ path: String, _ arguments: [String], as source: Timeline.Event.Source, in folder: ContainerFolder,
    log: EventLog
  ) throws(ProgramFailure) {
    errorFile = "\(folder.root)/\(source.rawValue).err"
    self.folder = folder
    let splitter = Mutex(LineSplitter())
    process = try ChildProcess(URL(filePath: path), arguments, errors: errorFile) { data in
      for line in splitter.withLock({ $0.lines(adding: data) }) { log.add(line: line, from: source) }
    }
  }

  deinit { process.kill() }

  /// Whether it has ended, and its output is complete.
  var hasEnded: Bool {
    if ending == nil { ending = process.end(within: .zero) }
    return ending != nil
  }

  func send(_ signal: Int32) { process.send(signal) }

  /// The last line that it wrote to standard error.
  var lastError: String? {
    let bytes = FileManager.default.contents(atPath: errorFile) ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }

  /// The path of a program: a name without a slash is in the folder of the tests' bundle.
  static func path(of program: String) -> String {
    guard !program.contains("/") else { return program }
    let bundles =
      Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      + [Bundle.main.executableURL, URL(filePath: CommandLine.arguments[0])].compactMap { $0 }
    let paths = bundles.map {
      $0.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: program).path
    }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) } ?? paths[0]
  }
}
