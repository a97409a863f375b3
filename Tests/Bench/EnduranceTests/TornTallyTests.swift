import Testing

@testable import endurance

@Suite struct TornTallyTests {
  private static let good = TornTally(
    frames: .init(checked: 100), control: .init(checked: 10, torn: 2), overtaken: 5)

  @Test func aConclusiveRunWithoutTornFramesPasses() {
    #expect(Self.good.failures(wanted: 100) == [])
    #expect(Self.good.gaps == [] && !Self.good.hasTorn)
  }

  @Test(arguments: [
    (changed { $0.frames.torn = 1 }, "1 of 100 frames were torn"),
    (changed { $0.control.torn = 0 }, "the control read no torn frame: the run proves nothing"),
    (changed { $0.overtaken = 0 }, "no read was overtaken"),
    (changed { $0.frames.checked = 99 }, "only 99 frames were checked"),
  ]) func eachFailedCheckIsReported(_ tally: TornTally, _ failure: String) {
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
    other.frames.add("frame 3")
    other.frames.add(nil)
    let sum = Self.good + other
    #expect(sum.frames == .init(checked: 202, torn: 1, first: "frame 3") && sum.overtaken == 10)
    #expect(sum.control == .init(checked: 20, torn: 4) && sum.hasTorn)
  }
}
