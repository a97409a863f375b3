import TestSupport

@testable import ContainingApp

@Suite struct AudioPresenceTests {
  private var presence = AudioPresence()

  private func time(_ milliseconds: Int) -> MonotonicTime { .zero + .milliseconds(50_000 + milliseconds) }

  /// Adds frames at 30 fps for a range of a session (in milliseconds).
  private mutating func show(_ range: Range<Int>, session: UInt64 = 1) {
    for frame in stride(from: range.lowerBound, to: range.upperBound, by: 33) {
      presence.add(session, time: time(frame))
    }
  }

  @Test mutating func aStreamThatEndsWhileFramesComeHasStopped() {
    presence.hear(1, end: time(0))
    show(10..<1_900)
    #expect(!presence.hasStopped)
    show(1_900..<4_000)
    #expect(presence.hasStopped && abs(presence.absence / .seconds(1) - 4) < 0.1)
    presence.hear(1, end: time(4_000))
    #expect(!presence.hasStopped && presence.absence == .zero)
  }

  @Test mutating func packetsOfHalfASecondAreNoStop() {
    for packet in 0..<20 {
      presence.hear(1, end: time(packet * 512))
      show(packet * 512..<packet * 512 + 1_000)
      #expect(!presence.hasStopped)
    }
  }

  @Test mutating func pausesAndStillScreensAreNoStop() {
    presence.hear(1, end: time(0))
    // A pause of a minute, twice. The audio arrives half a second after the frames.
    for minute in 1...2 {
      show(minute * 60_000..<minute * 60_000 + 500)
      presence.hear(1, end: time(minute * 60_000 + 500))
      #expect(!presence.hasStopped)
    }
    // A frame every two seconds, as on a clock.
    for second in stride(from: 122, to: 200, by: 2) { presence.add(1, time: time(second * 1_000)) }
    #expect(!presence.hasStopped)
  }

  @Test mutating func anotherBroadcastWithoutTheStreamIsNoStop() {
    presence.hear(1, end: time(0))
    show(0..<10_000, session: 2)
    #expect(!presence.hasStopped)
  }

  @Test mutating func aStreamThatNeverCameIsNotOneThatStopped() {
    show(0..<4_000)
    #expect(!presence.hasStopped && presence.absence == .zero)
    presence.hear(1, end: time(4_000))
    #expect(!presence.hasStopped)
  }

  @Test mutating func framesWithoutTimesAreNothing() {
    presence.hear(0, end: time(0))
    for _ in 0..<1_000 { presence.add(0, time: .zero) }
    #expect(!presence.hasStopped)
  }
}
