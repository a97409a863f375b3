import Foundation
import Platform
import TestSupport
import Testing

@testable import VideoToolbox

/// Sessions without an encoder that works. Tests that change the search path are processes of their own.
@Suite(.sharedMachine) struct EncoderFailureTests {
  @Test func withoutFfmpegTheLogSaysWhatToInstall() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        // UNSAFE: the call copies both texts.
        unsafe setenv("PATH", "/nonexistent", 1)
        for _ in 0..<2 {
          var session: VTCompressionSession?
          #expect(create(kCMVideoCodecType_H264, &session) == kVTCouldNotFindVideoEncoderErr)
          #expect(session == nil)
        }
      })
    let sentence = "VideoToolbox: there is no ffmpeg in $PATH to encode H.264: install it, with libx264."
    #expect(result.standardErrorContent.text.components(separatedBy: sentence).count == 2)
  }

  @Test func anotherCodecIsRefused() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        var session: VTCompressionSession?
        #expect(create(0x6170_636E, &session) == kVTCouldNotFindVideoEncoderErr)
      })
    #expect(result.standardErrorContent.text.contains("create the session with kCMVideoCodecType_H264"))
  }

  @Test func anEncoderThatFailsIsReportedForEachFrame() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        // It reads of the first frame, and ends; then one writes something else. Before the frame it would be refused.
        for script in [
          "head -c 20000 >/dev/null; echo \"Unrecognized option 'x'.\" >&2; echo >&2; echo 'Bad.' >&2; exit 1",
          "head -c 20000 >/dev/null; exit 1",
          "head -c 20000 >/dev/null; echo 'This is no video, but it is long enough.'; cat >/dev/null",
        ] {
          let folder = try TemporaryFolder.ofPrograms()
          try makeShellScript(script, at: folder("ffmpeg"))
          // UNSAFE: the call copies both texts.
          unsafe setenv("PATH", "\(folder.path):/usr/bin:/bin", 1)
          let frames = EncodedFrames()
          let session = try makeSession(160, 120, into: frames)
          #expect(encode(try makePicture(160, 120), at: time(0), session) == 0)
          let status = VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
          #expect(status == kVTVideoEncoderMalfunctionErr)
          #expect(frames.statuses == [kVTVideoEncoderMalfunctionErr])
          #expect(encode(try makePicture(160, 120), at: time(1), session) == kVTVideoEncoderMalfunctionErr)
          VTCompressionSessionInvalidate(session)
        }
      })
    let text = result.standardErrorContent.text
    #expect(text.contains("ffmpeg does not encode H.264: ffmpeg says 'Unrecognized option 'x'.; Bad.'."))
    #expect(text.contains("ffmpeg does not encode H.264: it ended without a message."))
    #expect(text.contains("ffmpeg does not encode H.264: its output is not what was asked for"))
  }

  /// Programs that take nothing, that take all and answer nothing, and that are stopped.
  @Test(arguments: ["exec sleep 600", "cat >/dev/null; exec sleep 600", "kill -STOP $$"])
  func anEncoderThatStandsIsEnded(script: String) async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [script] in
      try await encodeByStandingEncoder(script)
    }
    let text = try #require(result).standardErrorContent.text
    #expect(
      text.contains("ffmpeg does not encode H.264: ffmpeg (process ")
        && text.contains(") takes no data and gives none for 0.2 s, and is ended."), "\(text)")
  }

  @Test func invalidatingEndsAnEncoderThatStands() async throws {
    let folder = try TemporaryFolder.ofPrograms()
    try makeShellScript("echo $$ >\(folder("pid")); kill -STOP $$", at: folder("ffmpeg"))
    let session = standingSession(folder("ffmpeg"), patience: .seconds(600))
    let picture = try makePicture(16, 16)
    VTCompressionSessionEncodeFrame(
      session, imageBuffer: picture, presentationTimeStamp: time(0), duration: .invalid,
      frameProperties: nil, infoFlagsOut: nil
    ) { _, _, _ in }
    let file = folder("pid")
    let pid: @Sendable () -> Substring = {
      (try? String(contentsOfFile: file, encoding: .utf8))?.dropLast() ?? ""
    }
    #expect(await eventually { !pid().isEmpty })
    VTCompressionSessionInvalidate(session)
    #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(pid())/exe") })
  }

  @Test func aFileThatIsNoProgramIsReportedOnce() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let folder = try TemporaryFolder.ofPrograms()
        try makeProgram("no program", at: folder("ffmpeg"))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder("ffmpeg"))
        // UNSAFE: the call copies both texts.
        unsafe setenv("PATH", "\(folder.path):/usr/bin:/bin", 1)
        let session = try makeSession(160, 120, into: EncodedFrames())
        for index in 0..<3 {
          #expect(
            encode(try makePicture(160, 120), at: time(index), session) == kVTVideoEncoderMalfunctionErr)
        }
      })
    let text = result.standardErrorContent.text
    #expect(
      text.components(separatedBy: "/ffmpeg cannot be started: exec format error.").count == 2, "\(text)")
  }

  @Test(.needs(.ffmpeg))
  func aLockOfTheDeviceInvalidatesTheSessionsThatExist() throws {
    let frames = EncodedFrames()
    let picture = try makePicture(160, 120)
    let other = try makeSession(160, 120, into: frames)
    try DeviceScope.$current.withValue(DeviceScope(clock: SystemClock(), containerRoot: "locked")) {
      let old = try makeSession(160, 120, into: frames)
      #expect(encode(picture, at: time(0), old) == 0)
      VTCompressionSession.invalidateAll()
      #expect(encode(picture, at: time(1), old) == kVTInvalidSessionErr)
      #expect(encode(picture, at: time(1), old) == -12903)
      #expect(VTCompressionSessionPrepareToEncodeFrames(old) == kVTInvalidSessionErr)
      let newFrames = EncodedFrames()
      let new = try makeSession(160, 120, into: newFrames)
      #expect(encode(picture, at: time(2), new) == 0)
      #expect(VTCompressionSessionCompleteFrames(new, untilPresentationTimeStamp: .invalid) == 0)
      #expect(newFrames.samples.map(\.presentationTimeStamp) == [time(2)])
    }
    // The session of a device that was not locked.
    #expect(encode(picture, at: time(3), other) == 0)
    #expect(VTCompressionSessionCompleteFrames(other, untilPresentationTimeStamp: .invalid) == 0)
  }
}

