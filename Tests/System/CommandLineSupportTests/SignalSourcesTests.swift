import TestSupport

/// The tests send signals to separate processes: a signal that is not handled ends the process.
@Suite struct SignalSourcesTests {
  @Test(arguments: [SIGUSR1, SIGUSR2, SIGINT, SIGTERM])
  func aSignalSentRightAfterIsHandledAndDoesNotEndTheProgram(_ number: Int32) async {
    await #expect(processExitsWith: .exitCode(EXIT_SUCCESS)) { [number] in
      let signals = SignalSources(queue: DispatchQueue(label: "actions"))
      await withCheckedContinuation { continuation in
        let once = Once { continuation.resume() }
        signals.handle(number) { once.run() }
        kill(getpid(), number)
      }
      withExtendedLifetime(signals) {}
    }
  }

  @Test func anActionRunsOnItsQueue() async {
    await #expect(processExitsWith: .success) {
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
}
