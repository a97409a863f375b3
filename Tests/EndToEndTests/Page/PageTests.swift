import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The page of `--serve` in a browser.
  @MainActor @Suite struct PageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let sentence = text("sentence")
    private static let toast = text("toast")
    private static let live = "\(sentence).startsWith('All right: ')"

    /// The text of an element of the page.
    private static func text(_ id: String) -> String { "document.getElementById('\(id)').textContent" }

    /// Presses a key in an element.
    private func press(_ key: String, _ more: String = "", on target: String = "document.body") -> String {
      "\(target).dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', bubbles: true, \(more) }))"
    }

    /// Does the first action that some words find, by keys alone.
    private func act(_ words: String, on page: Browser) async throws {
      _ = try await page.value(
        of: """
          (() => {
            \(press("k", "ctrlKey: true"));
            const search = document.activeElement;
            search.value = '\(words)';
            search.dispatchEvent(new Event('input'));
            \(press("Enter", on: "search"));
          })()
          """)
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
      try await page.waits(for: "\(Self.sentence) === 'No broadcast runs.'")
      // An empty phone has the place and the shape of the one that comes, and unknown figures are dashes.
      let phone = "document.querySelector('#phone .frame').getBoundingClientRect()"
      #expect(try await page.value(of: "\(phone).height > 100 && \(phone).width > 40") == "true")
      #expect(try await page.value(of: "\(Self.text("figures")).includes('Memory–')") == "true")
      let producer = try sandbox.producer()

      try await page.waits(for: "broadcast.captured.framesDrawn > 5 && broadcast.call.framesDrawn > 5")
      #expect(try await page.value(of: "broadcast.captured.canvas.width") == "160")
      // The second of eight bars is yellow, of three quarters of the brightness.
      let yellow = "broadcast.captured.context.getImageData(30, 80, 1, 1).data"
      #expect(
        try await page.value(of: "[191, 191, 0].every((v, at) => Math.abs(v - \(yellow)[at]) < 4)") == "true")

      try await act("pause", on: page)
      try await page.waits(for: "\(Self.sentence).startsWith('Paused by the person for ')")
      try await page.waits(for: "\(Self.text("state")) === 'Paused.'")
      _ = try await page.value(of: "document.getElementById('next').click()")
      try await page.waits(for: Self.live)
      try await act("rotate left", on: page)
      try await page.waits(for: "broadcast.captured.canvas.width === 120")
      try await act("unlock", on: page)
      try await page.waits(for: "\(Self.toast).startsWith('Unlock: not done. ')")

      producer.send(SIGKILL)
      try await page.waits(for: "\(Self.sentence).startsWith('Crashed ')")
      try await page.waits(for: "\(Self.text("state")) === 'The extension has crashed.'")
      // The cause is one click away, and the page stays where it is.
      _ = try await page.value(of: "document.getElementById('why').click()")
      #expect(
        try await page.value(of: "document.querySelector('#causes details[open] dl').offsetHeight > 20")
          == "true")
      #expect(try await page.value(of: "scrollY") == "0")
      _ = try await page.value(of: "document.getElementById('next').click()")
      try await page.waits(for: "\(Self.live) && broadcast.captured.header.width === 886")

      // The strip has the pictures of before a reload, and the causes.
      try await page.waits(for: "broadcast.film.entries.filter(({ small }) => small).length > 3")
      _ = try await page.value(of: "location.reload()")
      try await page.waits(
        for:
          "globalThis.broadcast?.captured.framesDrawn > 3 && broadcast.film.entries.filter(({ small }) => small).length > 3"
      )
      try await page.waits(for: "document.querySelectorAll('#lane button').length > 0")
      _ = try await page.value(of: press("Home"))
      _ = try await page.value(of: press("PageDown"))
      try await page.waits(for: "\(Self.sentence).startsWith('At 0:')")
      _ = try await page.value(of: press("End"))
      try await act("stop", on: page)
      try await page.waits(for: "\(Self.toast).includes('Once more to do it.')")
      _ = try await page.value(of: press("Enter", on: "document.getElementById('search')"))
      try await page.waits(for: "\(Self.sentence) === 'The broadcast has ended, without an error.'")
      app.send(SIGTERM)
      try await page.waits(for: "\(Self.sentence).startsWith('The app has ended: what you see is ')")
      #expect(try await page.value(of: Self.text("next")) == "Copy what starts it")
      try await page.close()
    }

    @Test(.needs(.chromium))
    func aPageSaysWhenItsAppIsSuspendedAndWhenItRunsAgain() async throws {
      let (app, page) = try await servedPage()
      try await page.waits(for: "\(Self.sentence) === 'No broadcast runs.' && broadcast.run.isOnTime")
      app.send(SIGSTOP)
      try await page.waits(
        for: "\(Self.sentence).startsWith('The app is suspended by iOS: what you see is ')")
      #expect(try await page.value(of: Self.text("next")) == "Copy what wakes it")
      #expect(try await page.value(of: Self.text("live")) == "Newest")
      app.send(SIGCONT)
      try await page.waits(for: "\(Self.sentence) === 'No broadcast runs.'")
      try await page.close()
    }

    /// The table of states: what happens, and what the page says then. `{}` is a number.
    private static let states: [(events: String, sentence: String, phone: String)] = [
      ("", "No broadcast runs.", "No broadcast."),
      ("begun", "The broadcast begins: the first frame is awaited.", "Waiting for the first frame."),
      ("late", "No frame has come for {} s since the start.", "No frame yet."),
      ("begun live", "All right: the app has each frame 16 ms after its capture.", ""),
      ("begun live call", "All right: the far end sees the screen 0.1 s late.", ""),
      ("begun live rest", "All right: the screen rests, unchanged for {} s.", ""),
      ("begun live paused", "Paused by the person for {} s.", "Paused."),
      ("begun live slow", "Slow, as asked: the handler takes 51 ms a frame and has 17.", ""),
      ("begun live suspended", "Frozen for {} s: the extension is suspended.", "The extension is suspended."),
      (
        "begun live crashed", "Crashed {} s ago, as asked: the extension was killed.",
        "The extension has crashed."
      ),
      ("begun live stopped", "The broadcast has ended, without an error.", "The broadcast has ended."),
      (
        "begun live error", "Ended with an error of the extension: “The call is over.”", "“The call is over.”"
      ),
    ]

    @Test(.needs(.chromium))
    func eachStateHasItsSentence() async throws {
      let (_, page) = try await servedPage()
      // The events of the app, as the page gets them.
      let play = """
        (names) => {
          const { run } = broadcast;
          const now = () => run.origin + run.now * 1e9;
          const cause = (kind, severity, text) => ({ event: 'cause', id: kind, kind, severity, name: kind, isOpen: true, fromNs: now(), text, now: text, was: text });
          const stats = (phase) => ({ event: 'stats', phase, framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 16 });
          const all = {
            begun: () => [{ event: 'begun', device: 'iPhone 15', width: 1179, height: 2556 }],
            late: () => [{ event: 'begun', atNs: now() - 6e9 }], live: () => [stats('live'), stats('live')],
            call: () => { run.report({ delayMsMedian: 100 }); return []; }, paused: () => [stats('paused')],
            rest: () => [cause('rests', 'note', 'The screen rests.')],
            slow: () => [cause('slow', 'warning', 'Slow, as asked: the handler takes 51 ms a frame and has 17.')],
            suspended: () => [stats('suspended'), cause('suspended', 'fault', 'Frozen for {s} s: the extension is suspended.')],
            crashed: () => [{ event: 'finished', how: 'crashed' }, cause('crashed', 'fault', 'Crashed {s} s ago, as asked: the extension was killed.')],
            stopped: () => [{ event: 'finished', how: 'stopped' }],
            error: () => [{ event: 'finished', how: 'error', errorDescription: 'The call is over.' }],
          };
          for (const name of names.split(' ').filter(Boolean)) for (const event of all[name]()) run.take(event, now());
        }
        """
      for (events, sentence, phone) in Self.states {
        let parts = sentence.components(separatedBy: "{}")
        let shows = """
          \(Self.sentence).startsWith('\(parts[0])') && \(Self.sentence).endsWith('\(parts[parts.count - 1])')
            && \(Self.text("state")) === '\(phone)'
          """
        // A state passes: a browser that has no processor meanwhile does not show it.
        var isShown = false
        for _ in 0..<3 where !isShown {
          _ = try await page.value(of: "location.reload()")
          try await page.waits(for: "globalThis.broadcast?.run.isOnTime && broadcast.run.now > 6")
          _ = try await page.value(of: "(\(play))('\(events)')")
          isShown = try await page.holds(shows, within: .seconds(5))
        }
        #expect(isShown, "\(events): \(sentence)")
      }
      try await page.close()
    }

    @Test(.needs(.chromium))
    func everyActionOfThePageSendsWhatTheAppKnows() async throws {
      let (_, page) = try await servedPage()
      try await page.waits(for: "broadcast.actions.all.length > 40")
      // No broadcast runs, so that nothing happens.
      _ = try await page.value(
        of: """
          (async () => {
            globalThis.refused = [];
            globalThis.answers = 0;
            const post = fetch;
            globalThis.fetch = async (path, options) => {
              const response = await post(path, options);
              if (!response.ok) refused.push(options.body);
              if (path === 'control') answers += 1;
              return response;
            };
            globalThis.asked = broadcast.actions.all.filter((action) => action !== broadcast.actions.start);
            // What ends the page asks first.
            for (const action of asked) for (let time = 0; time < (action.ends === 'page' ? 2 : 1); time++) await broadcast.actions.perform(action);
          })()
          """)
      #expect(try await page.value(of: "answers === asked.length") == "true")
      #expect(try await page.value(of: "refused.join(' ')") == "")
      #expect(
        try await page.value(
          of: """
            [...document.querySelectorAll('#list section')].every((section) =>
              ((names) => new Set(names).size === names.length)([...section.querySelectorAll('button')].map((button) => button.textContent)))
            """) == "true")
      try await page.close()
    }

    @Test(.needs(.chromium))
    func thePageSavesTheReportOfWhatWasSeenSoFar() async throws {
      let (app, page) = try await servedPage()
      let producer = try sandbox.producer()
      try await page.waits(for: Self.live)
      producer.send(SIGKILL)
      try await page.waits(for: "\(Self.sentence).startsWith('Crashed ')")

      // A click downloads the file: the test keeps its content.
      _ = try await page.value(
        of: """
          (() => {
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => { globalThis.saved = text; }); return make(blob); };
            HTMLAnchorElement.prototype.click = function () { globalThis.savedName = this.download; };
            document.querySelector('[data-save=report]').click();
          })()
          """)
      try await page.waits(for: "globalThis.savedName === 'report.html' && !!globalThis.saved")
      let saved = "new DOMParser().parseFromString(saved, 'text/html')"
      #expect(try await page.value(of: "\(saved).querySelector('h1').textContent") == "consumer watch")
      #expect(
        try await page.value(of: "\(saved).querySelector('.causes').textContent.includes('died')") == "true")
      #expect(try await page.value(of: "saved.includes('the watch goes on')") == "true")

      app.send(SIGTERM)
      try await page.waits(for: "\(Self.sentence).startsWith('The app has ended: ')")
      _ = try await page.value(of: "document.querySelector('[data-save=report]').click()")
      try await page.waits(for: "\(Self.toast).startsWith('Not saved. ')")
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
      try await act("rotate left", on: page)
      try await page.waits(for: "\(here).canvas.height > \(here).canvas.width")
      _ = try await page.value(of: "globalThis.readBefore = \(here).counts.read")
      try await page.waits(for: "\(here).counts.read >= readBefore + 5")
      _ = try await page.value(of: "document.getElementById('tab-call').click()")
      try await page.waits(for: "\(Self.text("call-plots")).includes('out of order 0')")
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
      _ = try await page.value(of: "document.getElementById('tab-plots').click()")
      try await page.waits(for: "/published [1-9]/.test(document.querySelector('.plot').textContent)")
      try await page.waits(for: "document.querySelector('.plot .line').getAttribute('d').length > 10")

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
