import ScreenBroadcast
import TestSupport

@Suite struct DispatchTimerTests {
  private let queue = DispatchQueue(label: "tests.timer")

  @Test func itTicksAtItsRate() {
    let timer = DispatchTimer(queue: queue)
    let ticks = Recorder<ContinuousClock.Instant>()
    let start = ContinuousClock.now
    timer.start(every: .milliseconds(10)) { ticks.add(.now) }
    #expect(holds { ticks.values.count >= 30 })
    timer.cancel()
    queue.sync {}
    let schedule = timer.schedule
    let lasted = ContinuousClock.now - start
    #expect(lasted >= .milliseconds(299))
    // Missed ticks are counted and not made up for: fired and missed ticks together are not more than were due.
    let due = UInt64(lasted / .milliseconds(10))
    let counted = (schedule?.fired ?? 0) + (schedule?.missed ?? 0)
    #expect(counted <= due + 1)
    // The ticks that were missed during the last tick are not counted.
    let times = ticks.values
    #expect(counted >= UInt64((times[times.count - 2] - times[0]) / .milliseconds(10)))
    #expect(times.count == Int(schedule?.fired ?? 0))
  }

  /// A clock that runs 100,000 times as fast as the system's: an hour takes 36 ms.
  private struct FastClock: MonotonicClock {
    private static let factor: UInt64 = 100_000
    private let start = SystemClock().now
    let minimumResolution = Duration.milliseconds(1)
    var now: MonotonicTime {
      MonotonicTime(nanoseconds: SystemClock().now.nanoseconds(since: start) * Self.factor)
    }
    func systemTime(of deadline: MonotonicTime) -> MonotonicTime {
      MonotonicTime(nanoseconds: start.nanoseconds + deadline.nanoseconds / Self.factor + 1)
    }
    func wait(until deadline: MonotonicTime) { SystemClock().wait(until: systemTime(of: deadline)) }
    func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {}
  }

  /// The timer as the article writes it.
  @Test(arguments: [true, false]) func itTicksInTheFormOfTheArticle(repeats: Bool) {
    let ticks = Recorder<Int>()
    let timer = DispatchTimer(timeout: 0.001, repeat: repeats, completion: { ticks.add(1) }, queue: queue)
    expectSilence(of: ticks)
    timer.start()
    #expect(holds { ticks.values.count >= (repeats ? 3 : 1) })
    if repeats { timer.invalidate() }
    expectSilence(of: ticks)
    #expect(repeats || ticks.values.count == 1)
  }

  @Test func itTicksByItsClock() {
    let timer = DispatchTimer(queue: queue, clock: FastClock())
    let ticks = Recorder<Int>()
    timer.start(every: .seconds(360)) { ticks.add(1) }
    #expect(holds { ticks.values.count >= 10 })
    timer.cancel()
    queue.sync {}
    let schedule = timer.schedule
    #expect((schedule?.span ?? .zero) >= .seconds(3600))
  }

  @Test func aCancelledTimerIsSilent() {
    let timer = DispatchTimer(queue: queue)
    let ticks = Recorder<Int>()
    timer.start(every: .milliseconds(1)) { ticks.add(1) }
    #expect(holds { ticks.values.count >= 3 })
    timer.cancel()
    expectSilence(of: ticks)
  }

  /// Expects no more ticks while another timer of the same queue and interval ticks 20 times.
  private func expectSilence(of ticks: Recorder<Int>) {
    queue.sync {}
    let count = ticks.values.count
    let other = DispatchTimer(queue: queue)
    let others = Recorder<Int>()
    other.start(every: .milliseconds(1)) { others.add(1) }
    #expect(holds { others.values.count >= 20 })
    other.cancel()
    #expect(ticks.values.count == count)
  }

  @Test func aSecondStartTakesThePlaceOfTheFirst() {
    let timer = DispatchTimer(queue: queue)
    let ticks = Recorder<String>()
    timer.start(every: .milliseconds(1)) { ticks.add("first") }
    #expect(holds { !ticks.values.isEmpty })
    timer.start(every: .milliseconds(1)) { ticks.add("second") }
    #expect(holds { ticks.values.filter { $0 == "second" }.count >= 5 })
    timer.cancel()
    queue.sync {}
    let values = ticks.values
    let change = values.firstIndex(of: "second") ?? 0
    #expect(values[change...].allSatisfy { $0 == "second" })
    #expect(timer.schedule?.fired == UInt64(values.filter { $0 == "second" }.count))
  }

  @Test func aTickMayCancelOrRestartItsOwnTimer() {
    let timer = DispatchTimer(queue: queue)
    let ticks = Recorder<Int>()
    timer.start(every: .milliseconds(1)) { [weak timer] in
      ticks.add(1)
      timer?.start(every: .milliseconds(1)) { [weak timer] in
        ticks.add(2)
        timer?.cancel()
      }
    }
    #expect(holds { ticks.values == [1, 2] })
  }

  @Test func aReleasedTimerIsSilent() {
    let ticks = Recorder<Int>()
    do {
      let timer = DispatchTimer(queue: queue)
      timer.start(every: .milliseconds(1)) { ticks.add(1) }
      #expect(holds { !ticks.values.isEmpty })
    }
    expectSilence(of: ticks)
  }
}
