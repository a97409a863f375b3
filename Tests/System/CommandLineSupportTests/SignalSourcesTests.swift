import CommandLineSupport
import Dispatch
import Foundation
import Testing

@Suite(.serialized) struct SignalSourcesTests {
  @Test(arguments: [SIGUSR1, SIGUSR2, SIGINT, SIGTERM])
  func aSignalSentRightAfterIsHandledAndDoesNotEndTheProgram(_ number: Int32) async {
    let signals = SignalSources(queue: DispatchQueue(label: "actions"))
    await withCheckedContinuation { continuation in
      let once = Once { continuation.resume() }
      signals.handle(number) { once.run() }
      kill(getpid(), number)
    }
    withExtendedLifetime(signals) {}
  }

  @Test func anActionRunsOnItsQueue() async {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "actions")
    queue.setSpecific(key: key, value: "actions")
    let signals = SignalSources(queue: queue)
    let place = await withCheckedContinuation { continuation in
      let once = Once { continuation.resume(returning: DispatchQueue.getSpecific(key: key)) }
      signals.handle(SIGUSR1) { once.run() }
      kill(getpid(), SIGUSR1)
    }
    #expect(place == "actions")
    withExtendedLifetime(signals) {}
  }
}
