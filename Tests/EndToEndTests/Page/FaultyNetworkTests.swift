import TestSupport

extension EndToEndTests {
  /// A call on the page over a faulty network, which `Docs/Examples/faulty-network` creates.
  @MainActor
  @Suite(
    .needs(.chromium), .needs(.ip, .tc, .nft, .nsenter, .unshare),
    .enabled(if: Host.canMakeNetworks, "needs root and a kernel with HTB"))
  struct FaultyNetworkTests {
    let sandbox = Sandbox.ofSuite()

    /// The last report of the remote side.
    private static let report = "[...broadcast.calls.call.reports.values()][0]"

    /// Starts a call in a network with these faults.
    private func call(_ faults: String...) async throws -> Browser {
      try await sandbox.useNetwork(faults)
      let (_, page) = try await sandbox.callPage()
      _ = try await page.value(of: "document.getElementById('call-button').click()")
      try await page.waits(for: "\(Self.report).drawn >= 30")
      return page
    }

    @Test func aCallContinuesInOrderWhenPacketsAreLost() async throws {
      let page = try await call("--loss", "5")
      try await page.waits(for: "\(Self.report).packetsLost > 0 && \(Self.report).read >= 30")
      #expect(try await page.value(of: "\(Self.report).disordered") == "0")
      try await page.close()
    }

    @Test(.enabled(if: runsLongTests, "takes a minute: set LONG_TESTS=1"))
    func aCallFitsIntoANarrowLine() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let page = try await call("--rate", "150")
      // An encoder that is starved of CPU is not limited by the bandwidth.
      let isLimited = try await page.holds("\(Self.report).limitedByBandwidth > 3", within: .seconds(120))
      // The mean of five seconds, after the start.
      let rates = try await page.value(
        of: """
          new Promise((resolve) => {
            const rates = [];
            const timer = setInterval(() => {
              const rate = \(Self.report).receivedKbits;
              if (rate >= 0) rates.push(rate);
              if (rates.length === 5) { clearInterval(timer); resolve(rates.reduce((sum, rate) => sum + rate, 0) / 5); }
            }, 1000);
          })
          """)
      let drawn = try await page.value(of: "\(Self.report).drawn")
      try await page.waits(for: "\(Self.report).drawn >= \(drawn) + 10")
      try await page.close()
      let rate = try #require(Double(rates))
      try pace.expect { #expect(isLimited && rate > 0 && rate <= 150, "\(rate) kbit/s") }
    }

    @Test(.enabled(if: Host.canDelayPackets, "the kernel has no netem"))
    func theDelayOfPacketsIsThatOfTheRoundTrip() async throws {
      let page = try await call("--delay", "80")
      try await page.waits(for: "\(Self.report).roundTripMs >= 160 && \(Self.report).delayMsMedian >= 80")
      try await page.close()
    }
  }
}
