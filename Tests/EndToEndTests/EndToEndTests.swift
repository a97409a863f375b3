import TestSupport

/// The built programs, run as processes of their own.
///
/// Each test has a container of its own, so that several run at a time. Those that measure times run alone. The time limit
/// includes the wait for the others; each wait of a test has a limit of its own.
@Suite(.timeLimit(.minutes(60)), .tags(.slow), .sharedMachine) enum EndToEndTests {}
