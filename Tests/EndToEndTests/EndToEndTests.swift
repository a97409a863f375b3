import TestSupport
import Testing

/// The built programs, run as processes of their own.
///
/// The tests of all suites run one after the other: each has a container of its own, but they share the processor, and
/// some of them measure rates.
@Suite(.serialized, .timeLimit(.minutes(1)), .tags(.slow)) enum EndToEndTests {}
