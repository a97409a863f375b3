import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import ScreenBroadcast
import TestSupport
import Testing
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct VideoCallTests {
  /// What a renderer gets of a frame.
  private func sent(
    _ width: Int, _ height: Int, outputSize: OutputSize, fit: PictureFit = .crop,
    orientation: CGImagePropertyOrientation = .up, at time: UInt64 = 0
  ) throws -> RTCVideoFrame {
    let call = VideoCall(outputSize: outputSize, fit: fit)
    let renderer = RecordingRenderer()
    call.track.add(renderer)
    try call.send(
      makeFilledPicture(width, height), orientation: orientation, time: MonotonicTime(nanoseconds: time))
    return try #require(renderer.frames.first)
  }

  @Test(arguments: [
    (CGImagePropertyOrientation.up, RTCVideoRotation._0), (.upMirrored, ._0), (.left, ._90),
    (.leftMirrored, ._90), (.down, ._180), (.downMirrored, ._180), (.right, ._270), (.rightMirrored, ._270),
  ])
  func theOrientationBecomesTheRotation(
    _ orientation: CGImagePropertyOrientation, _ rotation: RTCVideoRotation
  )
    throws
  {
    #expect(try sent(32, 16, outputSize: .native, orientation: orientation).rotation == rotation)
  }

  @Test func theTimeIsTheCaptureTimeInNanoseconds() throws {
    #expect(try sent(32, 16, outputSize: .native, at: 123_456_789).timeStampNs == 123_456_789)
    #expect(try sent(32, 16, outputSize: .native, at: .max).timeStampNs == .max)
  }

  @Test func nativeSizePassesThePixelsThemselves() throws {
    let call = VideoCall(outputSize: .native, fit: .contain)
    let renderer = RecordingRenderer()
    call.track.add(renderer)
    let picture = try makeFilledPicture(33, 17)
    try call.send(picture, orientation: .up, time: 1)
    #expect(renderer.frames.first?.pixelBuffer === picture)
  }

  @Test(arguments: [PictureFit.crop, .contain]) func aFixedSizeHasTheOrientationOfTheScreen(_ fit: PictureFit)
    throws
  {
    for (width, height, expected) in [(128, 60, [48, 32]), (60, 128, [32, 48])] {
      let frame = try sent(width, height, outputSize: .fixed(width: 48, height: 32), fit: fit)
      #expect([frame.width, frame.height] == expected.map { Int32($0) })
    }
  }

  @Test func onlyContainedFramesHaveBars() throws {
    for (fit, hasBars) in [(PictureFit.crop, false), (.contain, true)] {
      let frame = try sent(128, 32, outputSize: .fixed(width: 48, height: 32), fit: fit)
      let luma = rows(try #require(frame.pixelBuffer), plane: 0)
      #expect((luma[0][24] == 0) == hasBars)
      #expect(luma[16][24] == 200)
    }
  }

  @Test(arguments: [PictureFit.crop, .contain]) func aScaledFrameKeepsItsColours(_ fit: PictureFit) throws {
    let call = VideoCall(outputSize: .fixed(width: 48, height: 32), fit: fit)
    let renderer = RecordingRenderer()
    call.track.add(renderer)
    let picture = try makeFilledPicture(128, 60)
    picture.state(.bt601)
    try call.send(picture, orientation: .up, time: 1)
    #expect(renderer.frames.first?.pixelBuffer?.statedMatrix == .bt601)
  }

  @Test func aSizeBeyondAllFramesDoesNotTrap() throws {
    let frame = try sent(32, 16, outputSize: .fixed(width: .max, height: .max))
    #expect(frame.width <= 32)
  }
}
