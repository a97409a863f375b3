import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import ToolSupport

/// Two processes that exchange frames for a time, each on a core of its own.
struct ProcessPair: Measurement {
  private let pairRows: [PairRow]
  private let job: Job
  private let cores: (sender: Int, receiver: Int)?

  init(_ context: Context, _ job: Job, _ rows: [PairRow]) {
    (pairRows, cores) = (rows, context.cores)
    var job = job
    (job.folder, job.size) = (context.folder, context.size)
    self.job = job
  }

  var rows: [Row] { pairRows.map(\.row) }

  var obstacle: String? { cores == nil ? "needs two cores, and this process may use one" : nil }

  func run() throws -> [String: Double] {
    let file = try job.file()
    // The ring has usually removed its file.
    // UNSAFE: the path is lent to the call as a C string.
    defer { _ = unsafe unlink(file) }
    let processes = try [(Job.Role.sender, cores?.sender), (.receiver, cores?.receiver)].map { role, core in
      var job = job
      (job.role, job.cores) = (role, core.map { [$0] } ?? [])
      let process = try WorkerProcess(job, name: "the \(role)")
      try process.waitUntilReady()
      return (role: role, process: process)
    }
    let start = SystemClock().now + .milliseconds(20)
    for (_, process) in processes { try process.send("\(start.nanoseconds)") }
    // Polls for the results would take a core from a process that is measured.
    SystemClock().wait(until: start + job.duration + .milliseconds(10))
    let results = try processes.map { (role: $0.role, result: try result(of: $0.process)) }
    for (_, process) in processes { process.finish() }
    for (_, process) in processes { try process.expectEnd(.exit(0)) }
    return try Self.figures(of: results, for: pairRows)
  }

  /// Waits for the result of a process. The other one may hang, or the machine may not run it.
  private func result(of process: WorkerProcess<JobResult>) throws -> JobResult {
    let limit = Duration.seconds(30)
    _ = try holds(within: limit) {
      try process.check()
      return !process.reports.isEmpty
    }
    guard let result = process.reports.first else {
      throw NotMeasured(reason: "\(process.name) did not finish within \(limit) after its last frame")
    }
    return result
  }

  static func figures(
    of results: [(role: Job.Role, result: JobResult)], for rows: [PairRow]
  ) throws(NotMeasured) -> [String: Double] {
    var figures: [String: Double] = [:]
    for (row, role, quantity) in rows {
      guard let figure = results.first(where: { $0.role == role })?.result.figure(quantity, in: row.unit)
      else {
        // A process that starts too late finds the frames ended.
        let times = results.map { role, result in
          let (processor, elapsed) = (result.processor / .milliseconds(1), result.elapsed / .milliseconds(1))
          return "the \(role) used a processor for \(processor.figureText) of \(elapsed.figureText) ms"
        }
        throw NotMeasured(reason: (["no frame reached the other process"] + times).joined(separator: "; "))
      }
      figures[row.id] = figure
    }
    return figures
  }
}

typealias PairRow = (row: Row, role: Job.Role, quantity: JobResult.Quantity)

/// The rows of one pair: the starts of their ids, their titles and the ids of their reference rows are the same.
struct RowSeries {
  let id: String
  let title: String
  var beside: String?

  init(_ group: RowGroup, _ name: String, _ title: String, beside: String? = nil) {
    (id, self.title, self.beside) = ("\(group).\(name)", title, beside.map { "\(group).\($0)" })
  }

  /// The ages of the frames, and the processor time of both ends.
  func agesAndTimes(_ age: String, ageBar: Bar? = nil, inBar: Bar? = nil) -> [PairRow] {
    [
      self("age", "\(age), median", .receiver, .median, bar: ageBar),
      self("age-p99", "\(age), p99", .receiver, .p99),
      self("out", "processor a frame, out", .sender, .processorPerFrame),
      self("in", "processor a frame, in", .receiver, .processorPerFrame, bar: inBar),
    ]
  }

  func callAsFunction(
    _ name: String, _ what: String, _ role: Job.Role, _ quantity: JobResult.Quantity,
    _ unit: Row.Unit = .microseconds, bar: Bar? = nil
  ) -> PairRow {
    (
      Row("\(id).\(name)", "\(title): \(what)", unit, beside: beside.map { "\($0).\(name)" }, bar: bar),
      role, quantity
    )
  }
}
