import EmulatedSystem
import Platform

/// Advances a virtual clock, and gives the handler's own threads real time to finish with their samples.
@MainActor
package final class VirtualClockDriver {
  /// Thrown if a call of the code under test has not returned for 20 s of real time.
  package struct Hang: Error {}

  private let clock: VirtualClock
  /// The number of buffers that were not released although there was time to do so.
  private var buffersKept = 0
  private var mostBuffersKept = 0
  private var steps = 0
  /// The screen whose samples the code holds; `nil` while nothing is delivered.
  package var screen: EmulatedScreen? {
    didSet { buffersKept = 0 }
  }

  /// The real time that the code gets to release its samples.
  package static let releaseTime = Duration.milliseconds(50)
  /// The real time if the code holds more samples than ever before, because an overloaded host may not run its threads for
  /// a moment.
  private static let firstReleaseTime = Duration.milliseconds(500)

  package nonisolated init(_ clock: VirtualClock) { self.clock = clock }

  package func run(for duration: Duration) async throws {
    let limit = clock.now + duration
    while try await step(until: limit) {}
  }

  /// Advances to the next due work, at most to `limit`. Returns `false` at `limit`.
  package func step(until limit: MonotonicTime) async throws -> Bool {
    let isBefore = clock.step(until: limit)
    // Let other work on the main queue run: the handler's, and other tests'.
    steps += 1
    if steps.isMultiple(of: 8) { await Task.yield() }
    try await settle()
    try await letRelease()
    return isBefore
  }

  /// Waits until all work in progress has ended.
  package func settle() async throws {
    guard await clock.settle() else {
      try Task.checkCancellation()
      throw Hang()
    }
  }

  private func letRelease() async throws {
    guard let screen else { return }
    var held = screen.heldBuffers(at: clock.now).count
    guard held > buffersKept else { return buffersKept = held }
    let start = ContinuousClock.now
    let limit = held > mostBuffersKept ? Self.firstReleaseTime : Self.releaseTime
    while held > buffersKept, ContinuousClock.now - start < limit {
      try await Task.sleep(for: .microseconds(100))
      held = screen.heldBuffers(at: clock.now).count
    }
    buffersKept = held
    mostBuffersKept = max(mostBuffersKept, held)
    try await settle()
  }
}
