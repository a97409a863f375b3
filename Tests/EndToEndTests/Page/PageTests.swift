import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The page of `--serve` in a browser.
  @MainActor @Suite struct PageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let phase = "document.getElementById('phase').textContent"
    private static let timeline = "document.getElementById('timeline').textContent"

    /// A click on an icon of the bar, as soon as it is possible: the page learns of a change later than of a frame.
    private func press(_ action: String, on page: Browser) async throws {
      let button = "document.querySelector('#toolbar [data-action=\(action)]')"
      try await page.waits(for: "!\(button).disabled")
      _ = try await page.value(of: "\(button).click()")
    }

    /// A key that a person presses.
    private func type(_ key: String) -> String {
      "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', bubbles: true }))"
    }

    /// An event of "Break it", with its value.
    private func breakIt(_ event: String, _ value: String) -> String {
      """
      (() => {
        const form = document.querySelector('#controls [data-event^="\(event)"]');
        form.closest('details').open = true;
        form.querySelector('input, select').value = '\(value)';
        form.querySelector('button').click();
      })()
      """
    }

    /// An app that serves a page, and its page.
    private func servedPage(_ arguments: String...) async throws -> (app: LaunchedProgram, page: Browser) {
      let app = try sandbox.launch(
        BuiltPrograms.consumer, ["watch", "--json", "--container", sandbox.root, "--serve"] + arguments)
      let address = try #require(try await app.event("serving").text("address"))
      return (app, try await Browser(address, in: sandbox))
    }

    @Test(.needs(.chromium))
    func aPersonFollowsABroadcastOnThePage() async throws {
      let (app, page) = try await servedPage("--poll-fps", "10")
      try await page.waits(for: "\(Self.phase) === 'not active'")
      // An empty phone has the place and the shape of the one that comes, and unknown figures are dashes.
      let phone = "document.getElementById('captured').getBoundingClientRect()"
      #expect(try await page.value(of: "\(phone).height > 100 && \(phone).width > 40") == "true")
      let health = "document.getElementById('health').textContent"
      try await page.waits(for: "\(health).includes('memory – MiB')")
      let producer = try sandbox.producer()

      try await page.waits(for: "broadcast.captured.framesDrawn > 5 && broadcast.call.framesDrawn > 5")
      #expect(try await page.value(of: "broadcast.captured.canvas.width") == "160")
      #expect(try await page.value(of: "broadcast.captured.usesVideoFrame") == "true")
      // The second of eight bars is yellow, of three quarters of the brightness.
      let yellow = "broadcast.captured.context.getImageData(30, 80, 1, 1).data"
      #expect(
        try await page.value(of: "[191, 191, 0].every((v, at) => Math.abs(v - \(yellow)[at]) < 4)") == "true")

      try await press("pause", on: page)
      try await page.waits(for: "\(Self.phase) === 'paused'")
      try await page.waits(for: "document.getElementById('state').textContent === 'Paused.'")
      #expect(try await page.value(of: "document.querySelector('[data-action=lock]').disabled") == "false")
      #expect(
        try await page.value(of: "document.querySelector('[data-action=rotate-left]').title")
          == "Rotate left (left arrow): The broadcast is not live.")
      _ = try await page.value(of: type("p"))
      try await page.waits(for: "\(Self.phase) === 'live'")
      _ = try await page.value(of: breakIt("rotate:", "left"))
      try await page.waits(for: "broadcast.captured.canvas.width === 120")
      _ = try await page.value(of: "broadcast.controls.send('rotate:sideways')")
      try await page.waits(for: "document.getElementById('outcome').textContent.includes('expects')")

      producer.send(SIGKILL)
      try await page.waits(for: "\(Self.phase) === 'crashed' && \(Self.timeline).includes('crashed.')")
      try await press("start", on: page)
      try await page.waits(for: "\(Self.phase) === 'live' && broadcast.captured.header.width === 886")

      _ = try await page.value(of: "location.reload()")
      try await page.waits(
        for: "globalThis.broadcast?.captured.framesDrawn > 3 && \(Self.timeline).includes('crashed.')")
      try await press("stop", on: page)
      try await page.waits(for: "\(Self.phase) === 'not active'")
      app.send(SIGTERM)
      try await page.waits(for: "\(Self.timeline).includes('The watch has ended: ')")
      try await page.close()
    }

    @Test(.needs(.chromium))
    func everyControlOfThePageSendsWhatTheAppKnows() async throws {
      let (_, page) = try await servedPage()
      try await page.waits(for: "document.querySelectorAll('#controls form').length > 20")
      // No broadcast runs, so that nothing happens.
      _ = try await page.value(
        of: """
          (() => {
            globalThis.refused = [];
            globalThis.answers = 0;
            const post = fetch;
            globalThis.fetch = async (path, options) => {
              const response = await post(path, options);
              if (!response.ok) refused.push(options.body);
              answers += 1;
              return response;
            };
            for (const form of document.querySelectorAll('#controls form')) form.querySelector('button').click();
          })()
          """)
      try await page.waits(for: "answers === document.querySelectorAll('#controls form').length")
      #expect(try await page.value(of: "refused.join(' ')") == "")
      try await page.close()
    }

    @Test(.needs(.chromium))
    func thePageSavesTheReportOfWhatWasSeenSoFar() async throws {
      let (app, page) = try await servedPage()
      let producer = try sandbox.producer()
      try await page.waits(for: "\(Self.phase) === 'live'")
      producer.send(SIGKILL)
      try await page.waits(for: "\(Self.phase) === 'crashed'")

      // A click downloads the file: the test keeps its content.
      _ = try await page.value(
        of: """
          (() => {
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => { globalThis.saved = text; }); return make(blob); };
            HTMLAnchorElement.prototype.click = function () { globalThis.savedName = this.download; };
            document.getElementById('report').click();
          })()
          """)
      try await page.waits(for: "globalThis.savedName === 'report.html' && !!globalThis.saved")
      let saved = "new DOMParser().parseFromString(saved, 'text/html')"
      #expect(try await page.value(of: "\(saved).querySelector('h1').textContent") == "consumer watch")
      #expect(
        try await page.value(of: "\(saved).querySelector('.causes').textContent.includes('died')") == "true")
      #expect(try await page.value(of: "saved.includes('the watch goes on')") == "true")

      app.send(SIGTERM)
      try await page.waits(for: "\(Self.timeline).includes('The watch has ended: ')")
      try await page.waits(for: "\(Self.phase) === 'page lost its app'")
      _ = try await page.value(of: "document.getElementById('report').click()")
      try await page.waits(
        for: "document.getElementById('outcome').textContent.startsWith('The report cannot be saved: ')")
      try await page.close()
    }

    @Test(.needs(.chromium))
    func theFarEndsOfACallReadTheFrameNumbersInOrder() async throws {
      let (address, page) = try await sandbox.callPage()
      _ = try await page.value(of: "document.getElementById('call-button').click()")
      let here = "broadcast.calls.receiver"
      try await page.waits(for: "broadcast.calls.call.farEnds === 1")
      try await page.waits(for: "\(here).counts.drawn > 0")
      #expect(try await page.value(of: "scrollY") == "0")
      try await page.waits(for: "\(here).counts.read >= 5")
      _ = try await page.value(of: breakIt("rotate:", "left"))
      try await page.waits(for: "\(here).canvas.height > \(here).canvas.width")
      _ = try await page.value(of: "globalThis.readBefore = \(here).counts.read")
      try await page.waits(for: "\(here).counts.read >= readBefore + 5")
      try await page.waits(
        for: "document.getElementById('call-plots').textContent.includes('out of order 0')")
      #expect(try await page.value(of: "\(here).counts.disordered") == "0")
      #expect(try await page.value(of: Self.isInOrder("\(here).numbers")) == "true")

      let otherSandbox = try Sandbox()
      let other = try await Browser(address + "far-end", in: otherSandbox)
      try await other.waits(for: "globalThis.farEnd?.counts.read >= 4")
      #expect(try await other.value(of: Self.isInOrder("farEnd.numbers")) == "true")
      try await page.waits(for: "broadcast.calls.call.farEnds === 2")
      try await other.close()
      try await page.waits(for: "broadcast.calls.call.farEnds === 1")
      try await page.close()
    }

    @Test(.needs(.chromium))
    func aCallContinuesAfterTheBrowserSentNothingForSeconds() async throws {
      let pace = PaceMeter(allowing: .milliseconds(500))
      let (_, page) = try await sandbox.callPage()
      _ = try await page.value(of: "document.getElementById('call-button').click()")
      let here = "broadcast.calls.receiver"
      try await page.waits(for: "\(here).counts.read >= 5")
      try page.signalNetwork(SIGSTOP)
      let isDisconnected = try await page.holds("\(here).state !== 'connected'", within: .seconds(60))
      let state = try await page.value(of: "\(here).state")
      _ = try await page.value(of: "globalThis.readBefore = \(here).counts.read")
      try page.signalNetwork(SIGCONT)
      #expect(isDisconnected)
      try await page.waits(for: "\(here).state === 'closed' || \(here).counts.read >= readBefore + 5")
      let stateAfterwards = try await page.value(of: "\(here).state")
      try await page.close()
      // After half a minute without a packet the browser ends a call.
      try pace.expect { #expect([state, stateAfterwards] == ["disconnected", "connected"]) }
    }

    @Test(.needs(.firefox))
    func firefoxShowsThePictureThePlotsAndACallByTheFallback() async throws {
      let (_, page) = try await sandbox.callPage(in: .firefox)
      #expect(try await page.value(of: "'MediaStreamTrackGenerator' in globalThis") == "false")
      for picture in ["captured", "call"] { #expect(try await page.showsBars(in: picture), "\(picture)") }
      // The first plot is that of the rates.
      try await page.waits(for: "/in [1-9]/.test(document.querySelector('.plot').textContent)")
      try await page.waits(
        for: """
          ((canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
            .some((level) => level > 0))(document.querySelector('.plot canvas'))
          """)

      _ = try await page.value(of: "document.getElementById('call-button').click()")
      let here = "broadcast.calls.receiver"
      try await page.waits(for: "\(here).counts.read >= 5")
      #expect(try await page.value(of: "\(here).counts.disordered") == "0")
      #expect(try await page.value(of: Self.isInOrder("\(here).numbers")) == "true")
      try await page.close()
    }

    private static func isInOrder(_ numbers: String) -> String {
      "\(numbers).length > 3 && \(numbers).every((n, at, all) => at === 0 || n >= all[at - 1])"
    }
  }
}
