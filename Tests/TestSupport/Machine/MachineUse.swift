/// Determines how a test that runs programs shares the host with the other tests.
///
/// ```swift
/// @Suite(.sharedMachine) struct StopTests { … }
/// @Test(.quietMachine) func theRateIsRight() { … }
/// ```
/// Tests run in parallel. Tests with `.sharedMachine` mostly wait for their programs: as many run at a time as the host has
/// cores, but at least two. Tests with `.sharedMachineFirst` run before them. Tests with `.busyMachine` compute all the
/// time: one runs at a time, alongside the others. Tests with `.quietMachine` measure times of few programs: they run in
/// parallel while no other test runs. A test with `.machineAlone` runs while no other test runs at all. The trait of a test
/// overrides the trait of its suite. At the end of a test, a line for `.ci/run` reports how long the test ran, without its
/// wait for other tests.
package struct MachineUse: SuiteTrait, TestTrait, TestScoping {
  fileprivate enum Kind { case sharedFirst, shared, busy, quiet, alone }
  fileprivate let kind: Kind

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    let last = test.traits.compactMap { $0 as? Self }.last
    return testCase != nil && last?.kind == kind ? self : nil
  }

  @MainActor package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The suite has the same trait as its test.
    guard !MachineGate.isEntered else { return try await function() }
    await MachineGate.enter(kind)
    let start = ContinuousClock.now
    defer {
      MachineGate.leave(kind)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let line = "Ran \(String(format: "%.3f", seconds)) s: \("\(test.id)".prefix { $0 != "(" })\n"
      FileHandle.standardError.write(Data(line.utf8))
    }
    // Other tests may occupy the shared threads and so delay this test.
    try await withTaskExecutorPreference(QueueExecutor.shared) {
      try await MachineGate.$isEntered.withValue(true) { try await function() }
    }
  }
}

extension Trait where Self == MachineUse {
  /// The test shares the host with a limited number of tests that have this trait.
  package static var sharedMachine: Self { MachineUse(kind: .shared) }
  /// Like ``sharedMachine``, but the test runs before the tests with `.sharedMachine`.
  package static var sharedMachineFirst: Self { MachineUse(kind: .sharedFirst) }
  /// The test shares the host, but not with another test that has this trait.
  package static var busyMachine: Self { MachineUse(kind: .busy) }
  /// The test runs while only tests with this trait run.
  package static var quietMachine: Self { MachineUse(kind: .quiet) }
  /// The test runs while no other test runs.
  package static var machineAlone: Self { MachineUse(kind: .alone) }
}

/// Admits the tests that use the host.
@MainActor private enum MachineGate {
  @TaskLocal static var isEntered = false

  /// A group of tests that share the host. At most `width` of them run at a time.
  @MainActor private final class Lane {
    private let width: Int
    private(set) var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { self.width = width }

    func enter(first: Bool) async {
      guard measuring > 0 || running == width else { return running += 1 }
      await withCheckedContinuation { waiting.insert($0, at: first ? 0 : waiting.count) }
    }

    func leave() { running -= 1 }

    func letIn() {
      while measuring == 0, running < width, !waiting.isEmpty {
        running += 1
        waiting.removeFirst().resume()
      }
    }
  }

  /// After this time a test that measures starts even if tests without a trait are still running.
  private static let longestWaitForQuiet = Duration.seconds(120)

  private static let shared = Lane(width: max(2, ProcessInfo.processInfo.activeProcessorCount))
  private static let busy = Lane(width: 1)
  /// The number of tests that are measuring times, and whether the measuring test runs alone.
  private static var measuring = 0
  private static var isTaken = false
  private static var sample = (time: ContinuousClock.now, processorTime: processorTime)
  private static var isQuiet = false

  static func enter(_ kind: MachineUse.Kind) async {
    switch kind {
    case .quiet, .alone: await enterToMeasure(alone: kind == .alone)
    case .busy: await busy.enter(first: false)
    case .sharedFirst, .shared: await shared.enter(first: kind == .sharedFirst)
    }
  }

  static func leave(_ kind: MachineUse.Kind) {
    switch kind {
    case .quiet, .alone: (measuring, isTaken) = (measuring - 1, false)
    case .busy: busy.leave()
    case .sharedFirst, .shared: shared.leave()
    }
    for lane in [shared, busy] { lane.letIn() }
  }

  private static func enterToMeasure(alone: Bool) async {
    let start = ContinuousClock.now
    // The first test waits for a quiet host. Tests that join it do not wait, because the first test uses the CPUs itself.
    while isTaken || (alone && measuring > 0) || shared.running + busy.running > 0
      || !(measuring > 0 || measuredQuiet() || ContinuousClock.now - start > longestWaitForQuiet)
    {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
      }
    }
    (measuring, isTaken) = (measuring + 1, alone)
  }

  /// Whether this process, and with it all other tests, has used little CPU time recently.
  private static func measuredQuiet() -> Bool {
    let (now, processorTime) = (ContinuousClock.now, processorTime)
    if now - sample.time > .milliseconds(200) {
      isQuiet = processorTime - sample.processorTime < (now - sample.time) / 5
      sample = (now, processorTime)
    }
    return isQuiet
  }

  private static var processorTime: Duration {
    var time = timespec()
    // UNSAFE: the call fills the struct; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// Runs tasks on threads that no other test occupies.
private final class QueueExecutor: TaskExecutor {
  static let shared = QueueExecutor()
  private let queue = DispatchQueue(label: "tests.programs", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
