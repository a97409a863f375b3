import TestSupport

extension EndToEndTests {
  /// The page of `--serve` in a browser.
  @MainActor @Suite struct PageTests {
    let sandbox = Sandbox.ofSuite()

    private static let sentence = text("sentence")
    private static let toast = text("toast")
    /// Whether frames come, maybe late: the machine may be busy.
    private static let live = "/^(All right|The host is overloaded)/.test(\(sentence))"

    /// Returns an expression for the text of an element.
    private static func text(_ id: String) -> String { "document.getElementById('\(id)').textContent" }

    /// Returns a script that presses a key in an element.
    private func press(_ key: String, _ more: String = "", on target: String = "document.body") -> String {
      "\(target).dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', bubbles: true, \(more) }))"
    }

    /// Performs the first action that a search for some words finds, with the keyboard alone.
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

    /// Starts an app that serves a page, and opens the page.
    private func servedPage(_ arguments: String...) async throws -> (app: LaunchedProgram, page: Browser) {
      let app = try sandbox.launch(
        BuiltPrograms.consumer, ["watch", "--json", "--container", sandbox.root, "--serve"] + arguments)
      let address = try #require(try await app.event("serving").text("address"))
      return (app, try await Browser(address, in: sandbox))
    }

    @Test(.needs(.chromium)) func aPersonFollowsABroadcastOnThePage() async throws {
      let (app, page) = try await servedPage("--poll-fps", "10")
      try await page.waits(for: "\(Self.sentence) === 'No broadcast runs.'")
      // An empty phone has the place and the shape of the later one, and unknown values are dashes.
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
      try await page.waits(for: "\(Self.sentence).startsWith('Paused for ')")
      try await page.waits(for: "\(Self.text("state")) === 'Paused.'")
      _ = try await page.value(of: "document.getElementById('next').click()")
      try await page.waits(for: Self.live)
      try await act("rotate left", on: page)
      try await page.waits(for: "broadcast.captured.canvas.width === 120")
      try await act("unlock", on: page)
      try await page.waits(for: "\(Self.toast).startsWith('Unlock: not done. ')")

      producer.send(SIGKILL)
      try await page.waits(for: "\(Self.sentence).startsWith('Crashed ')")
      let state = "\(Self.text("state")).startsWith('The extension has crashed. A phone shows: “Live ')"
      try await page.waits(for: state)
      // The cause is one click away, and the page does not scroll.
      _ = try await page.value(of: "document.getElementById('why').click()")
      #expect(
        try await page.value(of: "document.querySelector('#causes details[open] dl').offsetHeight > 20")
          == "true")
      #expect(try await page.value(of: "scrollY") == "0")
      _ = try await page.value(of: "document.getElementById('next').click()")
      // A new broadcast has the options of the first one.
      let begins = "broadcast.run.events.filter(({ text }) => /begins: .* 160x120/.test(text)).length"
      try await page.waits(for: "\(Self.live) && \(begins) === 2")

      // After a reload, the strip still has its earlier pictures, and the causes.
      try await page.waits(for: "broadcast.film.entries.filter(({ small }) => small).length > 3")
      try await page.reload()
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
      try await page.waits(for: "\(Self.toast).includes('Press again to confirm.')")
      _ = try await page.value(of: press("Enter", on: "document.getElementById('search')"))
      let end = "\(Self.sentence).startsWith('The app has ended the broadcast. A phone shows: “Live ')"
      try await page.waits(for: end)
      // Actions that cannot work are not offered.
      let possible =
        "[...document.querySelectorAll('#list button:enabled')].map((one) => one.textContent).join()"
      try await page.waits(for: "\(possible) === 'Start'")
      app.send(SIGTERM)
      try await page.waits(for: "\(Self.sentence).startsWith('The app has ended: what you see is ')")
      // This is not an alarm.
      #expect(try await page.value(of: "document.body.dataset.level + \(possible)") == "none")
      #expect(try await page.value(of: Self.text("next")) == "Copy the start command")
      try await page.close()
    }

