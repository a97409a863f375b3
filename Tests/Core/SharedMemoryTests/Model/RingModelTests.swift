import TestSupport

/// Checks models of the ring protocols in all interleavings of their steps and all permitted memory orders.
///
/// All searches take half a minute of CPU time, and run with `LONG_TESTS=1`. Otherwise only the short searches run: small
/// variants, one removed guard of each kind, and one event.
@Suite(.needs(.spin, .gcc), .tags(.slow), .busyMachine) struct RingModelTests {
  /// A size and shape of a model; see the top of `Model/frames.pml` and `Model/audio.pml`.
  struct Variant: CustomTestStringConvertible {
    let testDescription: String
    let ring: RingModel
    let definitions: [String]
    /// Whether the variant also runs in the short form of the suite.
    let isShort: Bool

    init(_ description: String, _ ring: RingModel, _ definitions: String, isShort: Bool = false) {
      testDescription = description
      self.ring = ring
      self.definitions = definitions.split(separator: " ").map(String.init)
      self.isShort = isShort
    }
  }

  // The longest search first.
  static let variants = [
    Variant("two wait", .frames, "SLEEPERS=2 ENDS FRAMES=3"),
    Variant(
      "one waits, the writer dies and starts over", .frames,
      "SLEEPERS=1 ENDS WRITER_DIES FILES=2 FRAMES=2 ROUNDS=3"),
    Variant("one polls, one waits", .frames, "POLLERS=1 SLEEPERS=1 FRAMES=3"),
    Variant(
      "one polls, the writer dies and starts over", .frames,
      "POLLERS=1 ENDS WRITER_DIES FILES=2 FRAMES=2 ROUNDS=3"),
    Variant("one polls", .frames, "POLLERS=1 THROWS ENDS FRAMES=5"),
    Variant("one polls, 2 slots", .frames, "POLLERS=1 SLOTS=2 THROWS ENDS FRAMES=4", isShort: true),
    Variant("one polls, 4 slots", .frames, "POLLERS=1 SLOTS=4 THROWS FRAMES=4"),
    Variant("one waits", .frames, waits, isShort: true), Variant("audio", .audio, audio, isShort: true),
    Variant("audio, read three times", .audio, "PACKETS=6 ROUNDS=3"),
    Variant("audio, a larger table", .audio, "PACKETS=6 TABLE=3"),
    Variant("audio, more room", .audio, "PACKETS=6 ROOM=3"),
    Variant("audio, both larger", .audio, "PACKETS=7 TABLE=4 ROOM=4"),
  ].filter { runsLongTests || $0.isShort }

  @Test(arguments: variants) func theProtocolHolds(variant: Variant) async throws {
    let outcome = try await variant.ring.search(variant.definitions, optimized: !variant.isShort)
    #expect(outcome.isComplete, "\(outcome)")
    #expect(outcome.states > 1000)
  }

  private static let polls = "POLLERS=1 SLOTS=2 THROWS FRAMES=4"
  private static let waits = "SLEEPERS=1 ENDS FRAMES=3"
  private static let audio = "PACKETS=5"

  /// The removed guards and the events of the short form.
  private static let short: Set = [
    "NO_SECOND_CHECK", "NO_WAKE_BARRIER", "NO_RELEASE_AT_PACKETS", "NO_FENCE_AFTER_COPY", "WOKEN",
  ]

  /// The model without one guard, and a part of the assertion that then fails.
  static let controls =
    [
      (RingModel.frames, polls, "NO_RELEASE_FENCE", torn), (.frames, polls, "NO_ACQUIRE_FENCE", torn),
      (.frames, polls, "NO_SECOND_CHECK", torn), (.frames, polls, "NO_RELEASE_AT_ODD", denied),
      (.frames, polls, "NO_RELEASE_AT_LATEST", denied),
      (.frames, waits, "NO_WAKE_BARRIER", missed), (.frames, waits, "NO_WAIT_BARRIER", missed),
      (.frames, waits, "NO_COMPARE", missed), (.frames, waits, "NO_MARK", missed),
      (.audio, audio, "NO_RELEASE_AT_PACKETS", uncounted),
      (.audio, audio, "NO_ACQUIRE_OF_PACKETS", uncounted),
      (.audio, audio, "NO_RELEASE_AT_RESERVED", room), (.audio, audio, "NO_ACQUIRE_OF_RESERVED", room),
      (.audio, audio, "NO_SECOND_CHECK", torn), (.audio, audio, "NO_FENCE_AFTER_ENTRY", torn),
      (.audio, audio, "NO_RELEASE_FENCE", torn), (.audio, audio, "NO_RESERVED_FIRST", torn),
      (.audio, audio, "NO_FENCE_AFTER_COPY", torn), (.audio, audio, "NO_SECOND_LOOK", torn),
    ].filter { runsLongTests || short.contains($0.2) }.map { control -> (Variant, String) in
      (Variant("\(control.2), \(control.0)", control.0, "\(control.1) \(control.2)"), control.3)
    } as [(Variant, String)]

  private static let torn = "isWhole"
  private static let denied = ">frame"
  private static let missed = "sleepsOn["
  private static let uncounted = ">k)||"
  private static let room = "room<="

  @Test(arguments: controls) func withoutAGuardItBreaks(variant: Variant, speaksOf: String) async throws {
    let outcome = try await variant.ring.search(variant.definitions, optimized: false)
    let violation = try #require(outcome.violation, "\(outcome)")
    #expect(violation.contains(speaksOf))
  }

  static let events = [
    (RingModel.frames, polls, "OVERTAKEN"), (.frames, waits, "WOKEN"), (.frames, waits, "WOKEN_BY_THE_END"),
    (.frames, waits, "NOT_ASLEEP"),
    (.frames, "POLLERS=1 WRITER_DIES FILES=2 FRAMES=2 ROUNDS=3", "READ_ANOTHER_FILE"),
    (.audio, audio, "READ"), (.audio, audio, "LAPPED"), (.audio, audio, "OVERTAKEN"),
    (.audio, audio, "DROPPED"),
  ].filter { runsLongTests || short.contains($0.2) }.map { event in
    Variant("\(event.2), \(event.0)", event.0, "\(event.1) WITNESS=\(event.2)")
  }

  @Test(arguments: events) func theModelGetsThere(variant: Variant) async throws {
    let outcome = try await variant.ring.search(variant.definitions, optimized: false)
    let violation = try #require(outcome.violation, "\(outcome)")
    #expect(violation.contains("!="))
  }
}
