import TestSupport
import Testing

/// The protocol of the ring, in all orders in which its steps can fall and its memory can lag behind.
///
/// All searches take a minute and a half of processor time, and run with `LONG_TESTS=1`. Otherwise those run that are marked
/// as short: small variants, a removed guard of each kind of reader, and an event.
@Suite(
  .enabled(if: RingModel.isAvailable, "install spin and gcc: apt-get install spin gcc"), .tags(.slow),
  .busyMachine)
struct RingModelTests {
  /// A size and shape of the model; see the top of `Model/ring.pml`.
  struct Variant: CustomTestStringConvertible {
    let testDescription: String
    let definitions: [String]
    /// Whether it also runs in the short form of the suite.
    let isShort: Bool

    init(_ description: String, _ definitions: String, isShort: Bool = false) {
      testDescription = description
      self.definitions = definitions.split(separator: " ").map(String.init)
      self.isShort = isShort
    }
  }

  // The longest first: they run side by side.
  static let variants = [
    Variant(
      "one waits, the writer starts over",
      "READERS=1 WAITS ENDS WRITER_DIES FILES=2 COARSE FRAMES=2 ROUNDS=2"),
    Variant("two lease and die", "READERS=2 LEASES READERS_DIE SLOTS=2 COARSE FRAMES=3 ROUNDS=1"),
    Variant("one leases and waits", "READERS=1 LEASES WAITS FRAMES=4 ROUNDS=3"),
    Variant("two lease", "READERS=2 LEASES COARSE FRAMES=4 ROUNDS=1"),
    Variant("one polls, one leases and waits", "POLLERS=1 READERS=1 LEASES WAITS COARSE FRAMES=3 ROUNDS=1"),
    Variant("two wait", "READERS=2 WAITS ENDS COARSE FRAMES=2 ROUNDS=2"),
    Variant("one polls", "POLLERS=1 THROWS ENDS FRAMES=5"),
    Variant("one polls, 2 slots", "POLLERS=1 SLOTS=2 THROWS ENDS FRAMES=4", isShort: true),
    Variant("one polls, 4 slots", "POLLERS=1 SLOTS=4 THROWS FRAMES=4"),
    Variant(
      "one polls, the writer dies and starts over",
      "POLLERS=1 ENDS WRITER_DIES FILES=2 FRAMES=2 ROUNDS=3"),
    Variant("one leases, taken back by age", "READERS=1 LEASES AGE THROWS FRAMES=4"),
    Variant("one leases, 4 slots", "READERS=1 LEASES AGE SLOTS=4 FRAMES=4"),
    Variant(
      "one leases, dies and is followed",
      "READERS=1 LEASES AGE READERS_DIE LIVES=2 COARSE FRAMES=4 ROUNDS=1"),
    Variant("one leases and dies, 2 slots", leasesAndDies, isShort: true),
    Variant("the same, and is followed", "LIVES=2 \(leasesAndDies)"),
    Variant("one waits, dies and is followed", "READERS=1 WAITS ENDS READERS_DIE LIVES=2 FRAMES=3"),
    Variant("the same, 2 frames", "READERS=1 WAITS ENDS READERS_DIE LIVES=2 FRAMES=2", isShort: true),
  ].filter { runsLongTests || $0.isShort }

  @Test(arguments: variants) func theProtocolHolds(variant: Variant) async throws {
    let outcome = try await RingModel.search(variant.definitions, optimized: !variant.isShort)
    #expect(outcome.isComplete, "\(outcome)")
    #expect(outcome.states > 1000)
  }

  private static let polls = "POLLERS=1 THROWS FRAMES=4"
  private static let leases = "READERS=1 LEASES AGE FRAMES=4"
  private static let leasesAndDies = "READERS=1 LEASES READERS_DIE SLOTS=2 COARSE FRAMES=4 ROUNDS=1"
  private static let waits = "READERS=1 WAITS ENDS FRAMES=3"

  /// The removed guards and the events of the short form.
  private static let short: Set = [
    "NO_SECOND_CHECK", "NO_CAS", "NO_CLEARING_AT_REGISTRATION", "NO_SWEEP", "NO_SC_AT_WAITING", "WOKEN",
  ]

  /// The model without one guard, and what the assertion that fails then speaks of.
  static let controls = [
    (polls, "NO_RELEASE_FENCE", torn), (polls, "NO_ACQUIRE_FENCE", torn), (polls, "NO_SECOND_CHECK", torn),
    (polls, "NO_RELEASE_AT_ODD", damage), (polls, "NO_RELEASE_AT_LATEST", damage),
    (leases, "NO_CAS", broken), (leases, "NO_RELEASE_OF_SLOT", changed),
    (leases, "NO_RELEASE_AT_END", broken),
    (leases, "NO_HONOURED_IN_LEASE", broken), (leases, "NO_ACQUIRE_OF_HONOURED", changed),
    (leases, "NO_RELEASE_FENCE", torn),
    ("LIVES=2 \(leasesAndDies)", "NO_LOCK_IN_SWEEP", broken),
    ("LIVES=2 \(leasesAndDies)", "NO_CLEARING_AT_REGISTRATION", bits), (leasesAndDies, "NO_SWEEP", "allDead"),
    (waits, "NO_SC_AT_LATEST", missed), (waits, "NO_SC_AT_LOAD_OF_WAITING", missed),
    (waits, "NO_SC_AT_WAITING", missed), (waits, "NO_SC_AT_LOAD_OF_LATEST", missed),
    (waits, "NO_HONOURED_IN_WAIT", missed), (waits, "NO_MARK", missed),
  ].filter { runsLongTests || short.contains($0.1) }.map { (Variant($0.1, "\($0.0) \($0.1)"), $0.2) }

  private static let torn = "(a&&b)"
  private static let damage = ">frame"
  private static let broken = "fileOf[0]==file"
  private static let changed = "(leaseOn[i]==0)"
  private static let bits = "holders["
  private static let missed = "sleepsOn["

  @Test(arguments: controls) func withoutAGuardItBreaks(variant: Variant, speaksOf: String) async throws {
    let outcome = try await RingModel.search(variant.definitions, optimized: false)
    let violation = try #require(outcome.violation, "\(outcome)")
    #expect(violation.contains(speaksOf))
  }

  static let events = [
    (polls, "OVERTAKEN"), ("POLLERS=1 WRITER_DIES FILES=2 FRAMES=2 ROUNDS=3", "READ_ANOTHER_FILE"),
    (leases, "LEASED"), (leases, "TAKEN_BACK"), (leases, "REFUSED"),
    (leasesAndDies, "SWEPT"),
    (waits, "WOKEN"), (waits, "WOKEN_BY_THE_END"),
  ].filter { runsLongTests || short.contains($0.1) }.map { Variant($0.1, "\($0.0) WITNESS=\($0.1)") }

  @Test(arguments: events) func theModelGetsThere(variant: Variant) async throws {
    let outcome = try await RingModel.search(variant.definitions, optimized: false)
    let violation = try #require(outcome.violation, "\(outcome)")
    #expect(violation.contains("!="))
  }
}
