import TestSupport

/// Tests the built programs as separate processes.
///
/// Each test has a private container, so several tests run at a time. Tests that measure times run alone. The time limit
/// includes the wait for other tests; each wait within a test has a separate limit.
@Suite(.timeLimit(.minutes(60)), .tags(.slow), .sharedMachine) enum EndToEndTests {}
