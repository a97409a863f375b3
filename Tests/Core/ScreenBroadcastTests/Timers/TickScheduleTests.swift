import ScreenBroadcast
import TestSupport

@Suite struct TickScheduleTests {
  private static let start: MonotonicTime = 1_000_000_000
  private let sixtieth = Duration.seconds(1) / 60

  @Test func aHundredThousandTicksDoNotDrift() {
    var schedule = TickSchedule(start: Self.start, interval: sixtieth)
    for _ in 0..<100_000 {
      // Each tick begins 0.1 ms late, and ends before the next tick is due.
      schedule.begin(at: schedule.deadline + .microseconds(100))
      schedule.end(at: schedule.deadline + .milliseconds(5))
    }
    #expect(schedule.fired == 100_000 && schedule.missed == 0 && schedule.late == 0)
    let exact = Self.start + .nanoseconds(Int64((100_001 * 1e9 / 60).rounded()))
    #expect(schedule.deadline == exact)
  }

  @Test func afterAStallTheNewestTickRunsAndTheOthersAreCountedAndThePhaseStays() {
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    schedule.begin(at: 100)
    schedule.end(at: 450)  // 200, 300 and 400 came due.
    #expect((schedule.deadline, schedule.missed) == (400, 2))
    schedule.begin(at: 450)
    schedule.end(at: 460)
    #expect(schedule.deadline == 500 && schedule.fired == 2 && schedule.missed == 2)
  }

  @Test func aTickThatTakesALittleLongerThanTheIntervalCostsFewOthers() {
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    var now = MonotonicTime.zero
    for _ in 0..<1000 {
      now = max(now, schedule.deadline)
      schedule.begin(at: now)
      now = now + .nanoseconds(102)
      schedule.end(at: now)
    }
    #expect((15...25).contains(schedule.missed))
  }

  @Test func aTickThatEndsJustBeforeTheNextOneIsDueMissesNothing() {
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    schedule.begin(at: 100)
    schedule.end(at: 199)
    #expect(schedule.deadline == 200 && schedule.missed == 0)
  }

  @Test func lateMeansMoreThanHalfAnInterval() {
    var schedule = TickSchedule(start: 0, interval: .nanoseconds(100))
    for (begin, late) in [(150, 0), (251, 1), (300, 1), (499, 2)] as [(MonotonicTime, UInt64)] {
      schedule.begin(at: begin)
      #expect(schedule.late == late)
      schedule.end(at: begin)
    }
    #expect(schedule.missed == 0)
  }

  @Test func aTickThatComesEarlyIsNeitherLateNorATrap() {
    var schedule = TickSchedule(start: 1000, interval: .nanoseconds(100))
    schedule.begin(at: 10)
    schedule.end(at: 10)
    #expect(schedule.deadline == 1200 && schedule.late == 0)
  }

  @Test func anIntervalOfZeroCountsAsOneNanosecond() {
    for interval in [.zero, .nanoseconds(-5), .nanoseconds(1) / 10] as [Duration] {
      #expect(TickSchedule(start: 7, interval: interval).deadline == 8)
    }
  }
}
