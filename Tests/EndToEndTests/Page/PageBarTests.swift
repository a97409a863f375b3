import TestSupport

/// The duration of a measurement; 0 without `PAGE_BARS`.
private let seconds = ProcessInfo.processInfo.environment["PAGE_BARS"].flatMap { Double($0) } ?? 0

extension EndToEndTests {
  /// Measures the frames that the page draws, their delay, and the cost. Each test prints its values for `Docs/LivePage.md`.
  ///
  ///     swift build -c release
  ///     PAGE_BARS=60 PROGRAMS=.build/release swift test --filter PageBarTests
  ///
  /// `PAGE_BARS` is the duration of a measurement in seconds; the memory is followed for ten times as long. The bars hold
  /// for programs of a release build on two otherwise idle CPUs. If the host was overloaded, a missed bar is not judged.
  @MainActor
  @Suite(
    .machineAlone, .needs(.chromium),
    .enabled(if: seconds > 0, "takes minutes: set PAGE_BARS=60 and PROGRAMS=.build/release"))
  struct PageBarTests {
    let sandbox = Sandbox.ofSuite()
    // The browser needs both CPUs, so the probe's work is short.
    let pace = PaceMeter(allowing: .milliseconds(8), work: .microseconds(500))

    /// Starts an app that serves a page, and a producer.
    private func app(_ arguments: String..., size: String) async throws -> (LaunchedProgram, address: String)
    {
      let app = try sandbox.launch(
        BuiltPrograms.consumer, ["watch", "--json", "--container", sandbox.root, "--serve"] + arguments)
      let address = try #require(try await app.event("serving").text("address"))
      _ = try sandbox.producer("--size", size)
      try await app.event("format")
      return (app, address)
    }

    /// Waits for a part of the duration of a measurement.
    private func wait(_ part: Double = 1) async throws {
      let end = ContinuousClock.now + .seconds(part * seconds)
      try await eventually(
        "the end of the measurement", within: .seconds(part * seconds + 60), every: .milliseconds(200)
      ) { ContinuousClock.now >= end }
    }

    /// Returns the numbers that an expression of the page joins with spaces.
    private func numbers(_ expression: String, in page: Browser) async throws -> [Double] {
      try await page.value(of: expression).split(separator: " ").compactMap { Double($0) }
    }

    private func print(_ sentence: String) { Swift.print("PageBarTests: \(sentence)") }

    /// Returns the share of a core that a program uses during a part of the duration of a measurement.
    private func share(of program: LaunchedProgram, during part: Double = 1) async throws -> Double {
      let (before, start) = (try program.processorTime(), ContinuousClock.now)
      try await wait(part)
      return (try program.processorTime() - before) / (ContinuousClock.now - start)
    }

    @Test func aTallScreenIsDrawnThirtyTimesASecond() async throws {
      let (app, address) = try await app(size: "1170x2532")
      let shareWithoutPage = try await share(of: app, during: 0.25)
      let page = try await Browser(address, in: sandbox)
      try await page.show(width: 1280, height: 900, isDark: false)
      try await page.waits(for: "broadcast.captured.framesDrawn > 30")
      _ = try await page.value(
        of: """
          (({ captured } = broadcast) => {
            globalThis.bar = { at: performance.now(), drawn: captured.framesDrawn, ages: [], polls: [] };
            const { drawImage } = CanvasRenderingContext2D.prototype;
            captured.context.drawImage = function (source, ...places) {
              drawImage.call(this, source, ...places);
              bar.ages.push(performance.now() - captured.clockOffset - source.timestamp / 1000);
            };
            setInterval(({ receiveNs, captureNs } = captured.header) => bar.polls.push((receiveNs - captureNs) / 1e6), 100);
          })()
          """)
      let share = try await share(of: app) - shareWithoutPage
      let figures = try await numbers(
        """
        [1000 * (broadcast.captured.framesDrawn - bar.drawn) / (performance.now() - bar.at),
         ...[bar.ages, bar.polls].map((times) => times.sort((a, b) => a - b)[times.length >> 1])].join(' ')
        """, in: page)
      try await page.close()
      try #require(figures.count == 3)
      let (rate, age) = (figures[0], figures[1])
      print(
        "1170x2532: \(rate.formatted) pictures a second, \(age.formatted) ms after their capture at the median, "
          + "\(figures[2].formatted) ms of it until the app polled; "
          + "the page costs the consumer \((share * 100).formatted) % of a core.")
      try pace.expect {
        #expect(rate >= 29)
        #expect(age <= 25)
        #expect(share < 0.1)
      }
    }

