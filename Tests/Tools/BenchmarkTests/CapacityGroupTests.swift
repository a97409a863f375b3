import Platform
import ScreenBroadcast
import Testing

@testable import benchmark

@Suite struct CapacityGroupTests {
  private func result(frames: Int, due: Int? = nil, late: Int = 0, processor: Duration = .zero) -> JobResult {
    var memory = ProcessMemory()
    memory.anonymous = 1_048_576
    return JobResult(
      frames: frames, elapsed: .seconds(2), processor: processor, times: nil, memory: memory,
      ticks: due.map { Ticks(due: $0, late: late) })
  }

  @Test func lateTicksOfBothProcessesCount() {
    let pair = (
      sender: result(frames: 118, due: 120, late: 3, processor: .milliseconds(200)),
      receiver: result(frames: 60, due: 60, late: 6, processor: .milliseconds(100))
    )
    let step = CapacityGroup.Step([pair, pair], ringByteCount: 3 * 1_048_576)
    #expect(abs(step.latePercent - 5) < 1e-9)
    #expect(abs(step.cores - 0.15) < 1e-9)
    #expect(step.mebibytes == 5)
  }

  @Test func aFrameThatAWokenAppDidNotReceiveIsAMissedTick() {
    let pair = (sender: result(frames: 100, due: 100), receiver: result(frames: 96))
    #expect(CapacityGroup.Step([pair], ringByteCount: 0).latePercent == 2)
  }

  @Test(
    arguments: [
      (0.9, 0, .fits), (1.1, 0, .tooMany), (3, 2.1, .fits), (3, 1.9, .tooMany), (40, 4.9, .tooMany),
      // On a machine that is late by itself, only pairs that are on time say something.
      (6, 5.1, .unknown), (0.9, 5.1, .fits),
    ] as [(Double, Double, CapacityGroup.Verdict)])
  func pairsAreTooManyIfTheyMakeAHundredthOfTheTicksLate(
    late: Double, machine: Double, verdict: CapacityGroup.Verdict
  ) {
    let lateTicks = Int((late * 10).rounded())
    let step = CapacityGroup.Step(
      [(result(frames: 1000, due: 1000, late: lateTicks), result(frames: 1000, due: 0))], ringByteCount: 0)
    #expect(step.verdict(machine: machine) == verdict)
  }

  @Test func ticksSinceAnEarlierStateAreCounted() {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    var schedule = TickSchedule(start: start, interval: .milliseconds(10))
    func tick(after delay: Duration) {
      let due = schedule.deadline
      schedule.begin(at: due + delay)
      schedule.end(at: due + delay)
    }
    tick(after: .zero)
    let earlier = schedule
    tick(after: .milliseconds(6))
    // Two ticks come due in the meantime, of which the newer one runs.
    tick(after: .milliseconds(25))
    #expect(Ticks(schedule, since: earlier) == Ticks(due: 3, late: 3))
    #expect(Ticks(nil) == Ticks(due: 0, late: 0))
  }
}
