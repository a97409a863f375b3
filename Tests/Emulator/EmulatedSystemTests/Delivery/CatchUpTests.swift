import Platform
import Testing

@testable import EmulatedSystem

@Suite struct CatchUpTests {
  private var catchUp = CatchUp()

  private func time(_ milliseconds: Int) -> MonotonicTime { .zero + .milliseconds(50_000 + milliseconds) }

  @Test mutating func aLateStepGivesTheTimeThatWasLost() {
    catchUp.note(time(10), due: time(8), startDelay: .zero)
    #expect(!catchUp.isUnderWay(at: time(10)))
    catchUp.note(time(70), due: time(20), startDelay: .zero)
    #expect(catchUp.isUnderWay(at: time(119)) && !catchUp.isUnderWay(at: time(120)))
    // A step in time takes nothing of it away.
    catchUp.note(time(80), due: time(80), startDelay: .zero)
    #expect(catchUp.isUnderWay(at: time(119)))
  }

  @Test mutating func aThreadThatStartsLateGivesIt() {
    catchUp.note(time(0), due: time(0), startDelay: .milliseconds(3))
    #expect(!catchUp.isUnderWay(at: time(0)))
    catchUp.note(time(40), due: time(40), startDelay: .milliseconds(33))
    #expect(catchUp.isUnderWay(at: time(69)) && !catchUp.isUnderWay(at: time(70)))
    // The same delay counts once.
    catchUp.note(time(80), due: time(80), startDelay: .milliseconds(33))
    #expect(!catchUp.isUnderWay(at: time(80)))
  }
}