/// Encodes by an encoder that stands, and expects its end.
private func encodeByStandingEncoder(_ script: String) async throws {
  let folder = try TemporaryFolder.ofPrograms()
  try makeShellScript("echo $$ >\(folder("pid")); \(script)", at: folder("ffmpeg"))
  let (frames, session) = (EncodedFrames(), standingSession(folder("ffmpeg")))
  // More than the socket holds.
  let picture = try makePicture(640, 480)
  func encodeFrame(_ index: Int) -> OSStatus {
    VTCompressionSessionEncodeFrame(
      session, imageBuffer: picture, presentationTimeStamp: time(index), duration: .invalid,
      frameProperties: nil, infoFlagsOut: nil
    ) { status, _, sample in frames.append(status, sample) }
  }
  #expect(encodeFrame(0) == 0)
  #expect(
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
      == kVTVideoEncoderMalfunctionErr)
  #expect(frames.statuses == [kVTVideoEncoderMalfunctionErr])
  #expect(encodeFrame(1) == kVTVideoEncoderMalfunctionErr)
  let pid = try String(contentsOfFile: folder("pid"), encoding: .utf8).dropLast()
  #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(pid)/exe") })
}

/// A session whose encoder has less patience than that of a person.
private func standingSession(_ path: String, patience: Duration = .milliseconds(200)) -> VTCompressionSession
{
  VTCompressionSession(
    settings: EncoderSettings(size: CMVideoDimensions(width: 160, height: 120)),
    program: EncoderProgram(url: URL(filePath: path), patience: patience), callback: nil)
}

private func create(_ codec: CMVideoCodecType, _ session: inout VTCompressionSession?) -> OSStatus {
  // UNSAFE: the out parameter is the caller's variable.
  unsafe VTCompressionSessionCreate(
    allocator: nil, width: 160, height: 120, codecType: codec, encoderSpecification: nil,
    imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
    compressionSessionOut: &session)
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
