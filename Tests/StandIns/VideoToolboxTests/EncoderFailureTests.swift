import EmulatedDevice
import TestSupport

@testable import VideoToolbox

/// Tests sessions without a working encoder. Tests that change the search path run in separate processes.
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
    let sentence = "VideoToolbox: H.264 needs ffmpeg in $PATH: install ffmpeg with libx264."
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
        // The encoder reads a part of the first frame, and then exits or writes no video. If it exited before the frame, the
        // frame would be rejected.
        for script in [
          "head -c 20000 >/dev/null; echo \"Unrecognized option 'x'.\" >&2; echo >&2; echo 'Bad.' >&2; exit 1",
          "head -c 20000 >/dev/null; exit 1",
          "head -c 20000 >/dev/null; echo 'This is not a video, but it is long enough.'; cat >/dev/null",
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
    #expect(text.components(separatedBy: "VideoToolbox: H.264 is not encoded: /").count == 4)
    #expect(text.contains("/ffmpeg says 'Unrecognized option 'x'.; Bad.'."))
    #expect(text.contains("/ffmpeg failed without a message."))
    #expect(text.contains("/ffmpeg writes unexpected output."))
  }

  /// Programs that read nothing, that read all input and do not answer, that are suspended, and that run forever.
  @Test(arguments: [
    "exec sleep 600", "cat >/dev/null; exec sleep 600", "kill -STOP $$", "while :; do :; done",
  ]) func anEncoderThatHangsIsEnded(script: String) async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [script] in
      try await encodeByHangingEncoder(script)
    }
    let text = try #require(result).standardErrorContent.text
    let fault =
      isBusy(script)
      ? "has worked without an answer for 2.4 s" : "has neither read nor written data for 0.5 s"
    #expect(
      text.contains("H.264 is not encoded: ffmpeg (process ")
        && text.contains(") \(fault), and is killed."), "\(text)")
  }

  /// This happens if a session is invalidated while a frame arrives.
  @Test func anEncoderThatHasEndedTakesNoFrame() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder.ofPrograms()
      try makeShellScript("exec cat >/dev/null", at: folder("ffmpeg"))
      let picture = try makePicture(160, 120)
      let encoder = try Encoder(
        EncoderProgram(url: URL(filePath: folder("ffmpeg"))),
        EncoderSettings(size: CMVideoDimensions(width: 160, height: 120)),
        try #require(EncoderInput(of: picture)), Cancellation())
      encoder.end()
      encoder.callOutputs()
      let frame = unsafe Encoder.Frame(
        time: time(0), duration: .invalid, reference: nil, output: Encoder.Output { _, _, _ in })
      // If the encoder accepted the frame and did not answer it, its release would end this process.
      #expect(!encoder.encode(picture, frame, isKeyFrame: false))
    }
  }

  @Test(.needs(.ffmpeg)) func anEncoderThatCannotBeReplacedGoesOn() throws {
    let folder = try TemporaryFolder.ofPrograms()
    let path = folder("ffmpeg")
    let found = try #require(EncoderProgram.find()).url.path
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: found)
    let (frames, session) = (EncodedFrames(), impatientSession(path, waitLimit: .seconds(60)))
    let rate = kVTCompressionPropertyKey_AverageBitRate
    #expect(try encodeFrame(0, session, frames) == 0)
    #expect(VTSessionSetProperty(session, key: rate, value: 400_000 as CFNumber) == 0)
    try FileManager.default.removeItem(atPath: path)
    #expect(try encodeFrame(1, session, frames) == kVTVideoEncoderMalfunctionErr)
    #expect(VTSessionSetProperty(session, key: rate, value: nil) == 0)
    #expect(try encodeFrame(2, session, frames) == 0)
    #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == 0)
    #expect(frames.samples.map(\.presentationTimeStamp) == [time(0), time(2)])
  }

  @Test func invalidatingEndsAnEncoderThatHangs() async throws {
    let folder = try TemporaryFolder.ofPrograms()
    try makeShellScript("echo $$ >\(folder("pid")); kill -STOP $$", at: folder("ffmpeg"))
    let session = impatientSession(folder("ffmpeg"), waitLimit: .seconds(600))
    #expect(try encodeFrame(0, session, EncodedFrames(), width: 16, height: 16) == 0)
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
    #expect(text.components(separatedBy: "/ffmpeg cannot be started: ").count == 2, "\(text)")
  }

  @Test(.needs(.ffmpeg)) func aLockOfTheDeviceInvalidatesTheSessionsThatExist() throws {
    let frames = EncodedFrames()
    let picture = try makePicture(160, 120)
    let other = try makeSession(160, 120, into: frames)
    let device = Device()
    try device.run {
      let old = try makeSession(160, 120, into: frames, on: device)
      #expect(encode(picture, at: time(0), old) == 0)
      device.change { $0.isLocked = true }
      #expect(encode(picture, at: time(1), old) == kVTInvalidSessionErr)
      #expect(encode(picture, at: time(1), old) == -12903)
      #expect(VTCompressionSessionPrepareToEncodeFrames(old) == kVTInvalidSessionErr)
      let newFrames = EncodedFrames()
      let new = try makeSession(160, 120, into: newFrames, on: device)
      #expect(encode(picture, at: time(2), new) == 0)
      #expect(VTCompressionSessionCompleteFrames(new, untilPresentationTimeStamp: .invalid) == 0)
      #expect(newFrames.samples.map(\.presentationTimeStamp) == [time(2)])
    }
    // The session of a device that was not locked still works.
    #expect(encode(picture, at: time(3), other) == 0)
    #expect(VTCompressionSessionCompleteFrames(other, untilPresentationTimeStamp: .invalid) == 0)
  }
}

