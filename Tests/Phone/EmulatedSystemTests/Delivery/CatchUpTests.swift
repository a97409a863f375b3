import TestSupport

@testable import EmulatedSystem

@Suite struct CatchUpTests {
  private var catchUp = CatchUp()

  private func time(_ milliseconds: Int) -> MonotonicTime { .zero + .milliseconds(50_000 + milliseconds) }

  @Test mutating func aLateStepGivesTheTimeThatWasLost() {
    catchUp.note(time(10), due: time(8), machineDelay: .zero)
    #expect(!catchUp.isActive(at: time(10)))
    catchUp.note(time(70), due: time(20), machineDelay: .zero)
    #expect(catchUp.isActive(at: time(119)) && !catchUp.isActive(at: time(120)))
    // A punctual step does not shorten the time to catch up.
    catchUp.note(time(80), due: time(80), machineDelay: .zero)
    #expect(catchUp.isActive(at: time(119)))
  }

  @Test mutating func aThreadThatStartsLateGivesIt() {
    catchUp.note(time(0), due: time(0), machineDelay: .milliseconds(3))
    #expect(!catchUp.isActive(at: time(0)))
    catchUp.note(time(40), due: time(40), machineDelay: .milliseconds(33))
    #expect(catchUp.isActive(at: time(72)) && !catchUp.isActive(at: time(73)))
    // A delay counts only once.
    catchUp.note(time(80), due: time(80), machineDelay: .milliseconds(33))
    #expect(!catchUp.isActive(at: time(80)))
    // Short delays add up.
    catchUp.note(time(90), due: time(90), machineDelay: .milliseconds(38))
    #expect(!catchUp.isActive(at: time(90)))
    catchUp.note(time(100), due: time(100), machineDelay: .milliseconds(43))
    #expect(catchUp.isActive(at: time(109)) && !catchUp.isActive(at: time(110)))
  }
}
