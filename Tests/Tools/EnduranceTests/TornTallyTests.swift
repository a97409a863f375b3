import Testing

@testable import endurance

@Suite struct TornTallyTests {
  private static let good = TornTally(
    checks: 100, overtaken: 5, controlChecks: 10, controlTorn: 2, leases: 7, leasesVoid: 2, leasesVoidTorn: 1)

  @Test func aConclusiveRunWithoutTornFramesPasses() {
    #expect(Self.good.failures(wanted: 100) == [])
    #expect(Self.good.isConclusive)
  }

  @Test(arguments: [
    (changed { $0.torn = 1 }, "1 of 100 frames were torn"),
    (changed { $0.controlTorn = 0 }, "the control read no torn frame: the run proves nothing"),
    (changed { $0.overtaken = 0 }, "no read was overtaken"),
    (changed { $0.leases = 0 }, "no frame was leased"),
    (changed { $0.leasesTorn = 3 }, "3 of 7 leased frames changed"),
    (changed { $0.leasesVoidTorn = 0 }, "of a reclaimed lease changed"),
    (changed { $0.checks = 99 }, "only 99 frames were checked"),
  ])
  func eachFailedCheckIsReported(_ tally: TornTally, _ failure: String) {
    let failures = tally.failures(wanted: 100)
    #expect(failures.count == 1 && failures[0].contains(failure), "\(failures)")
  }

  private static func changed(_ change: (inout TornTally) -> Void) -> TornTally {
    var tally = good
    change(&tally)
    return tally
  }

  @Test func talliesAddUp() {
    var other = Self.good
    other.firstTorn = "frame 3"
    let sum = Self.good + other
    #expect(sum.checks == 200 && sum.overtaken == 10 && sum.controlChecks == 20 && sum.controlTorn == 4)
    #expect(sum.leases == 14 && sum.leasesVoid == 4 && sum.leasesVoidTorn == 2 && sum.firstTorn == "frame 3")
  }
}
