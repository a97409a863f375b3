import TestSupport
import VideoToolbox

/// Tests the encoder with versions of ffmpeg from PyPI. The other suites use the installed version. Each test runs in a
/// separate process, because it changes the search path.
@Suite(.sharedMachine) struct FFmpegVersionTests {
  /// HEVC needs 5.1 or later. The installed ffmpeg decodes.
  @Test(
    .needs(.ffmpeg),
    arguments: FetchedFFmpeg.versions.map { ($0, kCMVideoCodecType_H264) }
      + FetchedFFmpeg.versions.dropFirst().map { ($0, kCMVideoCodecType_HEVC) })
  func encodesWithEachVersion(version: String, codec: CMVideoCodecType) async throws {
    try FetchedFFmpeg.require(version)
    await #expect(processExitsWith: .success) { [version, codec] in
      FetchedFFmpeg.use(version)
      let frames = EncodedFrames()
      let session = try makeSession(160, 120, into: frames, codec: codec)
      let times = [0, 20, 40, 1000, 1001, 1002, 3000].map { CMTime(value: $0, timescale: 600) }
      let pictures = try times.indices.map { try makePicture(160, 120, number: $0) }
      for (picture, time) in zip(pictures, times) {
        #expect(encode(picture, at: time, session, isForced: time == times[4]) == 0)
      }
      #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == 0)
      #expect((frames.samples.map(\.presentationTimeStamp), frames.keyFrames) == (times, [0, 4]))
      let decoded = try await frames.decodedLuma(width: 160, height: 120)
      #expect(decoded.count == times.count)
      for (picture, luma) in zip(pictures, decoded) {
        #expect(likeness(luma, samples(picture, plane: 0)) > 33)
      }
    }
  }
}
