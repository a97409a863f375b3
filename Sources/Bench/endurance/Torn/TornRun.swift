import CommandLineSupport
import Foundation
import LaunchedPrograms
import ScreenBroadcast
import ToolSupport

/// The run of `torn`: a writer at full speed, slow readers, and random stops of all of them.
final class TornRun {
  private static let readers = 2

  private let context: RunContext
  private let options: EnduranceOptions
  private let path: String
  private var workers: [WorkerProcess<TornTally>] = []
  /// The latest tally of each worker that has reported one.
  private var tallies: [Int: TornTally] = [:]
  private var stops = 0
  private var timeOfGoal: Duration?
  /// The time after the goal in which the control may still read a torn frame.
  private static let extraTime = Duration.seconds(30)
  private let slotCount: Int

  init(_ context: RunContext) throws {
    (self.context, options) = (context, context.options)
    path = try context.container().framesFile
    slotCount = Int.random(in: 3...5, using: &context.random)
  }

  func run() throws {
    try start(RingWriterWorker(path: path, size: options.size, slotCount: slotCount), "the writer")
    for index in 0..<Self.readers {
      try start(
        RingReaderWorker(path: path, isProof: options.size != nil, seed: context.seed, index: UInt64(index)),
        "reader \(index + 1)")
    }
    context.run.clock = ProgressClock()
    var nextTally = ContinuousClock.now
    while !isOver(), !context.run.isInterrupted {
      context.random.sleep(upTo: .milliseconds(4))
      stop()
      guard ContinuousClock.now >= nextTally else { continue }
      nextTally = ContinuousClock.now + .milliseconds(100)
      for worker in workers { try worker.check() }
      try takeTallies()
      context.run.progress(progressText)
    }
    // A worker that exits normally reports its last tally.
    workers.reversed().forEach { $0.finish() }
    for worker in workers { try worker.expectEnd(.exit(0)) }
    try takeTallies()
    try finish()
  }

  /// Stops one of the processes for a random time, as an overloaded host does.
  private func stop() {
    guard let process = workers.randomElement(using: &context.random)?.process else { return }
    process.send(SIGSTOP)
    context.random.sleep(upTo: .milliseconds(3))
    process.send(SIGCONT)
    stops += 1
  }

  private func takeTallies() throws {
    for (index, worker) in workers.enumerated() {
      if let newest = try worker.takeReports().last { tallies[index] = newest }
    }
  }

  private var tally: TornTally { tallies.values.reduce(TornTally(), +) }

  /// Whether a frame is torn or a goal is reached. On an overloaded host the control needs extra time to read a torn frame.
  private func isOver() -> Bool {
    let (tally, elapsed) = (tally, context.run.clock.elapsed)
    if tally.hasTorn { return true }
    guard tally.frames.checked >= options.checks ?? .max || !context.hasTime else { return false }
    timeOfGoal = timeOfGoal ?? elapsed
    return tally.gaps.isEmpty || elapsed - (timeOfGoal ?? elapsed) > Self.extraTime
  }

  private func start(_ worker: some Worker<TornTally>, _ name: String) throws {
    let worker = try WorkerProcess(worker, name: name)
    workers.append(worker)
    try worker.waitUntilReady()
  }

  private var progressText: String {
    let (tally, goal) = (tally, options.checks.map { " of \($0)" } ?? "")
    return "\(tally.frames.checked)\(goal) frames checked, \(tally.frames.torn) torn; "
      + "\(tally.overtaken) reads overtaken; control: \(tally.control.torn) of \(tally.control.checked) torn"
  }

  private func finish() throws {
    let tally = tally
    let size = options.size?.description ?? "\(NumberedWords.shortest) to \(NumberedWords.capacity) bytes"
    try context.finish(
      [
        figure(slotCount, "slots"), figure(stops, "stops at random moments"),
        figure(tally.frames.checked, "frames checked, of \(size)"),
        figure(tally.frames.torn, "of these torn"),
        figure(tally.overtaken, "reads overtaken and discarded"),
        figure(tally.control.checked, "frames of the control, without the second check"),
        figure(tally.control.torn, "of these torn"),
      ], failures: tally.failures(wanted: options.time == nil ? options.checks ?? 1 : 1),
      exitCode: tally.hasTorn ? .verificationFailed : .internalError)
  }
}
