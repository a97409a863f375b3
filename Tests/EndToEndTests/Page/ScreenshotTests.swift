import TestSupport

extension EndToEndTests {
  /// The page and a report as a person sees them. `swift test --attachments-path FOLDER` keeps the pictures.
  @MainActor @Suite struct ScreenshotTests {
    let sandbox = Sandbox.ofSuite()

    /// The contrast of the text with its background as WCAG 2 defines it, and the brightness of the background.
    private static let colours = """
      (() => {
        const context = document.createElement('canvas').getContext('2d');
        const luminance = (colour) => {
          context.fillStyle = colour;
          context.fillRect(0, 0, 1, 1);
          const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((level) =>
            level / 255 <= 0.04045 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4);
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const style = getComputedStyle(document.body);
        const root = getComputedStyle(document.documentElement).backgroundColor;
        const isClear = (colour) => colour.endsWith(', 0)');
        const back = luminance(isClear(style.backgroundColor) ? root : style.backgroundColor);
        const text = luminance(style.color);
        return `${(Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05)} ${back}`;
      })()
      """

    /// Records screenshots in both themes and in the windows of a phone, a laptop and a wall, and checks their properties.
    private func takePictures(
      of name: String, in page: Browser, _ sizes: [(Int, Int)],
      checks: (String) async throws -> Void = { _ in }
    ) async throws {
      for isDark in [false, true] {
        for (width, height) in sizes {
          let place = "\(name), \(width)x\(height), \(isDark ? "dark" : "light")"
          try await page.show(width: width, height: height, isDark: isDark)
          try await page.waits(for: "innerWidth === \(width)")
          _ = try await page.value(of: "scrollTo(0, 0)")
          #expect(
            try await page.value(of: "document.documentElement.scrollWidth <= innerWidth") == "true",
            "\(place): wider than the window")
          let colours = try await page.value(of: Self.colours).split(separator: " ").compactMap { Double($0) }
          #expect(
            colours.count == 2 && colours[0] >= 7 && (colours[1] < 0.2) == isDark, "\(place): \(colours)")
          let picture = try await page.screenshot()
          // The size is in the header of the file.
          let sides = [16, 20].map { start in picture[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
          #expect(sides == [width, height])
          try await checks(place)
          // An empty window of the largest size has 29 kB.
          #expect(picture.count > 35_000, "\(place): \(picture.count) bytes")
          Attachment.record(
            [UInt8](picture), named: "\(name)-\(width)-\(isDark ? "dark" : "light").png")
        }
      }
    }

    @Test(.needs(.chromium)) func thePageFitsEachWindowInBothThemes() async throws {
      let (_, page) = try await sandbox.callPage(size: "886x1918")
      _ = try await page.value(of: "document.getElementById('call-button').click()")
      try await page.waits(for: "broadcast.calls.receiver.counts.read >= 5")
      try await page.waits(for: "broadcast.film.entries.length > 4")
      try await page.waits(for: "/Delay[0-9]/.test(document.getElementById('figures').textContent)")
      try await takePictures(of: "page", in: page, [(390, 844), (1024, 768), (1440, 900), (1920, 1080)]) {
        place in
        #expect(
          try await page.value(of: "document.documentElement.scrollHeight <= innerHeight") == "true",
          "\(place): higher than the window")
        // The phone with its edge.
        let part = try await page.value(
          of: "(document.querySelector('#phone .frame').offsetHeight + 16) / innerHeight")
        let least = try await page.value(of: "innerWidth > 759 ? 0.79 : 0.65")
        #expect((Double(part) ?? 0) >= (Double(least) ?? 1), "\(place): the phone has \(part) of the height")
        #expect(
          try await page.value(
            of: """
              [...document.querySelectorAll('button, a, input, select')].filter((one) => one.offsetParent && !one.disabled)
                .every((one) => one.textContent.trim() || one.ariaLabel || one.labels?.[0]?.textContent.trim())
              """) == "true", "\(place): something has no name")
      }
      // The picture of the documentation.
      try await page.show(width: 1440, height: 900, isDark: false)
      try await page.waits(for: "innerWidth === 1440")
      if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
        try await page.waits(for: "sentence.textContent.startsWith('All right: the remote side')")
        try await page.screenshot().write(to: Document.package.appending(path: "Docs/live-page.png"))
      }
      #expect(try await page.showsBars(in: "call"))
      try await page.close()
    }

    @Test(.needs(.chromium)) func aReportFitsEachWindowInBothThemes() async throws {
      let file = sandbox.folder.appending(path: "report.html")
      let watcher = try await sandbox.readyWatcher("--once", "--report", file.path)
      let producer = try sandbox.producer("--at", "0.5s", "rotate:left")
      try await watcher.event("stats")
      producer.send(SIGKILL)
      _ = try await watcher.exitCode(within: .seconds(60))
      let page = try await Browser(file.absoluteString, in: sandbox)
      try await page.waits(for: "document.querySelectorAll('table').length > 1")
      try await takePictures(of: "report", in: page, [(400, 900), (1280, 900), (3840, 2160)])
      try await page.close()
    }
  }
}
