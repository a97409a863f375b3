import Testing

/// The two programs as they were built, as processes of their own.
///
/// One test at a time, across all suites: each has a container of its own, but they share the machine's cores,
/// and some of them look at rates.
@Suite(.serialized, .timeLimit(.minutes(1))) enum EndToEndTests {}
