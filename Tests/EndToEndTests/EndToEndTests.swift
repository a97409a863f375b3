import Testing

/// The built programs, as processes.
///
/// The tests of all suites run one after the other: each has a container of its own, but they share the machine's
/// cores, and some of them measure rates.
@Suite(.serialized, .timeLimit(.minutes(1))) enum EndToEndTests {}

extension Tag {
  /// A test that takes several seconds: `swift test --skip` by its suite for a short cycle.
  @Tag static var slow: Self
}
