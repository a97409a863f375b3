import Causes
import ReplayKit
import TestSupport

@testable import EmulatedSystem

/// Tests that samples are counted that a handler holds after its call returns, and no others.
@MainActor @Suite struct HeldSampleCounterTests {
  let clock = TestClock()
  let samples: HeldSampleCounter
  let sample: CMSampleBuffer

  init() throws {
    samples = HeldSampleCounter(clock: clock)
    sample = try firstSample()
  }

  private func deliver(_ handle: (CMSampleBuffer) -> Void) {
    samples.watch { handle(sample.handed(to: $0)) }
  }

  private func copy(of sample: CMSampleBuffer) -> CMSampleBuffer? {
    var copy: CMSampleBuffer?
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy)
    return copy
  }

  @Test func aSampleThatIsReleasedInTheCallIsNotHeld() {
    deliver { _ in clock.advance(by: .seconds(1)) }
    clock.advance(by: .seconds(1))
    #expect(samples.figures == HeldSampleCounter.Figures())
  }

  @Test(arguments: [(9, 0), (50, 1)]) func aSampleIsHeldFromTenMillisecondsOn(_ time: Int, _ count: UInt64) {
    var kept: CMSampleBuffer?
    deliver { kept = $0 }
    withExtendedLifetime(kept) { clock.advance(by: .milliseconds(time)) }
    kept = nil
    clock.advance(by: .seconds(1))
    #expect(samples.figures.count == count)
    #expect(samples.figures.longest == (count == 0 ? .zero : .milliseconds(time)))
  }

  @Test func aSampleThatIsNeverReleasedIsHeldToo() {
    var kept: [CMSampleBuffer] = []
    for _ in 0..<2 {
      deliver { kept.append($0) }
      clock.advance(by: .milliseconds(30))
    }
    withExtendedLifetime(kept) {
      #expect(samples.figures == HeldSampleCounter.Figures(count: 2, longest: .milliseconds(60)))
    }
  }

  @Test func aCopyOfTheSampleHoldsItAndItsPixelBufferDoesNot() {
    var (kept, pixels): (CMSampleBuffer?, CVPixelBuffer?)
    deliver { pixels = CMSampleBufferGetImageBuffer($0) }
    clock.advance(by: .milliseconds(30))
    withExtendedLifetime(pixels) { #expect(samples.figures.count == 0) }
    deliver { kept = copy(of: $0) }
    clock.advance(by: .milliseconds(30))
    withExtendedLifetime(kept) { #expect(samples.figures.count == 1) }
  }

  @Test func aFrameworkThatKeepsTheSampleForItselfDoesNotCount() {
    var kept: CMSampleBuffer?
    deliver { kept = $0.handed(to: nil) }
    clock.advance(by: .milliseconds(30))
    withExtendedLifetime(kept) { #expect(samples.figures.count == 0) }
    #expect(kept?.imageBuffer === sample.imageBuffer)
    #expect(
      kept.flatMap {
        CMGetAttachment($0, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)
      }?.uint32Value
        == CMGetAttachment(sample, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?
        .uint32Value)
  }

  @Test func workOnAnotherQueueThatTheCallWaitsForDoesNotCount() {
    let queue = DispatchQueue(label: "copies")
    for _ in 0..<100 {
      deliver { sample in
        let done = DispatchSemaphore(value: 0)
        queue.async {
          _ = CMSampleBufferGetImageBuffer(sample)
          done.signal()
        }
        done.wait()
      }
    }
    queue.sync {}
    clock.advance(by: .milliseconds(30))
    #expect(samples.figures.count == 0)
  }

  @Test(arguments: [true, false]) func theReportOfABroadcastCountsVideoAndAudio(_ holds: Bool) async throws {
    let rig = try SystemRig(audio: [EmulatedAudio(type: .audioApp, content: nil)])
    rig.handler.holdsSamples = holds
    await rig.start()
    await rig.tick(2)
    rig.check(after: .milliseconds(20))
    await rig.settle()
    rig.clock.advance(by: .milliseconds(15))
    await rig.stop()
    let calls = rig.handler.calls.filter { $0 == "video" || $0 == "audio" }
    #expect(Set(calls) == ["video", "audio"])
    #expect(rig.system.misuses.isEmpty)
    // Samples that are delivered during the stop come too late to count as held.
    let held = try #require(rig.end?.samplesHeld)
    #expect(holds ? held >= 4 : held == 0)
  }
}