    /// The getters throw as in a browser that blocks the data of sites.
    @Test(.needs(.chromium)) func aPageWithoutSiteDataShowsABroadcastAndItsFilm() async throws {
      let (_, page) = try await servedPage()
      try await page.runFirst(
        """
        for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
          Object.defineProperty(globalThis, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
        """)
      try await page.reload()
      _ = try sandbox.producer()
      try await page.waits(for: "globalThis.broadcast?.captured.framesDrawn > 3 && \(Self.live)")
      try await page.waits(for: "broadcast.film.entries.filter(({ small }) => small).length > 1")
      #expect(
        try await page.value(of: "(() => { try { return indexedDB; } catch { return 'blocked'; } })()")
          == "blocked")
      try await page.close()
    }

    @Test(.needs(.chromium)) func aPageSaysWhenItsAppIsSuspendedAndWhenItRunsAgain() async throws {
      let (app, page) = try await servedPage()
      try await page.waits(for: "\(Self.sentence) === 'No broadcast runs.' && broadcast.run.isOnTime")
      app.send(SIGSTOP)
      try await page.waits(
        for: "\(Self.sentence).startsWith('The app does not answer: what you see is ')")
      #expect(try await page.value(of: Self.text("live")) == "Newest")
      app.send(SIGCONT)
      try await page.waits(for: "\(Self.sentence) === 'No broadcast runs.'")
      try await page.close()
    }

    /// A suspended app has no time to report it, and refuses connections like an app that has ended.
    @Test(.needs(.chromium), .endsOtherSockets)
    func aPageDoesNotSayThatAnAppHasEndedWhichATerminalSuspends() async throws {
      let (_, page) = try await servedPage()
      let producer = try sandbox.producer()
      try await page.waits(for: "broadcast.captured.framesDrawn > 0")
      func control(_ event: String) async throws {
        let control = try await sandbox.run(
          BuiltPrograms.producer, ["control", event, "--container", sandbox.root])
        #expect(control.exitCode == 0, "\(control.errors)")
      }
      try await control("app:suspend")
      try await page.waits(
        for: "\(Self.sentence).startsWith('The app has ended or is suspended by iOS: what you see is ')")
      #expect(try await page.value(of: Self.text("next")) == "Copy the resume command")
      try await control("app:foreground")
      try await page.waits(for: "broadcast.run.connection === 'open'")
      try await producer.endsInOrder()
      try await page.close()
    }

    @Test(.needs(.chromium)) func aPictureThatRestsComesAgainForALargerWindow() async throws {
      let (_, page) = try await servedPage()
      try await page.show(width: 390, height: 844, isDark: false)
      _ = try sandbox.producer("--size", "720x1080")
      try await page.waits(for: "broadcast.call.framesDrawn > 2 && broadcast.call.header.columns < 100")
      _ = try await page.value(of: "broadcast.actions.send('Rest', 'still:120')")
      try await page.waits(for: "\(Self.sentence).startsWith('All right: the screen has not changed for ')")
      try await page.show(width: 1920, height: 1080, isDark: false)
      let size = "(({ header, canvas }) => header.columns - canvas.clientWidth)(broadcast.call)"
      try await page.waits(for: "broadcast.call.header.columns > 300 && Math.abs(\(size)) < 4")
      try await page.close()
    }

    @Test(.needs(.chromium)) func aWindowOfAnotherSizeInterruptsNoCall() async throws {
      let (_, page) = try await servedPage()
      try await page.show(width: 1440, height: 900, isDark: false)
      _ = try sandbox.producer("--size", "720x1080")
      try await page.waits(for: "broadcast.call.framesDrawn > 2")
      // A call sets this handler.
      _ = try await page.value(
        of: """
          ((fetch) => {
            globalThis.asked = [];
            globalThis.fetch = (...all) => (asked.push([String(all[0]), got.length]), fetch(...all));
            globalThis.got = [];
            broadcast.call.onFrame = ({ captureNs, columns, width }) => {
              got.push([captureNs, columns === width, document.hidden]);
            };
            broadcast.call.onChange();
          })(fetch)
          """)
      try await page.waits(for: "got.length > 5 && got.at(-1)[1]")
      try await page.show(width: 1000, height: 700, isDark: false)
      // The earlier stream continues until the next one has begun, and no frame is repeated.
      try await page.waits(for: "asked.length > 1 && got.length > asked.at(-1)[1] + 20")
      let isOfBoth = "asked.every(([address]) => /^frames.of=both&width=\\d+&height=\\d+$/.test(address))"
      let areOnce = "got.length === new Set(got.map(([time]) => time)).size"
      #expect(try await page.value(of: "\(isOfBoth) && \(areOnce)") == "true")
      // A hidden page continues the call.
      _ = try await page.value(of: Self.hide)
      try await page.waits(for: "got.filter(([, isWhole, isHidden]) => isWhole && isHidden).length > 5")
      #expect(try await page.value(of: "asked.at(-1)[0]") == "frames?of=call")
      try await page.close()
    }

    /// A script that hides the page.
    private static let hide = """
      (() => {
        Object.defineProperty(document, 'hidden', { value: true });
        document.dispatchEvent(new Event('visibilitychange'));
      })()
      """

    /// A browser has six connections to a server. More requests wait.
    @Test(.needs(.chromium))
    func aPageUsesTwoConnectionsAHiddenOneOneAndARequestThatWaitsSaysSo() async throws {
      let (_, page) = try await servedPage()
      _ = try sandbox.producer()
      try await page.waits(for: "broadcast.captured.framesDrawn > 3 && broadcast.call.framesDrawn > 3")
      let ask = """
        async (count, seconds) => {
          globalThis.streams ??= [];
          for (let source; streams.length < count; streams.push(source)) {
            source = new EventSource('events');
            await new Promise((resolve) => { source.onopen = resolve; });
          }
          const { ask } = await import('/base.js');
          return ask('settings', { seconds }).then(({ ok }) => ok, ({ message }) => message);
        }
        """
      #expect(try await page.value(of: "(\(ask))(3, 60)") == "true")
      _ = try await page.value(of: Self.hide)
      #expect(try await page.value(of: "(\(ask))(4, 60)") == "true")
      #expect(try await page.value(of: "(\(ask))(5, 1)").hasPrefix("No answer came within 1 s: "))
      try await page.close()
    }

    @Test(.needs(.chromium)) func eachPictureIsSmallAfterTenMinutes() async throws {
      let (_, page) = try await servedPage()
      try await page.waits(for: "globalThis.broadcast?.run.isOnTime")
      // An unchanged screen has no picture for each second.
      let kept = """
        (async () => {
          const { film, run } = broadcast;
          for (const at of [1, 2, 3, 4, 5, 603, 610]) {
            Object.defineProperty(run, 'now', { value: at, configurable: true });
            await film.keep(at);
          }
          return film.entries.filter(({ phone }) => phone).map(({ at }) => at).join(' ');
        })()
        """
      #expect(try await page.value(of: kept) == "603 610")
      try await page.close()
    }

    @Test(.needs(.chromium)) func aFigureBeyondItsLimitAndAPastSuspensionHaveTheirCause() async throws {
      let (_, page) = try await servedPage()
      let play = """
        (() => {
          const { run } = broadcast;
          const now = run.origin + run.now * 1e9;
          const cause = (kind, from, to) => ({ event: 'cause', id: kind, kind, severity: 'note', name: kind, isOpen: !to,
            fromNs: now - from, toNs: to && now - to, text: kind, now: kind, was: 'the app was suspended.' });
          const take = (event) => run.take({ atNs: now - 5e9, ...event }, now);
          take({ event: 'begun' });
          for (const framesDropped of [0, 60, 120]) {
            take({ event: 'stats', phase: 'live', framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 16 });
            take({ event: 'measures', framesDropped });
          }
          take(cause('late', 5e9));
          take(cause('appSuspended', 4e9, 1e9));
        })()
        """
      let shows = """
        \(Self.sentence) === 'The host is overloaded; the handler is not the cause: dropped 50 % (max 1 %).'
          && \(Self.text("why")) === 'Why?'
        """
      #expect(try await self.shows(shows, after: play, on: page))
      let bar = "broadcast.run.causes.find(({ kind }) => kind === 'appSuspended').bar"
      try await page.waits(for: "!!\(bar)")
      _ = try await page.value(of: "\(bar).click()")
      try await page.waits(
        for: "\(Self.sentence).endsWith(': the app was suspended.') && document.body.dataset.level === 'bad'")
      #expect(try await page.value(of: "\(Self.text("figures")).includes('Frame rate–')") == "true")
      // A device without a memory limit shows no limit.
      let memory = "figuresOf({ run: {} })[3].limit({})"
      let limit = "import('/figures.js').then(({ figuresOf, limitText }) => limitText({}, \(memory)))"
      #expect(try await page.value(of: limit) == "")
      try await page.close()
    }

    /// Whether a condition holds after a script that changes the state. A state is short, so a browser that is starved of
    /// CPU may not show it at once.
    private func shows(_ condition: String, after script: String, on page: Browser) async throws -> Bool {
      for _ in 0..<3 {
        try await page.reload()
        try await page.waits(for: "globalThis.broadcast?.run.isOnTime && broadcast.run.now > 6")
        _ = try await page.value(of: script)
        if try await page.holds(condition, within: .seconds(5)) { return true }
      }
      return false
    }

    /// The table of states: the events, the page's sentence, and the phone's text. `{}` stands for a number.
    private static let states: [(events: String, sentence: String, phone: String)] = [
      ("", "No broadcast runs.", "No broadcast."),
      ("begun", "The broadcast begins: waiting for the first frame.", "Waiting for the first frame."),
      ("late", "No frame has come for {} s since the start.", "No frame yet."),
      ("begun live", "All right: the app has each frame 16 ms after its capture.", ""),
      ("begun live call", "All right: the remote side sees the screen 0.1 s late.", ""),
      ("begun live blank", "Nothing was measured.", ""),
      ("begun live rest", "All right: the screen has not changed for {} s.", ""),
      ("begun live paused", "Paused for {} s.", "Paused."),
      ("begun live slow", "Slow, as requested: the handler takes 51 ms a frame and has 17.", ""),
      ("begun live suspended", "Frozen for {} s: the extension is suspended.", "The extension is suspended."),
      ("begun live crashed", "Crashed {} s ago, as requested: it was killed.", "The extension has crashed."),
      ("begun live stopped", "The lock ended it. A phone shows no error.", "The broadcast has ended."),
      ("begun live byApp", "The app did. A phone shows: “A”", "The broadcast has ended. A phone shows: “A”"),
      ("begun live finish", "It ended itself. A phone shows no error.", "The broadcast has ended."),
      ("begun live call undrawn", "The remote side sees the screen late: 3.30 s (max 0.30 s).", ""),
      ("begun live rest undrawn", "The remote side sees the screen late: 3.30 s (max 0.30 s).", ""),
      ("begun live unread", "The delay of the remote side is unknown: it read no new frame number.", ""),
      (
        "begun live ring", "All right: the app has each frame 16 ms after its capture; a phone call is on.",
        ""
      ),
      ("begun loud ring mute", "No sound during the phone call for {} s: app audio stopped.", ""),
      ("begun loud rest mute", "No sound for {} s: app audio stopped.", ""),
      ("begun live error", "Ended with an error of the extension: “It is over.”", "“It is over.”"),
    ]

    @Test(.needs(.chromium)) func eachStateHasItsSentence() async throws {
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
            blank: () => [{ ...stats('live'), framesPerSecondOut: 0 }],
            call: () => { run.report({ delayMsMedian: 100 }); return []; }, paused: () => [stats('paused')],
            rest: () => [cause('idleScreen', 'note', 'All right: the screen has not changed for {s} s.')],
            slow: () => [cause('slow', 'warning', 'Slow, as requested: the handler takes 51 ms a frame and has 17.')],
            suspended: () => [stats('suspended'), cause('suspended', 'note', 'Frozen for {s} s: the extension is suspended.')],
            crashed: () => [{ event: 'finished', how: 'crashed' }, cause('crashed', 'fault', 'Crashed {s} s ago, as requested: it was killed.')],
            stopped: () => [{ event: 'finished', how: 'stopped', text: 'The lock ended it.' }],
            byApp: () => [{ event: 'finished', how: 'stopped', text: 'The app did.', dialog: 'A' }],
            finish: () => [{ event: 'finished', how: 'finished', text: 'It ended itself.' }, { event: 'crashed' }],
            undrawn: () => { run.report({ hasCall: true, isDrawn: false, delayMsMedian: 3300 }); return []; },
            unread: () => { run.report({ hasCall: true }); return []; },
            loud: () => [{ ...stats('live'), appLevelDb: -18 }, stats('live')],
            ring: () => [{ event: 'control', command: 'call', text: 'Requested call.' }],
            mute: () => [{ event: 'audio', stream: 'app', change: 'stopped', text: 'It stopped.' }],
            error: () => [{ event: 'finished', how: 'error', errorDescription: 'It is over.' }],
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
        let isShown = try await self.shows(shows, after: "(\(play))('\(events)')", on: page)
        #expect(isShown, "\(events): \(sentence)")
      }
      try await page.close()
    }

    @Test(.needs(.chromium)) func everyActionOfThePageSendsWhatTheAppKnows() async throws {
      let (_, page) = try await servedPage()
      try await page.waits(for: "broadcast.actions.all.length > 40")
      let find = "broadcast.actions.find(), list.querySelector('select').value"
      #expect(try await page.value(of: "(search.value = 'start ipad mini', \(find))") == "ipad-mini")
      _ = try await page.value(of: "(search.value = '', \(find))")
      let choose = "broadcast.actions.choose({ device: 'ipad', line: 'producer' })"
      #expect(
        try await page.value(of: "(\(choose), \(find))") == "ipad",
        "the device of a broadcast whose line names none")
      // No broadcast runs, so the actions have no effect.
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

    @Test(.needs(.chromium)) func nothingMovesAtAStartAndACrashAndEachElementHasItsName() async throws {
      let (_, page) = try await servedPage("--poll-fps", "10")
      for (width, height) in [(1440, 900), (390, 844)] {
        try await page.show(width: width, height: height, isDark: false)
        try await page.waits(for: "globalThis.broadcast?.run.isOnTime && innerWidth === \(width)")
        // The change of the window's size must not count as a layout shift.
        try await page.waits(for: "(globalThis.polls = (globalThis.polls ?? 0) + 1) % 10 === 0")
        _ = try await page.value(
          of: """
            (() => {
              globalThis.shift = 0;
              new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { shift += value; })).observe({ type: 'layout-shift' });
            })()
            """)
        let producer = try sandbox.producer("--size", "120x260")
        try await page.waits(for: "\(Self.live) && broadcast.film.entries.length > 1")
        try await expectNames(on: page, "live")
        _ = try await page.value(
          of: """
            (() => {
              // The observers of the size before have their own.
              const told = (globalThis.told = []);
              for (const one of document.querySelectorAll('[role=status], [role=alert], [aria-live], output')) {
                const keep = () => told.push(one.id + one.textContent.replace(/[0-9.]+/g, '#'));
                new MutationObserver(keep).observe(one, { childList: true, characterData: true, subtree: true });
              }
              globalThis.until = broadcast.run.now + 2;
            })()
            """)
        try await page.waits(for: "broadcast.run.now > until")
        // The texts that a screen reader speaks on its own change with the state, not with a number.
        let isAgain = "(text, at) => at > 0 && text === told[at - 1]"
        let again = try await page.value(of: "told.filter(\(isAgain)).join()")
        #expect(again == "")
        producer.send(SIGKILL)
        try await page.waits(for: "\(Self.sentence).startsWith('Crashed ')")
        try await page.waits(
          for: "broadcast.run.causes.some(({ kind, bar }) => kind === 'crashed' && bar?.isConnected)")
        let moved = try await page.value(of: "shift")
        #expect((Double(moved) ?? 1) < 0.002, "\(width)x\(height)")
        _ = try await page.value(of: "document.getElementById('why').click()")
        try await expectNames(on: page, "crashed")
        _ = try await page.value(of: press("PageUp"))
        try await page.waits(for: "\(Self.sentence).startsWith('At ')")
        try await expectNames(on: page, "past")
        _ = try await page.value(of: "document.getElementById('live').click()")
      }
      try await page.close()
    }

    /// Expects that each focusable element has a name, and that the name is unique in its group.
    private func expectNames(on page: Browser, _ state: String) async throws {
      let elements = try await page.focusableElements()
      #expect(elements.count > 10, "\(state)")
      for (group, all) in Dictionary(grouping: elements, by: \.group) {
        let names = all.map(\.name)
        #expect(!names.contains(""), "\(state): \(group): \(names)")
        #expect(Set(names).count == names.count, "\(state): \(group): \(names)")
      }
    }

    @Test(.needs(.chromium)) func aTerminalRunsEachLineThatThePageOffersToCopy() async throws {
      let (app, page) = try await servedPage()
      try await page.waits(for: "broadcast.actions.all.length > 40 && broadcast.run.isOnTime")
      _ = try await page.value(
        of: """
          (async () => {
            globalThis.copied = [];
            navigator.clipboard.writeText = async (line) => { copied.push(line); };
            // No broadcast runs: each action is refused, and its line is there.
            for (const action of broadcast.actions.all.filter(({ word }) => !/^(consumer|app:kill)/.test(word))) {
              for (let time = 0; time < (action.ends === 'page' ? 2 : 1); time++) await broadcast.actions.perform(action);
              document.querySelector('#toast button').click();
            }
            document.querySelector('[data-save=command]').click();
          })()
          """)
      let lines = try await copied(on: page)
      #expect(lines.count > 45)
      var broadcast: LaunchedProgram?
      for line in lines {
        for isLast in [false, true] {
          if broadcast?.isRunning != true, !line.hasPrefix("consumer start") {
            broadcast = try await sandbox.startedProducer("--size", "120x260")
          }
          if try await runs(line, orEnds: !isLast) { break }
          // The previous line has ended the broadcast.
          _ = try await broadcast?.end()
        }
        guard line.hasSuffix("app:suspend") else { continue }
        try await page.waits(for: "\(Self.sentence).startsWith('The app is suspended by iOS: ')")
        _ = try await page.value(of: "document.getElementById('next').click()")
        for line in try await copied(on: page) { _ = try await runs(line) }
        try await page.waits(for: "broadcast.run.connection === 'open'")
      }
      #expect(lines.last?.hasPrefix("consumer start") == true)
      try await page.waits(for: Self.live)
      _ = try await sandbox.consumer("stop")
      try await page.waits(for: "\(Self.sentence).startsWith('The app has ended the broadcast.')")

      // The commands that repeat the causes, and the command of the doctor.
      _ = try await page.value(
        of: """
          (async () => {
            for (const box of document.querySelectorAll('#causes details')) {
              box.open = true;
              // The page fills an open cause when its event 'toggle' arrives.
              while (!box.querySelector('dd')) await new Promise((resolve) => setTimeout(resolve, 10));
              box.querySelector('dd button')?.click();
            }
            copied.push(broadcast.run.line('broadcast doctor'));
          })()
          """)
      let repeats = try await copied(on: page)
      #expect(repeats.count > 1 && repeats.last?.hasPrefix("broadcast doctor ") == true)
      for line in Set(repeats.dropLast()) {
        let program = try terminal("exec \(line)")
        // A crash leaves no time for the event. A broadcast that a terminal has started prints text instead.
        try await eventually("the event of \(line)", within: .seconds(60)) {
          guard program.isRunning, line.contains(" --json") else {
            return !program.isRunning || !program.output.isEmpty
          }
          return try !program.events(line.contains(" --at ") ? "happened" : "started").isEmpty
        }
        program.send(SIGCONT)
        program.send(SIGTERM)
        _ = try await program.end()
      }
      // The last of the lines may have left a crash, or a suspended app.
      broadcast = try await sandbox.startedProducer("--size", "120x260")
      let resume = try await page.value(of: "broadcast.run.line('producer control app:foreground')")
      _ = try await terminal(resume).exitCode()
      try await page.waits(for: "broadcast.run.connection === 'open'")
      try await broadcast?.endsInOrder()
      _ = try await runs(try #require(repeats.last))
      app.send(SIGTERM)
      try await page.waits(for: "\(Self.sentence).startsWith('The app has ended: ')")
      _ = try await page.value(of: "document.getElementById('next').click()")
      let again = try terminal("exec \(try #require(try await copied(on: page).first))")
      try await again.event("serving")
      try await again.endsInOrder()
      try await page.close()
    }

    /// Returns the lines that the page has copied since the last call.
    private func copied(on page: Browser) async throws -> [String] {
      try await page.waits(for: "copied.length > 0")
      return try await page.value(of: "copied.splice(0).join('\\n')").components(separatedBy: "\n")
    }

    /// Runs a line in a shell that finds the programs.
    private func terminal(_ line: String) throws -> LaunchedProgram {
      let folder = BuiltPrograms.consumer.deletingLastPathComponent().path
      return try sandbox.launch(URL(filePath: "/bin/sh"), ["-c", "PATH=\"\(folder):$PATH\"; \(line)"])
    }

    /// Expects that a line succeeds, or that the phone or the doctor rejects it. Returns `false` if `orEnds` is true and no
    /// broadcast runs.
    private func runs(_ line: String, orEnds: Bool = false) async throws -> Bool {
      let program = try terminal(line)
      let code = try await program.exitCode(within: .seconds(60))
      if orEnds, code == 69 { return false }
      #expect([0, 78].contains(code), "\(line): \(program.errors)")
      return true
    }

    @Test(.needs(.chromium)) func thePageSavesTheReportOfWhatWasSeenSoFar() async throws {
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
      #expect(try await page.value(of: "saved.includes('the watch is still running')") == "true")

      app.send(SIGTERM)
      try await page.waits(for: "\(Self.sentence).startsWith('The app has ended: ')")
      _ = try await page.value(of: "document.querySelector('[data-save=report]').click()")
      try await page.waits(for: "\(Self.toast).startsWith('Not saved. ')")
      try await page.close()
    }

    @Test(.needs(.chromium)) func theFarEndsOfACallReadTheFrameNumbersInOrder() async throws {
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

    @Test(.needs(.chromium)) func aCallContinuesAfterTheBrowserSentNothingForSeconds() async throws {
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

    @Test(.needs(.firefox)) func firefoxShowsThePictureThePlotsAndACallByTheFallback() async throws {
      let (_, page) = try await sandbox.callPage(in: .firefox)
      #expect(try await page.value(of: "'MediaStreamTrackGenerator' in globalThis") == "false")
      for picture in ["captured", "call"] { #expect(try await page.showsBars(in: picture), "\(picture)") }
      // The first plot shows the rates.
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
