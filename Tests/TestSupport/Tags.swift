import Testing

extension Tag {
  /// A suite that takes seconds or minutes, because it runs whole programs or checks a model.
  ///
  /// `swift test --skip 'EndToEndTests|EnduranceProgramTests|RingModelTests'` leaves these suites out.
  @Tag package static var slow: Self
}
