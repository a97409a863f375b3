import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import PixelAccess
import TestSupport
import Testing
import WorkerSupport

@testable import RecordingQuality

@Suite struct RecordingComparisonTests {
  private let recordings: Recordings

  init() throws { recordings = Recordings(folder: try TemporaryFolder()) }

  @Test func aRecordingEqualsItself() throws {
    let path = try recordings.write("a.y4m", 5..<15)
    let event = QualityEvent(try RecordingComparison(reference: path, decoded: path))
    #expect(event.matchedBy == "number" && event.compared == 10 && event.missing == 0)
    #expect(event.psnr.mean == 48 && event.psnr.min == 48 && event.ssim.mean == 1)
    #expect(event.maxRepeated == 1 && event.maxSkipped == 0)
  }

  @Test func theWorstFrameIsNamedByItsPlaceAndNumber() throws {
    let reference = try recordings.write("a.y4m", 100..<120)
    let decoded = try recordings.write("b.y4m", [100, 101, 103, 104, 104, 105]) { number, picture in
      addNoise(picture, number == 103 ? 30 : 3, seed: number)
      return picture
    }
    let comparison = try RecordingComparison(reference: reference, decoded: decoded)
    let event = QualityEvent(comparison)
    #expect(event.worstFrame == 2 && event.worstNumber == 103)
    #expect(event.compared == 6 && event.repeated == 1 && event.missing == 15 && event.maxSkipped == 1)
    #expect(event.psnr.min < 30 && event.psnr.mean > 35 && event.psnr.p5 == event.psnr.min)
    #expect(comparison.text.contains("frame 2 (number 103): "))
    let worst = try #require(comparison.worstPSNR)
    #expect(PictureQuality(of: worst.decoded, reference: worst.reference) == worst.frame.quality)
  }

