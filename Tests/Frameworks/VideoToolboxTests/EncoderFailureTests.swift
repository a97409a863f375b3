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
        #expect(create(kCMVideoCodecType_HEVC, &session) == kVTCouldNotFindVideoEncoderErr)
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
          let program = URL(filePath: folder("ffmpeg"))
          try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
          try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
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
    #expect(text.contains("ffmpeg does not encode H.264: it says 'Unrecognized option 'x'.; Bad.'."))
    #expect(text.contains("ffmpeg does not encode H.264: it ended without a message."))
    #expect(text.contains("ffmpeg does not encode H.264: its output is not H.264 in FLV"))
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
