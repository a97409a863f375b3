import Foundation
import PixelAccess
import TestSupport
import Testing
import WorkerSupport

@testable import RecordingQuality

/// PSNR and SSIM beside those of an independent implementation, on pictures that an encoder has made coarse.
@Suite(.sharedMachine) struct FFmpegAgreementTests {
  private static let ffmpeg = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: ffmpeg != nil, "ffmpeg is not installed"), arguments: [2, 12, 31])
  func theFiguresOfEachFrameAreThoseOfFFmpeg(quantiser: Int) async throws {
    let ffmpeg = URL(filePath: try #require(Self.ffmpeg))
    let recordings = Recordings(folder: try TemporaryFolder())
    let folder = recordings.folder
    // In the range of broadcast video, the only one that this encoder has.
    let reference = try recordings.write("a.y4m", 30..<40, range: .limited)
    let decoded = folder("b.y4m")
    for arguments in [
      ["-i", reference, "-c:v", "mpeg4", "-q:v", "\(quantiser)", folder("a.avi")],
      ["-i", folder("a.avi"), "-pix_fmt", "yuv420p", decoded],
      [
        "-i", decoded, "-i", reference, "-lavfi",
        "[0][1]psnr=stats_file=psnr.txt;[0][1]ssim=stats_file=ssim.txt", "-f", "null", "-",
      ],
    ] {
      let run = try await FinishedProgram(
        ffmpeg, ["-v", "error", "-nostdin", "-y"] + arguments, in: folder.path)
      try #require(run.exitCode == 0, "\(run.errors)")
    }
    let comparison = try RecordingComparison(reference: reference, decoded: decoded)
    let psnr = try values(folder("psnr.txt"))
    let ssim = try values(folder("ssim.txt"))
    #expect(comparison.frames.count == 10 && psnr.count == 10 && ssim.count == 10)
    for (frame, (psnr, ssim)) in zip(comparison.frames, zip(psnr, ssim)) {
      // ffmpeg writes two decimals of the PSNR.
      let highest = min(PictureQuality.highestPSNR, try #require(psnr["psnr_avg"]))
      #expect(abs(frame.quality.psnr - highest) <= 0.006)
      let planes = try ["Y", "U", "V"].map { try #require(ssim[$0]) }
      // It also counts the windows at the right and at the lower edge, and divides the variance by 63.
      #expect(abs(frame.quality.ssim - (0.8 * planes[0] + 0.1 * (planes[1] + planes[2]))) <= 0.01)
    }
  }

  /// The values of each frame, by name.
  private func values(_ path: String) throws -> [[String: Double]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ").reduce(into: [:]) { values, word in
        let parts = word.split(separator: ":")
        if parts.count == 2 { values[String(parts[0])] = Double(parts[1]) }
      }
    }
  }
}