    @Test func aCallIsDecodedThirtyTimesASecondWithoutAFreeze() async throws {
      let (_, address) = try await app("--output-size", "1080x720", size: "1080x720")
      let page = try await Browser(address, in: sandbox)
      try await page.show(width: 1280, height: 900, isDark: false)
      try await page.waits(for: "broadcast.call.framesDrawn > 2")
      _ = try await page.value(of: "document.getElementById('call-button').click()")
      // The encoder raises its bit rate in the first seconds.
      try await page.waits(for: "broadcast.calls.receiver.counts.read >= 300")
      _ = try await page.value(
        of: """
          (globalThis.bar = { at: performance.now(), before: { ...broadcast.calls.receiver.counts }, delays: [] },
           setInterval(() => bar.delays.push([...broadcast.calls.call.reports.values()][0]?.delayMsMedian), 1000))
          """)
      try await wait()
      let figures = try await numbers(
        """
        ((now) => [1000 * (now.drawn - bar.before.drawn) / (performance.now() - bar.at), now.freezes - bar.before.freezes,
          bar.delays.filter((delay) => delay >= 0).sort((a, b) => a - b)[bar.delays.length >> 1]].join(' ')
        )(broadcast.calls.receiver.counts)
        """, in: page)
      try await page.close()
      try #require(figures.count == 3)
      print(
        "the call at 1080x720: \(figures[0].formatted) pictures a second at the remote side, \(Int(figures[1])) freezes, "
          + "\(figures[2].formatted) ms from capture to drawn at the median.")
      try pace.expect {
        #expect(figures[0] >= 29)
        #expect(figures[1] == 0)
        #expect(figures[2] <= 120)
      }
    }

    @Test func theMemoryOfTheAppStaysLevelWithThePageOpenClosedAndReloaded() async throws {
      let (app, address) = try await app(size: "1170x2532")
      var memory: [Double] = []
      for round in 0..<5 {
        let page = try await Browser(address, in: sandbox)
        try await page.waits(for: "broadcast.captured.framesDrawn > 3")
        try await wait(0.8)
        try await page.reload()
        try await page.waits(for: "globalThis.broadcast?.captured.framesDrawn > 3")
        try await wait(0.8)
        try await page.close()
        try await wait(0.4)
        memory.append(try app.ownMemory())
        print("memory of the consumer after round \(round + 1) of 5: \(memory[round].formatted) MiB.")
      }
      // After six of ten minutes, the events for later pages need no more memory. A late page may need one more buffer.
      #expect(memory[4] <= memory[2] + 1)
    }

    @Test func servingWithoutAPageCostsNothingMeasurable() async throws {
      let (first, _) = try await app(size: "1080x720")
      var (serving, others) = ([first], [LaunchedProgram]())
      for number in 1..<8 {
        let watcher = try sandbox.launch(
          BuiltPrograms.consumer,
          ["watch", "--json", "--container", sandbox.root] + (number.isMultiple(of: 2) ? ["--serve"] : []))
        try await watcher.event("format")
        if number.isMultiple(of: 2) { serving.append(watcher) } else { others.append(watcher) }
      }
      let before = (try serving.map { try $0.processorTime() }, try others.map { try $0.processorTime() })
      try await wait()
      func shares(_ programs: [LaunchedProgram], since before: [Duration]) throws -> [Double] {
        try zip(programs, before).map { try ($0.processorTime() - $1) / .seconds(seconds) }.sorted()
      }
      let with = try shares(serving, since: before.0)
      let without = try shares(others, since: before.1)
      func percent(_ shares: [Double]) -> String {
        shares.map { (100 * $0).formatted }.joined(separator: ", ")
      }
      print(
        "four consumers take \(percent(with)) % of a core with --serve, and \(percent(without)) % without.")
      // A measurable cost exceeds the difference between consumers of the same kind.
      #expect((with[1] + with[2]) / 2 <= without[3])
    }
  }
}

extension Double {
  fileprivate var formatted: String { String(format: "%.2f", self) }
}

extension LaunchedProgram {
  /// Returns the CPU time that the current threads of the program have used.
  fileprivate func processorTime() throws -> Duration {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
    return try threads.reduce(.zero) { sum, thread in
      let text = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/schedstat", encoding: .utf8)
      return sum + .nanoseconds(try #require(text.split(separator: " ").first.flatMap { Int64($0) }))
    }
  }

  /// Returns the private memory of the program, in MiB.
  fileprivate func ownMemory() throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    return try #require(text.firstMatch(of: /RssAnon:\s*(\d+) kB/).flatMap { Double($0.1) }) / 1024
  }
}
