import TestSupport

@testable import BroadcastTesting
@testable import VirtualDevice

@MainActor struct VirtualClockTests {
  private let realTime = TestClock()
  private let clock: VirtualClock
  private let queue = DispatchQueue(label: "handler")

  init() { clock = VirtualClock(at: 0, realTime: realTime) }

  @Test func aFunctionThatDoesNotReturnHangs() async {
    let end = DispatchSemaphore(value: 0)
    clock.enqueue(queue, nil) { end.wait() }
    // Runs when the clock waits.
    Task { realTime.advance(by: .seconds(21)) }
    #expect(await !clock.settle())
    end.signal()
    #expect(await clock.settle())
  }

  @Test func aMainQueueThatIsBusyIsNoHang() async {
    clock.enqueue(queue, nil) { [clock, realTime, queue] in
      clock.enqueue(.main, nil) {
        realTime.advance(by: .seconds(21))
        let mainQueueIsFree = DispatchSemaphore(value: 0)
        clock.enqueue(queue, nil) { mainQueueIsFree.wait() }
        Task { @MainActor in mainQueueIsFree.signal() }
      }
    }
    #expect(await clock.settle())
  }

  @Test func aFunctionThatWaitsForABusyMainQueueIsNoHang() async {
    clock.enqueue(queue, nil) { [clock, realTime] in
      let isDone = DispatchSemaphore(value: 0)
      clock.enqueue(.main, nil) {
        realTime.advance(by: .seconds(21))
        Task { @MainActor in isDone.signal() }
      }
      isDone.wait()
    }
    #expect(await clock.settle())
  }
}