private func isBusy(_ script: String) -> Bool { script.hasPrefix("while") }

/// Encodes with an encoder that hangs, and expects that it is killed.
private func encodeByHangingEncoder(_ script: String) async throws {
  let folder = try TemporaryFolder.ofPrograms()
  try makeShellScript("echo $$ >\(folder("pid")); \(script)", at: folder("ffmpeg"))
  // On an overloaded host, the shell of a script may work for seconds before the script is idle.
  let waitLimit = Duration.milliseconds(isBusy(script) ? 200 : 500)
  let (frames, session) = (EncodedFrames(), impatientSession(folder("ffmpeg"), waitLimit: waitLimit))
  // More data than the socket buffers.
  #expect(try encodeFrame(0, session, frames, width: 640, height: 480) == 0)
  #expect(
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
      == kVTVideoEncoderMalfunctionErr)
  #expect(frames.statuses == [kVTVideoEncoderMalfunctionErr])
  #expect(try encodeFrame(1, session, frames, width: 640, height: 480) == kVTVideoEncoderMalfunctionErr)
  let pid = try String(contentsOfFile: folder("pid"), encoding: .utf8).dropLast()
  #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(pid)/exe") })
}

private func encodeFrame(
  _ index: Int, _ session: VTCompressionSession, _ frames: EncodedFrames, width: Int = 160, height: Int = 120
) throws -> OSStatus {
  VTCompressionSessionEncodeFrame(
    session, imageBuffer: try makePicture(width, height), presentationTimeStamp: time(index),
    duration: .invalid, frameProperties: nil, infoFlagsOut: nil
  ) { status, _, sample in frames.append(status, sample) }
}

/// Returns a session that kills an idle encoder after `waitLimit`.
private func impatientSession(_ path: String, waitLimit: Duration) -> VTCompressionSession {
  VTCompressionSession(
    settings: EncoderSettings(size: CMVideoDimensions(width: 160, height: 120)),
    program: EncoderProgram(url: URL(filePath: path), waitLimit: waitLimit), callback: nil)
}

private func create(_ codec: CMVideoCodecType, _ session: inout VTCompressionSession?) -> OSStatus {
  // UNSAFE: the out parameter is the caller's variable.
  unsafe VTCompressionSessionCreate(
    allocator: nil, width: 160, height: 120, codecType: codec, encoderSpecification: nil,
    imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
    compressionSessionOut: &session)
}

extension [UInt8] { fileprivate var text: String { String(decoding: self, as: UTF8.self) } }
