import ReplayKit
import RunReports
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct SampleDeliveryTests {
  /// A handler that blocks on each sample until a test releases it.
  final class BlockingHandler: RPBroadcastSampleHandler {
    let types = Recorder<RPSampleBufferType>()
    let permits = DispatchSemaphore(value: 0)

    override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
      types.add(type)
      permits.wait()
    }
  }

  let handler = BlockingHandler()
  let clock = TestClock()
  let delivery: SampleDelivery<RPBroadcastSampleHandler>
  let sample: CMSampleBuffer

  init() throws {
    delivery = SampleDelivery(to: handler, time: DeviceTime(clock: clock)) {
      $0.processSampleBuffer($1, with: $2)
    }
    sample = try firstSample()
  }

  private func drain() async {
    await withCheckedContinuation { done in
      delivery.call { _ in
      } completion: {
        done.resume()
      }
    }
  }

  @Test func fiveSamplesOfEachMediumWaitAndFurtherOnesAreDropped() async throws {
    #expect(delivery.offer(sample, .video))
    #expect(await eventually { handler.types.values.count == 1 })
    var taken = (0..<8).map { _ in delivery.offer(sample, .video) }
    #expect(taken == [true, true, true, true, true, false, false, false])
    // Both kinds of audio share a queue, separate from video.
    taken = (0..<7).map { delivery.offer(sample, $0.isMultiple(of: 2) ? .audioApp : .audioMic) }
    #expect(taken == [true, true, true, true, true, false, false])
    for _ in 0..<11 { handler.permits.signal() }
    await drain()
    #expect(
      handler.types.values == Array(repeating: .video, count: 6) + [
        .audioApp, .audioMic, .audioApp, .audioMic, .audioApp,
      ])
    #expect(delivery.counts(.video).delivered == 6 && delivery.counts(.video).dropped == 3)
    #expect(delivery.counts(.audio).delivered == 5 && delivery.counts(.audio).dropped == 2)
  }

  @Test func aThreadThatStartsLateIsNotTheWorkOfTheReceiver() async throws {
    let queue = DispatchQueue(label: "late")
    let delivery = SampleDelivery(to: handler, on: queue, time: DeviceTime(clock: clock)) {
      $0.processSampleBuffer($1, with: $2)
    }
    queue.suspend()
    #expect(!delivery.isWaitingForThread)
    for _ in 0..<2 { #expect(delivery.offer(sample, .video)) }
    clock.advance(by: .milliseconds(30))
    #expect(delivery.isWaitingForThread && delivery.machineDelay(at: clock.now) == .milliseconds(30))
    queue.resume()
    #expect(await eventually { handler.types.values.count == 1 })
    // The second sample waits for the first call, not for a thread.
    clock.advance(by: .milliseconds(500))
    #expect(!delivery.isWaitingForThread && delivery.machineDelay(at: clock.now) == .milliseconds(30))
    for _ in 0..<2 { handler.permits.signal() }
    #expect(await eventually { handler.types.values.count == 2 })
    #expect(delivery.machineDelay(at: clock.now) == .milliseconds(30))
  }

  @Test func theTimeWithoutAProcessorInACallIsNotTheWorkOfTheReceiver() async {
    let delays = Mutex([5, 45, 50, 50].map { Duration.milliseconds($0) })
    let time = DeviceTime(clock: clock, processorDelay: { delays.withLock { $0.removeFirst() } })
    let delivery = SampleDelivery(to: handler, time: time) { $0.processSampleBuffer($1, with: $2) }
    for _ in 0..<2 {
      await withCheckedContinuation { done in
        delivery.call { _ in
        } completion: {
          done.resume()
        }
      }
    }
    #expect(delivery.machineDelay(at: clock.now) == .milliseconds(40))
  }

  @Test func theTimeOfEachCallWithAFrameIsMeasured() async throws {
    for (count, milliseconds) in [(1, 20), (2, 40)] {
      #expect(delivery.offer(sample, .video))
      #expect(await eventually { handler.types.values.count == count })
      clock.advance(by: .milliseconds(milliseconds))
      handler.permits.signal()
      await drain()
    }
    #expect(delivery.offer(sample, .audioApp))
    handler.permits.signal()
    await drain()
    #expect((delivery.videoTimes.count, delivery.videoTimes.maximum) == (2, 40))
    #expect(abs(delivery.videoTimes.percentile(0.5) - 20) < 0.3)
  }

  /// A call with 30 ms of work counts as 30 ms, even if it takes 200 ms because other programs use the CPU.
  @Test func theTimeOfACallIsWithoutTheWaitForAProcessor() async throws {
    let delays = Mutex([Duration.milliseconds(5), .milliseconds(175)])
    let time = DeviceTime(clock: clock, processorDelay: { delays.withLock { $0.removeFirst() } })
    let delivery = SampleDelivery(to: handler, time: time) { $0.processSampleBuffer($1, with: $2) }
    #expect(delivery.offer(sample, .video))
    #expect(await eventually { handler.types.values.count == 1 })
    clock.advance(by: .milliseconds(200))
    handler.permits.signal()
    #expect(await eventually { delivery.videoTimes.count == 1 })
    #expect(abs(delivery.videoTimes.maximum - 30) < 0.01)
  }

  @Test func anEndDropsTheSamplesAndCallsThatWait() async throws {
    for _ in 0..<4 { #expect(delivery.offer(sample, .video)) }
    #expect(await eventually { handler.types.values.count == 1 })
    let error = NSError(domain: "test", code: 1)
    delivery.end(with: .byExtension(error))
    delivery.end(with: .gracefullyByExtension)
    let calls = Recorder<Int>()
    delivery.call { _ in
      calls.add(1)
    } completion: {
      calls.add(2)
    }
    handler.permits.signal()
    await drain()
    #expect(handler.types.values.count == 1)
    #expect(delivery.counts(.video).delivered == 1)
    guard case .byExtension(error)? = delivery.ending else {
      Issue.record("the first ending is lost")
      return
    }
    #expect(calls.values == [2])
  }

  @Test func aDelayLengthensEveryCall() async throws {
    delivery.delay = .milliseconds(30)
    handler.permits.signal()
    let (start, ends) = (clock.now, Recorder<MonotonicTime>())
    #expect(delivery.offer(sample, .video))
    delivery.call { _ in
    } completion: { [clock] in
      ends.add(clock.now)
    }
    #expect(
      await eventually {
        clock.advance(by: .milliseconds(30))
        return !ends.values.isEmpty
      })
    #expect(try #require(ends.values.first) - start >= .milliseconds(60))
    #expect(delivery.videoTimes.maximum >= 30)
  }

  @Test func aCallBesideTheOthersWaitsForTheFirstCallToBegin() async throws {
    let calls = Recorder<String>()
    delivery.call { _ in calls.add("first") }
    delivery.callConcurrently("beside") { _ in calls.add("beside") }
    #expect(await eventually { calls.values.count == 2 })
    await drain()
    #expect(Set(calls.values) == ["first", "beside"])
  }
}