  @Test func picturesWithoutNumbersAreComparedInTheirOrder() throws {
    let grey = try makeFilledPicture(160, 120)
    let reference = try recordings.write("a.y4m", 0..<4) { _, _ in grey }
    let decoded = try recordings.write("b.y4m", 0..<3) { _, _ in grey }
    let event = QualityEvent(try RecordingComparison(reference: reference, decoded: decoded))
    #expect(event.matchedBy == "order" && event.compared == 3 && event.missing == 1)
    let fast = try recordings.write("c.y4m", 0..<4, rate: 30) { _, _ in grey }
    let error = #expect(throws: ProgramFailure.self) {
      try RecordingComparison(reference: reference, decoded: fast)
    }
    #expect(error?.exitCode == .verificationFailed)
    #expect(error?.message.contains("10.00 frames a second") == true)
  }

  @Test func aSmallerRecordingIsComparedAtItsSize() throws {
    var large = recordings
    (large.width, large.height) = (640, 480)
    let reference = try large.write("a.y4m", 7..<9)
    var scaler = NV12Scaler()
    let small = try PixelBufferPool(width: 320, height: 240, pixelFormat: fullRange).makeBuffer()
    let decoded = try large.write("b.y4m", 7..<9) { _, picture in
      let isScaled = scaler.scale(picture, part: PixelRect(x: 0, y: 0, width: 640, height: 480), to: small)
      #expect(isScaled)
      return small
    }
    let comparison = try RecordingComparison(reference: reference, decoded: decoded)
    let event = QualityEvent(comparison)
    #expect(event.width == 320 && event.height == 240 && event.matchedBy == "number")
    #expect(event.psnr.min == 48 && event.compared == 2)
    #expect(comparison.text.contains("compared at this size"))
    let error = #expect(throws: ProgramFailure.self) {
      try RecordingComparison(reference: decoded, decoded: reference)
    }
    #expect(error?.message.contains("larger than its reference; name the reference first") == true)
  }

  @Test func samplesOfAnotherRangeAreConverted() throws {
    let reference = try recordings.write("a.y4m", 3..<6)
    let decoded = try recordings.write("b.y4m", 3..<6, range: .limited)
    let event = QualityEvent(try RecordingComparison(reference: reference, decoded: decoded))
    #expect(event.psnr.min > 44 && event.ssim.min > 0.98 && event.levels == "converted")
  }

  @Test func aWrongRangeInTheHeaderIsReported() throws {
    let reference = try recordings.write("a.y4m", 3..<6)
    var bytes = try Data(contentsOf: URL(filePath: reference))
    let tag = try #require(bytes.firstRange(of: Data("FULL".utf8)))
    bytes.replaceSubrange(tag, with: Data("LIMITED".utf8))
    let decoded = recordings.folder("b.y4m")
    try bytes.write(to: URL(filePath: decoded))
    let comparison = try RecordingComparison(reference: reference, decoded: decoded)
    #expect(QualityEvent(comparison).levels == "stored" && QualityEvent(comparison).psnr.min == 48)
    #expect(comparison.text.contains("b.y4m states limited range, and its samples have full range"))
  }

  @Test func anOddSizeIsCompared() throws {
    var odd = recordings
    (odd.width, odd.height) = (161, 119)
    let path = try odd.write("a.y4m", 0..<2)
    let event = QualityEvent(try RecordingComparison(reference: path, decoded: path))
    #expect(event.width == 161 && event.psnr.min == 48)
  }

  @Test func recordingsThatDoNotBelongTogetherAreRefused() throws {
    let reference = try recordings.write("a.y4m", 1..<5)
    let later = try recordings.write("b.y4m", 60..<64)
    var turned = recordings
    (turned.width, turned.height) = (90, 120)
    let portrait = try turned.write("c.y4m", 1..<3)
    (turned.width, turned.height) = (16, 16)
    let tiny = try turned.write("d.y4m", 1..<3)
    for (decoded, reason) in [
      (later, "No frame number is in both"), (portrait, "other proportions"), (tiny, "needs 17 pixels"),
    ] {
      let error = #expect(throws: ProgramFailure.self) {
        try RecordingComparison(reference: reference, decoded: decoded)
      }
      #expect(error?.exitCode == .verificationFailed && error?.message.contains(reason) == true)
    }
  }

  @Test func aDamagedFileIsNamedWithTheWayOut() throws {
    let reference = try recordings.write("a.y4m", 1..<5)
    let cut = try recordings.write("b.y4m", 1..<5)
    setSize(of: cut, to: 70_000)
    let header = "YUV4MPEG2 W160 H120 F10:1 Cmono\nFRAME\n"
    let mono = recordings.folder("mono.y4m")
    try Data(header.utf8).write(to: URL(filePath: mono))
    let empty = recordings.folder("empty.y4m")
    try Data(header.replacing(" Cmono\nFRAME", with: "").utf8).write(to: URL(filePath: empty))
    for (path, code, reason) in [
      (cut, ExitCode.verificationFailed, "ends within frame 2"), (mono, .verificationFailed, "Cmono"),
      (empty, .verificationFailed, "has no frame"),
      (recordings.folder("none.y4m"), .inputOutput, "does not exist"),
    ] {
      let error = #expect(throws: ProgramFailure.self) {
        try RecordingComparison(reference: reference, decoded: path)
      }
      #expect(error?.exitCode == code && error?.message.contains(reason) == true)
      #expect(error?.message.contains(path) == true)
    }
  }

  @Test func aLimitThatIsNotReachedIsABrokenPromise() throws {
    let reference = try recordings.write("a.y4m", 1..<4)
    let decoded = try recordings.write("b.y4m", 1..<4) { number, picture in
      addNoise(picture, 20, seed: number)
      return picture
    }
    let comparison = try RecordingComparison(reference: reference, decoded: decoded)
    #expect(comparison.failure(.init()) == nil && comparison.failure(.init(psnr: 20, ssim: 0.1)) == nil)
    let failure = try #require(comparison.failure(.init(psnr: 40)))
    #expect(failure.exitCode == .verificationFailed && failure.message.contains("at least 40.00 dB"))
    #expect(comparison.promises(.init(psnr: 40)).map(\.verdict) == ["failed", "not judged"])
    var page = ReportPage(title: "quality")
    comparison.add(to: &page, .init(psnr: 40))
    #expect(page.html.components(separatedBy: "data:image/png").count >= 3)
    #expect(page.html.contains("<svg"))
  }
}
