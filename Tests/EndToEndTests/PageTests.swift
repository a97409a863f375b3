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

    private func press(_ button: String, _ value: String = "") -> String {
      """
      (() => {
        const button = [...document.querySelectorAll('#controls button')].find((b) => b.textContent === '\(button)');
        if (button.nextElementSibling?.tagName === 'INPUT') button.nextElementSibling.value = '\(value)';
        button.click();
      })()
      """
    }

    @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed"))
    func aPersonFollowsABroadcastOnThePage() async throws {
      let app = try sandbox.launch(
        BuiltPrograms.consumer, ["watch", "--json", "--container", sandbox.root, "--serve"])
      let address = try #require(try await app.event("serving").text("address"))
      let producer = try sandbox.producer()
      let page = try await Browser(address, in: sandbox)

      try await page.waits(for: "broadcast.captured.framesDrawn > 5 && broadcast.call.framesDrawn > 5")
      #expect(try await page.value(of: "broadcast.captured.canvas.width") == "160")
      #expect(try await page.value(of: "broadcast.captured.usesVideoFrame") == "true")
      // The second of eight bars is yellow, of three quarters of the brightness.
      let yellow = "broadcast.captured.context.getImageData(30, 80, 1, 1).data"
      #expect(
        try await page.value(of: "[191, 191, 0].every((v, at) => Math.abs(v - \(yellow)[at]) < 4)") == "true")

      _ = try await page.value(of: press("pause"))
      try await page.waits(for: "\(Self.phase) === 'paused'")
      _ = try await page.value(of: press("resume"))
      try await page.waits(for: "\(Self.phase) === 'live'")
      _ = try await page.value(of: press("rotate", "left"))
      try await page.waits(for: "broadcast.captured.canvas.width === 120")
      _ = try await page.value(of: press("rotate", "sideways"))
      try await page.waits(for: "document.getElementById('outcome').textContent.includes('expects')")

      producer.send(SIGKILL)
      try await page.waits(for: "\(Self.phase) === 'crashed' && \(Self.timeline).includes('crashed.')")
      _ = try await page.value(of: press("consumer start"))
      try await page.waits(for: "\(Self.phase) === 'live' && broadcast.captured.canvas.width === 1080")

      _ = try await page.value(of: "location.reload()")
      try await page.waits(
        for: "globalThis.broadcast?.captured.framesDrawn > 3 && \(Self.timeline).includes('crashed.')")
      _ = try await page.value(of: press("consumer stop"))
      try await page.waits(for: "\(Self.phase) === 'not active'")
      try await page.close()
    }
  }
}
