import CoreMedia
import Foundation
import PixelAccess
import ReplayKit
import Synchronization
import TestSupport
import Testing

@testable import EmulatedSystem

@MainActor @Suite struct SampleDeliveryTests {
  /// A handler that works on a sample until it is let go.
  final class SlowHandler: RPBroadcastSampleHandler {
    let types = Recorder<RPSampleBufferType>()
    let letGo = DispatchSemaphore(value: 0)

    override func processSampleBuffer(
      _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
    ) {
      types.add(sampleBufferType)
      letGo.wait()
    }
  }

  let handler = SlowHandler()
  let screen: EmulatedScreen

  init() throws { screen = try EmulatedScreen(content: ScriptedContent(), pixelFormat: fullRange) }

  private func sample() throws -> ScreenSample {
    try #require(try screen.nextSample(frame: 1, time: 0).sample)
  }

  private func drained(_ delivery: SampleDelivery) async {
    await withCheckedContinuation { done in delivery.drain { done.resume() } }
  }

  @Test func fiveOfEachMediumWaitAndTheRestIsDroppedAndCounted() async throws {
    let delivery = SampleDelivery(handler: handler)
    let sample = try sample()
    #expect(delivery.offer(sample))
    #expect(await eventually { handler.types.values.count == 1 })
    var taken: [Bool] = []
    for _ in 0..<8 { taken.append(delivery.offer(sample)) }
    #expect(taken == [true, true, true, true, true, false, false, false])
    // Sound waits apart from pictures, both kinds of it together.
    taken = []
    for index in 0..<7 {
      taken.append(delivery.offer(sample.buffer, index.isMultiple(of: 2) ? .audioApp : .audioMic))
    }
    #expect(taken == [true, true, true, true, true, false, false])
    for _ in 0..<11 { handler.letGo.signal() }
    await drained(delivery)
    #expect(
      handler.types.values == Array(repeating: .video, count: 6) + [
        .audioApp, .audioMic, .audioApp, .audioMic, .audioApp,
      ])
    #expect(delivery.counts(.video).delivered == 6)
    #expect(delivery.counts(.video).dropped == 3)
    #expect(delivery.counts(.audio).delivered == 5)
    #expect(delivery.counts(.audio).dropped == 2)
  }

  @Test func onceTheHandlerHasEndedItWhatWaitsIsLeftOut() async throws {
    let delivery = SampleDelivery(handler: handler)
    let sample = try sample()
    for _ in 0..<4 { #expect(delivery.offer(sample)) }
    #expect(await eventually { handler.types.values.count == 1 })
    let error = NSError(domain: "test", code: 1)
    delivery.close(with: error)
    delivery.close(with: NSError(domain: "test", code: 2))
    let calls = Recorder<Int>()
    delivery.call { _ in
      calls.add(1)
    } completion: {
      calls.add(2)
    }
    handler.letGo.signal()
    await drained(delivery)
    #expect(handler.types.values.count == 1)
    #expect(delivery.counts(.video).delivered == 1)
    #expect(delivery.error == error)
    #expect(calls.values == [2])
  }

  @Test func aDelayLengthensEveryCall() async throws {
    let delivery = SampleDelivery(handler: handler)
    delivery.delay = .milliseconds(30)
    handler.letGo.signal()
    let start = ContinuousClock.now
    #expect(delivery.offer(try sample()))
    delivery.call { _ in }
    await drained(delivery)
    #expect(ContinuousClock.now - start >= .milliseconds(60))
  }
}
