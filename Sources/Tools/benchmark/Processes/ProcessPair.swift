import CommandLineSupport
import Foundation
import Platform

/// Two processes that exchange frames for a time, each on a core of its own.
struct ProcessPair: Measurement {
  private let pairRows: [PairRow]
  private let job: Job
  private let cores: (sender: Int, receiver: Int)?
  let obstacle: String?

  init(_ context: Context, _ job: Job, _ rows: [PairRow]) {
    pairRows = rows
    cores = context.cores
    obstacle = context.cores == nil ? "needs two cores, and this process may use one" : nil
    var job = job
    job.path = context.path(job.transport.hasContainer ? "app" : "pair")
    job.width = context.size.width
    job.height = context.size.height
    self.job = job
  }

  var rows: [Row] { pairRows.map(\.row) }

  func run() throws -> [String: Double] {
    // The ring has usually removed its file; a container is removed with the folder of the run.
    // UNSAFE: the path is lent to the call as a C string.
    defer { _ = unsafe unlink(job.path) }
    var processes: [WorkerProcess] = []
    defer { processes.forEach { $0.end() } }
    var job = job
    for (role, core) in [(Job.Role.sender, cores?.sender), (.receiver, cores?.receiver)] {
      job.role = role
      job.cores = core.map { [$0] } ?? []
      processes.append(try WorkerProcess(job))
    }
    let start = SystemClock().now + .milliseconds(20)
    for process in processes { try process.begin(at: start) }
    let results = try processes.map { (role: $0.role, result: try $0.result()) }
    for process in processes { try process.finish() }
    return try Self.figures(of: results, for: pairRows)
  }

  /// The figure of each row.
  static func figures(
    of results: [(role: Job.Role, result: JobResult)], for rows: [PairRow]
  ) throws(NotMeasured) -> [String: Double] {
    var figures: [String: Double] = [:]
    for (row, role, quantity) in rows {
      let values = results.compactMap { $0.role == role ? $0.result.figure(quantity, in: row.unit) : nil }
      guard !values.isEmpty else {
        // A process that starts too late finds the frames ended.
        let times = results.map { role, result in
          let (processor, elapsed) = (result.processor / .milliseconds(1), result.elapsed / .milliseconds(1))
          return "the \(role) used a processor for \(processor.figureText) of \(elapsed.figureText) ms"
        }
        throw NotMeasured(reason: (["no frame reached the other process"] + times).joined(separator: "; "))
      }
      figures[row.id] = values.reduce(0, +) / Double(values.count)
    }
    return figures
  }
}

/// A row of a pair: a quantity of the result of one end.
typealias PairRow = (row: Row, role: Job.Role, quantity: JobResult.Quantity)

/// The rows of one pair: the starts of their ids, their titles and the ids of their reference rows are the same.
struct RowSeries {
  let id: String
  let title: String
  var beside: String?

  /// The ages of the frames, and the processor time of both ends.
  func agesAndTimes(_ age: String, ageBar: Bar? = nil, inBar: Bar? = nil) -> [PairRow] {
    [
      self("age", "\(age), median", .receiver, .median, bar: ageBar),
      self("age-p99", "\(age), p99", .receiver, .p99),
    ] + both("", "processor a frame", .processorPerFrame, inBar: inBar)
  }

  /// A quantity of both ends; `suffix` ends the ids.
  func both(
    _ suffix: String, _ what: String, _ quantity: JobResult.Quantity, _ unit: Row.Unit = .microseconds,
    outBar: Bar? = nil, inBar: Bar? = nil
  ) -> [PairRow] {
    [
      self("out\(suffix)", "\(what), out", .sender, quantity, unit, bar: outBar),
      self("in\(suffix)", "\(what), in", .receiver, quantity, unit, bar: inBar),
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
