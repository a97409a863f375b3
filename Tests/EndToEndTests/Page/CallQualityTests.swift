import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The quality of the pictures at the far end of a call in the page.
  @MainActor @Suite struct CallQualityTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test(.needs(.chromium))
    func thePicturesOfTheFarEndAreComparedWithThoseThatWereSent() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let (_, page) = try await sandbox.callPage()
      // A call slows the page: what needs none comes first.
      try await comparesKnownPictures(page)

      _ = try await page.value(of: "document.getElementById('call-button').click()")
      let report = "[...broadcast.calls.call.reports.values()][0]"
      try await page.waits(
        for: "\(report).psnr > 0 && \(report).psnr <= 48 && \(report).ssim <= 1")
      try await page.waits(for: "document.getElementById('far-measures').textContent.includes(' dB, ssim ')")
      // An encoder without time sends coarse pictures.
      let isGood = try await page.holds("\(report).psnr > 30 && \(report).ssim > 0.9", within: .seconds(60))
      let figures = try await page.value(of: "`${\(report).psnr} dB, ssim ${\(report).ssim}`")
      try await page.close()
      try pace.expect { #expect(isGood, "\(figures)") }
    }

    private func comparesKnownPictures(_ page: Browser) async throws {
      func compared(_ received: String) async throws -> [Double] {
        let values = try await page.value(
          of: """
            import('/quality.js').then(({ takeWindows, encodeWindows, decodeWindows, compareWindows }) => {
              const sent = takeWindows((x, y) => 50 + x % 100, 320, 240, 7);
              const { psnr, ssim } = compareWindows(decodeWindows(encodeWindows(sent)), takeWindows(\(received), 320, 240, 7));
              return `${psnr} ${ssim}`;
            })
            """)
        return values.split(separator: " ").compactMap { Double($0) }
      }
      #expect(try await compared("(x, y) => 50 + x % 100") == [48, 1])
      let darker = try await compared("(x, y) => 40 + x % 100")
      #expect(darker.count == 2 && abs(darker[0] - 10 * log10(255 * 255 / 100)) < 1e-6)
      let other = try await compared("(x, y) => 50 + (x + 50) % 100")
      #expect(other.count == 2 && other[0] < 20 && other[1] < darker[1])
    }
  }
}
