import Foundation
import TestSupport
import Testing
import VideoToolbox

/// An ffmpeg that `Tests/ffmpegs` has fetched.
private struct FetchedProgram {
  static let versions = ["4.2", "7.0", "9.0"]

  /// The folder of a version, beside the programs of the tests.
  static func folder(_ version: String) -> String { ".build/ffmpeg/\(version)" }

  static func exists(_ version: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "\(folder(version))/ffmpeg")
  }
}

/// The encoder with the versions of ffmpeg that PyPI has; the other suites use the installed one. Each is a process of its
/// own, because it changes the search path.
@Suite(.sharedMachine) struct FFmpegVersionTests {
  @Test(arguments: FetchedProgram.versions) func encodesWithEachVersion(version: String) async throws {
    guard FetchedProgram.exists(version) else {
      try Test.cancel("there is no ffmpeg \(version) in \(FetchedProgram.folder(version)); run Tests/ffmpegs")
    }
    await #expect(processExitsWith: .success) { [version] in
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      // UNSAFE: the call copies both texts.
      unsafe setenv("PATH", "\(FetchedProgram.folder(version)):\(path)", 1)
      let frames = EncodedFrames()
      let session = try makeSession(160, 120, into: frames)
      let times = [0, 20, 40, 1000, 1001, 1002, 3000].map { CMTime(value: $0, timescale: 600) }
      let pictures = try times.indices.map { try makePicture(160, 120, number: $0) }
      for (picture, time) in zip(pictures, times) {
        #expect(encode(picture, at: time, session, isForced: time == times[4]) == 0)
      }
      #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == 0)
      #expect(frames.samples.map(\.presentationTimeStamp) == times)
      #expect(frames.keyFrames == [0, 4])
      let decoded = try await frames.decodedLuma(width: 160, height: 120)
      #expect(decoded.count == times.count)
      for (picture, luma) in zip(pictures, decoded) {
        #expect(likeness(luma, samples(picture, plane: 0)) > 33)
      }
    }
  }
}
