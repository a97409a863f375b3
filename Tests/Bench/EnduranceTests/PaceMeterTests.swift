import TestSupport

@testable import LaunchedPrograms

@Suite struct PaceMeterTests {
  @Test func aDelayAboveTheAllowanceIsReportedWithItsFigures() async {
    // Every delay exceeds the allowance of the first object, and no delay exceeds the allowance of the second.
    let (late, timely) = (PaceMeter(allowing: .seconds(-1)), PaceMeter(allowing: .seconds(3600)))
    #expect(await eventually { late.shortfall?.contains("turns of a thread, one every") == true })
    #expect(await eventually { timely.shortfall == nil })
  }

  @Test func aTallyHasTheTurnsSinceItsStartAndTheWorst() {
    var tally = LoadProbe.Tally(start: 1_000, allowance: .milliseconds(8))
    for (delay, due) in [(90, 999), (8, 1_000), (20, 2_000), (9, 3_000)] as [(Int, UInt64)] {
      tally.add(.milliseconds(delay), due: MonotonicTime(nanoseconds: due), threadsReady: 2)
    }
    #expect(
      tally.count == 3 && tally.late == 2 && tally.worst == .milliseconds(20) && tally.threadsReady == 6)
  }

  @Test func aThreadWithoutATurnIsReported() {
    let pace = PaceMeter(allowing: .seconds(3600), work: .seconds(3600))
    #expect(pace.shortfall == "a thread did not run")
  }

  @Test func aThreadIsRestrictedToOneProcessor() async throws {
    let processors = System.allowedProcessors
    let last = try #require(processors.last)
    let seen = Recorder<[Int]>()
    Thread {
      // If this fails, the thread still has all CPUs.
      try? System.restrictThread(toProcessors: [last])
      seen.add(System.allowedProcessors)
    }.start()
    #expect(await eventually { seen.values == [[last]] })
    #expect(System.allowedProcessors == processors)
    #expect(throws: FileError.self) { try System.restrictThread(toProcessors: [1023]) }
    #expect(throws: FileError.self) { try System.restrictThread(toProcessors: [-1]) }
    // The thread may run on its earlier CPUs again.
    try System.restrictThread(toProcessors: processors)
    #expect(System.allowedProcessors == processors)
  }
}
