import ScreenBroadcast
import TestSupport

@testable import ContainingApp

@Suite struct SharedTimerTests {
  private let timer = ManualTimer()
  private let ticks = Recorder<String>()
  private let parts: [any RepeatingTimer]

  init() {
    let shared = SharedTimer(timer)
    parts = [shared.part(), shared.part()]
  }

  private func start(_ index: Int) {
    parts[index].start(every: .milliseconds(5)) { [ticks] in ticks.add("part \(index)") }
  }

  @Test func thePartsTickInTheOrderOfTheirCreation() {
    start(1)
    start(0)
    timer.tick()
    #expect(ticks.values == ["part 0", "part 1"])
    #expect(timer.interval == .milliseconds(5))
  }

  @Test func theTimerRunsWhileAPartRuns() {
    #expect(!timer.isRunning)
    start(0)
    start(1)
    parts[0].cancel()
    timer.tick()
    #expect(ticks.values == ["part 1"])
    parts[1].cancel()
    #expect(!timer.isRunning)
    start(0)
    timer.tick()
    #expect(ticks.values == ["part 1", "part 0"])
  }

  @Test func aPartThatAnEarlierOneCancelsDoesNotTick() {
    let second = parts[1]
    parts[0].start(every: .milliseconds(5)) { second.cancel() }
    start(1)
    timer.tick()
    #expect(ticks.values.isEmpty)
  }
}
