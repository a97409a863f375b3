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
