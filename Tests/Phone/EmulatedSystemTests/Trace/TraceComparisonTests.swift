import RunReports
import Testing

@testable import EmulatedSystem

@Suite struct TraceComparisonTests {
  private static let lines =
    [Traces.call("broadcastStarted", 0)] + (1...20).map { Traces.video(20 * $0) }
    + [Traces.call("broadcastFinished", 500)]

  private func comparison(_ change: (inout [String]) -> Void) throws -> TraceComparison {
    var lines = Self.lines
    change(&lines)
    return TraceComparison(try Traces.trace(lines).lines, with: try Traces.trace(Self.lines))
  }

  @Test func aTraceEqualsItselfAtAnotherTime() throws {
    let trace = try Traces.trace(Self.lines)
    let later = trace.lines.map { $0.shifted(by: 77_000_000_123) }
    let comparison = TraceComparison(later, with: trace)
    #expect(
      comparison.differences == [] && comparison.arrivals.count == 22 && comparison.arrivals.maximum == 0)
  }

  @Test func aMissingCallIsNamedWithItsLine() throws {
    let differences = try comparison { $0.removeSubrange(5...6) }.differences
    #expect(
      differences.map { String($0.prefix(39)) } == [
        "phone.jsonl:6: This call is missing: {\"", "phone.jsonl:7: This call is missing: {\"",
      ])
    #expect(differences[0].contains(#""presentation":100000000"#))
  }

  @Test func aFurtherCallIsNamedWithTheLineThatItPrecedes() throws {
    let differences = try comparison { $0.insert(Traces.call("broadcastPaused", 65), at: 4) }.differences
    #expect(
      differences == [#"phone.jsonl:5: Before this line came {"arrival":65000000,"kind":"broadcastPaused"}."#]
    )
  }

  @Test func aChangedShapeOrTimeIsOneDifference() throws {
    for (old, new) in [("64,64", "128,64"), (#""presentation":40000000"#, #""presentation":40000001"#)] {
      let differences = try comparison { $0[2] = $0[2].replacing(old, with: new) }.differences
      #expect(differences.count == 1)
      #expect(differences.first?.hasPrefix("phone.jsonl:3: Expected was {") == true, "\(differences)")
    }
  }

  @Test func aTraceThatEndsEarlyOrLateDiffers() throws {
    #expect(
      try comparison { $0.removeLast(3) }.differences.map { String($0.prefix(36)) } == [
        "phone.jsonl:20: This call is missing", "phone.jsonl:21: This call is missing",
        "phone.jsonl:22: This call is missing",
      ])
    let short = try Traces.trace(Self.lines.dropLast())
    #expect(
      TraceComparison(try Traces.trace(Self.lines).lines, with: short).differences == [
        #"phone.jsonl:21: After the last line came {"arrival":500000000,"kind":"broadcastFinished"}."#
      ])
  }

  @Test func aCallThatIsLateIsCountedAndIsADifferenceAboveTenSeconds() throws {
    let late = try comparison { $0[21] = Traces.call("broadcastFinished", 600) }
    #expect(late.differences == [] && late.lateCount == 1 && late.arrivals.maximum == 100)
    let later = try comparison { $0[21] = Traces.call("broadcastFinished", 10_501) }
    #expect(
      later.differences == [
        "phone.jsonl:22: The call arrived 10.00 s later than expected; at most 10 s is the machine's."
      ])
  }

  @Test func nothingIsEqualToNothing() throws {
    let comparison = TraceComparison([], with: try Traces.trace(Self.lines))
    #expect(comparison.differenceCount == 22 && comparison.differences.count == 20)
  }
}
