import Testing

@testable import CommandLineSupport

@Suite struct DurationDecimalTests {
  @Test(arguments: [
    ("0", Duration.zero), ("1", .seconds(1)), ("0.1", .milliseconds(100)), ("007.50", .milliseconds(7500)),
    ("0.000000001", .nanoseconds(1)),
    ("0.000000000000000001", Duration(secondsComponent: 0, attosecondsComponent: 1)),
    ("999999999999", .seconds(999_999_999_999)),
  ]) func decimalSecondsAreTakenExactly(_ text: String, _ duration: Duration) {
    #expect(Duration(decimalSeconds: text) == duration)
  }

  @Test(arguments: [
    "", ".", ".5", "5.", "-1", "+1", "1e3", "0x1", "nan", "inf", "1.2.3", " 1", "1 ", "1,5", "١",
    "1000000000000", "0.0000000000000000001",
  ]) func anythingElseIsNoDuration(_ text: String) { #expect(Duration(decimalSeconds: text) == nil) }

  @Test(arguments: [
    ("5", Duration.seconds(5)), ("5s", .seconds(5)), ("1.5s", .milliseconds(1500)),
    ("500ms", .milliseconds(500)),
    ("2m", .seconds(120)), ("0.5m", .seconds(30)), ("5h", nil), ("s", nil), ("", nil), ("5 s", nil),
    ("1e3", nil),
    ("-5s", nil),
  ])
  func aPersonTypesATimeWithAUnit(_ text: String, _ duration: Duration?) {
    #expect(Duration(typed: text) == duration)
  }

  @Test(arguments: [
    (Duration.zero, "0"), (.seconds(60), "60"), (.milliseconds(10), "0.01"), (.nanoseconds(1), "0.000000001"),
    (.milliseconds(1_000_500), "1000.5"),
  ]) func aDurationIsWrittenWithoutZerosAtTheEnd(_ duration: Duration, _ text: String) {
    #expect(duration.decimalSeconds == text)
  }
}
