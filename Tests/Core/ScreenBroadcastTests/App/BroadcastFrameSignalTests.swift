import ScreenBroadcast
import SharedMemory
import TestSupport

@Suite struct BroadcastFrameSignalTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let observer = FrameObserver()

  private func subscribedContext(_ observer: FrameObserver? = nil) -> BroadcastBufferContext {
    let context = BroadcastBufferContext(
      container: container, framePollTimer: BroadcastFrameSignal(container: container),
      isWoken: true, interval: .milliseconds(5))
    context.subscribe(observer ?? self.observer)
    return context
  }

  @Test func everyFrameOfEverySessionIsReported() throws {
    let context = subscribedContext()
    for session in 1...3 {
      let ring = try container.makeRing()
      for number in 1...10 as ClosedRange<UInt64> {
        try ring.publish(try makePicture(seed: UInt8(number)))
        #expect(
          holds {
            let last = observer.frames.values.last?.id
            return last?.session == ring.session.id && last?.number == number
          })
      }
      try ring.finish()
      #expect(observer.frames.values.count == session * 10)
    }
    context.unsubscribe()
  }

  @Test func aLargerFileOfTheSessionIsFollowed() throws {
    let context = subscribedContext()
    let ring = try container.makeRing()
    for side in [8, 100, 8, 200] {
      try ring.publish(try makePicture(width: side, height: side))
      #expect(holds { observer.frames.values.last?.id.number == ring.framesPublished })
    }
    context.unsubscribe()
  }

  @Test func nothingIsReportedAfterACancel() throws {
    let context = subscribedContext()
    let ring = try container.makeRing()
    try ring.publish(try makePicture())
    #expect(holds { observer.numbers == [1] })
    context.unsubscribe()
    let other = FrameObserver()
    let otherContext = subscribedContext(other)
    try ring.publish(try makePicture())
    #expect(holds { other.numbers.last == 2 })
    #expect(observer.numbers == [1])
    context.subscribe(observer)
    try ring.publish(try makePicture())
    #expect(holds { observer.numbers.last == 3 })
    for context in [context, otherContext] { context.unsubscribe() }
  }

  @Test func anUnreadableRingIsReportedAsByThePoll() throws {
    let context = subscribedContext()
    try PlainFile.replace(container.framesFile, with: Array("no ring".utf8))
    #expect(holds { observer.failures.values.count == 1 })
    let ring = try container.makeRing()
    try ring.publish(try makePicture())
    #expect(holds { observer.numbers == [1] })
    context.unsubscribe()
  }
}
