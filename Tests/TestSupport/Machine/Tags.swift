extension Tag {
  /// A suite that takes seconds or minutes, because it runs whole programs or checks a model.
  ///
  /// `swift test --skip 'EndToEndTests|EnduranceProgramTests|RingModelTests'` skips these suites.
  @Tag package static var slow: Self
}

/// Whether tests with a short and a long form run in the long form (`LONG_TESTS=1 swift test`).
package let runsLongTests = ProcessInfo.processInfo.environment["LONG_TESTS"] == "1"
