import CommandLineSupport
import Foundation
import Platform
import SharedMemory

/// Processes that exchange frames for a time: one sender on a core of its own, and receivers
/// on another core.
struct Pair: Measurement {
  /// The figure of a row from the results of the sender and, on average, of the receivers.
  typealias Figure = (_ sender: JobResult, _ receiver: JobResult) -> Double?

  private let figures: [(row: Row, figure: Figure)]
  private let sender: Job
  private let cores: CorePair?
  private let receivers: Int
  let obstacle: String?

  /// - Parameter obstacle: the reason why the transport is not available.
  init(
    _ context: Context, _ transport: Job.Transport, _ pixels: Job.Pixels, interval: UInt64, duration: UInt64,
    polling: Job.Polling, receivers: Int = 1, obstacle: String? = nil, figures: [(row: Row, figure: Figure)]
  ) {
    self.figures = figures
    cores = context.cores
    self.receivers = receivers
    self.obstacle = obstacle ?? (context.cores == nil ? "needs two cores, and this process may use one" : nil)
    sender = Job(
      transport: transport, path: context.path(transport == .app ? "app" : "pair"), width: context.size.width,
      height: context.size.height, pixels: pixels, interval: interval, duration: duration, polling: polling,
      core: context.cores?.first ?? 0, role: .sender)
  }

  var rows: [Row] { figures.map(\.row) }

  func run(round: Int) throws -> [String: Double] {
    var receiver = sender
    receiver.role = .receiver
    receiver.core = cores?.second ?? 0
    defer { removeFile() }
    let first = try WorkerProcess(sender)
    defer { first.end() }
    var others: [WorkerProcess] = []
    defer { others.forEach { $0.end() } }
    for _ in 0..<receivers { others.append(try WorkerProcess(receiver)) }
    let start = SystemClock().now + .milliseconds(20)
    for process in [first] + others { try process.begin(at: start) }
    let (sent, received) = (try first.result(), JobResult.mean(of: try others.map { try $0.result() }))
    for process in [first] + others { try process.finish() }
    return try figures.reduce(into: [:]) { values, entry in
      guard let value = entry.figure(sent, received) else {
        throw Failure("no frame of \(sender.transport) reached the other process")
      }
      values[entry.row.id] = value
    }
  }

  private func removeFile() {
    // The ring has usually removed its file; a container is removed with the folder of the run.
    // UNSAFE: the path is lent to the call as a C string.
    _ = unsafe unlink(sender.path)
  }
}
