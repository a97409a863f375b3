import CommandLineSupport
import CoreVideo
import Foundation
import PixelAccess
import TestSupport
import Testing

@testable import FileInspector

@Suite struct JPEGPictureTests {
  /// Whether there is an ffmpeg to decode with.
  static let hasDecoder = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }

  init() { SignalSources.ignoreBrokenPipes() }

  @Test(.sharedMachine, .enabled(if: hasDecoder, "no ffmpeg is installed"))
  func thePictureHasTheSamplesOfTheFile() throws {
    let picture = try JPEGPicture.decode(SampleJPEG.file[...])
    #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    #expect(CVPixelBufferGetWidth(picture) == SampleJPEG.width)
    #expect(CVPixelBufferGetHeight(picture) == SampleJPEG.height)
    let pairs = SampleJPEG.width / 2 * SampleJPEG.height / 2
    let luma = SampleJPEG.width * SampleJPEG.height
    let reference = SampleJPEG.samples
    let chroma = (0..<pairs).flatMap { [reference[luma + $0], reference[luma + pairs + $0]] }
    // Versions may round differently, by one.
    for (found, expected) in [
      (samples(picture, plane: 0), Array(reference[..<luma])), (samples(picture, plane: 1), chroma),
    ] {
      #expect(found.count == expected.count)
      #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
  }

  @Test(.sharedMachine, .enabled(if: hasDecoder, "no ffmpeg is installed"))
  func aFileThatIsCutIsRefusedWithAReason() throws {
    // Cut after the frame header, so that only the decoder can find the error.
    for count in [360, 560, 700] {
      let bytes = SampleJPEG.file.prefix(count) + [0xFF, 0xD9]
      let error = #expect(throws: JPEGPicture.Failure.self) { try JPEGPicture.decode(bytes) }
      guard case .decoder(let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(!reason.isEmpty && !reason.contains("\n"))
    }
  }

  @Test func withoutADecoderTheReasonNamesTheProgram() throws {
    let folder = try TemporaryFolder()
    for path in [nil, "", folder.path, "/nonexistent:" + folder.path] {
      let error = #expect(throws: JPEGPicture.Failure.noDecoder) {
        try JPEGPicture.decode(SampleJPEG.file[...], searchPath: path)
      }
      #expect(error?.description.hasSuffix("there is no ffmpeg in $PATH; install it") == true)
    }
  }

  @Test func anOutputOfAnotherSizeIsRefused() throws {
    let folder = try TemporaryFolder.ofPrograms()
    for (script, words) in [
      ("cat > /dev/null; echo short", "it gave 6 bytes for a picture of 38x22"),
      ("echo 'No such thing' >&2; exit 1", "No such thing"), ("kill -9 $$", "it exited with 9"),
    ] {
      try makeShellScript(script, at: folder("ffmpeg"))
      #expect(throws: JPEGPicture.Failure.decoder(words)) {
        try JPEGPicture.decode(SampleJPEG.file[...], searchPath: folder.path)
      }
    }
  }

  @Test func aPictureLargerThanAnyScreenIsNotDecoded() {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x20, 1, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xD9]
    #expect(throws: JPEGPicture.Failure.size(width: 16, height: 8193)) { try JPEGPicture.decode(bytes[...]) }
    #expect(throws: JPEGPicture.Failure.decoder("it has no frame header")) {
      try JPEGPicture.decode([0xFF, 0xD8, 0xFF, 0xD9])
    }
  }
}
