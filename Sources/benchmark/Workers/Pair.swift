import CommandLineSupport
import Foundation
import SharedMemory

/// Two processes, one core each, between which frames travel for a while.
struct Pair: Measurement {
  /// How a row's figure comes from what the two processes tell.
  typealias Figure = (_ sender: JobResult, _ receiver: JobResult) -> Double?

  private let figures: [(row: Row, figure: Figure)]
  private let sender: Job
  private let cores: CorePair?
  let obstacle: String?

  /// - Parameter obstacle: why the transport cannot be had.
  init(
    _ context: Context, _ transport: Job.Transport, _ pixels: Job.Pixels, interval: UInt64, duration: UInt64,
    looks: Job.Looks, obstacle: String? = nil, figures: [(row: Row, figure: Figure)]
  ) {
    self.figures = figures
    cores = context.cores
    self.obstacle = obstacle ?? (context.cores == nil ? "needs two cores, and this process may use one" : nil)
    sender = Job(
      transport: transport, path: context.path("pair"), width: context.size.width,
      height: context.size.height, pixels: pixels, interval: interval, duration: duration, looks: looks,
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
    let second = try WorkerProcess(receiver)
    defer { second.end() }
    let start = MonotonicTime.now + 20_000_000
    try first.begin(at: start)
    try second.begin(at: start)
    let (sent, received) = (try first.result(), try second.result())
    for process in [first, second] { try process.leave() }
    return try figures.reduce(into: [:]) { values, entry in
      guard let value = entry.figure(sent, received) else {
        throw Failure("no frame of \(sender.transport) reached the other process")
      }
      values[entry.row.id] = value
    }
  }

  private func removeFile() {
    // The ring removes its own file, so it is mostly gone.
    // UNSAFE: the path is lent to the call as a C string.
    _ = unsafe unlink(sender.path)
  }
}
