import Testing

@testable import EmulatedSystem

@Suite struct ShutdownWaitTests {
  /// A thread that is always runnable, and needs 250 ms of CPU time while it gets `1 / share` of a CPU.
  @Test(arguments: [1, 4, 20]) func workIsAsLongAsWithAProcessorOfItsOwn(share: Int) throws {
    var tally = ShutdownWait.Tally()
    for _ in 0..<(50 * share) {
      tally.add(.milliseconds(5), ran: Duration.milliseconds(5) / share, isBusy: true)
    }
    #expect(!tally.isOver)
    for _ in 0..<5 { tally.add(.milliseconds(5), ran: .zero, isBusy: false) }
    #expect(tally.isOver)
    let work = try #require(tally.work)
    #expect(abs((work - .milliseconds(250)) / .milliseconds(1)) < 1)
  }

  @Test func aThreadThatWaitsLongForLittleWorkIsNotReported() {
    var tally = ShutdownWait.Tally()
    for _ in 0..<100 { tally.add(.milliseconds(5), ran: .zero, isBusy: true) }
    tally.add(.milliseconds(200), ran: .milliseconds(25), isBusy: false)
    for _ in 0..<5 { tally.add(.milliseconds(5), ran: .zero, isBusy: false) }
    #expect(tally.isOver && tally.work == nil)
  }
}
