import PixelAccess
import ReplayKit
import ScreenBroadcast
import TestSupport
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct VideoCallTests {
  private func makeCall(
    _ outputSize: OutputSize, fit: PictureFit = .crop, framesPerSecond: Int32? = nil
  ) -> (call: VideoCall, renderer: RecordingRenderer) {
    let call = VideoCall(outputSize: outputSize, fit: fit, framesPerSecond: framesPerSecond)
    let renderer = RecordingRenderer()
    call.track.add(renderer)
    return (call, renderer)
  }

  private func sent(
    _ width: Int, _ height: Int, outputSize: OutputSize, fit: PictureFit = .crop,
    orientation: CGImagePropertyOrientation = .up, at time: UInt64 = 0
  ) throws -> RTCVideoFrame {
    let (call, renderer) = makeCall(outputSize, fit: fit)
    try call.send(
      makeFilledPicture(width, height), orientation: orientation, time: MonotonicTime(nanoseconds: time))
    return try #require(renderer.frames.first)
  }

  @Test(arguments: [
    (CGImagePropertyOrientation.up, RTCVideoRotation._0), (.upMirrored, ._0), (.left, ._90),
    (.leftMirrored, ._90), (.down, ._180), (.downMirrored, ._180), (.right, ._270), (.rightMirrored, ._270),
  ]) func theOrientationBecomesTheRotation(
    _ orientation: CGImagePropertyOrientation, _ rotation: RTCVideoRotation
  )
    throws
  {
    #expect(try sent(32, 16, outputSize: .native, orientation: orientation).rotation == rotation)
  }

  @Test func timesAreThoseOfTheClockOfTheCall() throws {
    let before = SystemClock().now
    for time in [123_456_789, .max] as [UInt64] {
      let shown = try sent(32, 16, outputSize: .native, at: time).timeStampNs
      #expect(shown / 1_000 >= Int64(before.nanoseconds) / 1_000)
      #expect(shown <= Int64(SystemClock().now.nanoseconds))
    }
  }

  @Test func nativeSizePassesThePixelsThemselves() throws {
    for rate in [nil, 24] as [Int32?] {
      let (call, renderer) = makeCall(.native, fit: .contain, framesPerSecond: rate)
      // Each change of the frame's size changes the requested size.
      for (index, size) in [(32, 16), (16, 32), (408, 886), (886, 1918)].enumerated() {
        let picture = try makeFilledPicture(size.0, size.1)
        try call.send(picture, orientation: .up, time: MonotonicTime(nanoseconds: UInt64(index)))
        #expect(renderer.frames.last?.pixelBuffer === picture)
      }
    }
  }

  @Test func ofAnOddSizeAPixelIsLost() throws {
    let frame = try sent(33, 17, outputSize: .native)
    #expect(frame.width == 32 && frame.height == 16)
  }

  @Test func anotherRateOfTheNativeSizeIsMet() throws {
    let (call, renderer) = makeCall(.native, framesPerSecond: 30)
    let picture = try makeFilledPicture(32, 16)
    for index in 0..<60 as Range<UInt64> {
      try call.send(picture, orientation: .up, time: MonotonicTime(nanoseconds: index * 16_666_667))
    }
    #expect(renderer.frames.count == 31)
  }

  @Test(arguments: [
    (PictureFit.crop, 1170, 2532, [720, 1080]), (.contain, 1170, 2532, [720, 1080]),
    (.webrtc, 1170, 2532, [520, 784]), (.webrtc, 2532, 1170, [784, 520]), (.crop, 886, 1918, [720, 1080]),
    (.webrtc, 886, 1918, [660, 1002]),
  ]) func theArticlesSizeIsExactUnlessItIsLeftToTheSource(
    _ fit: PictureFit, _ width: Int, _ height: Int, _ expected: [Int32]
  ) throws {
    let frame = try sent(width, height, outputSize: .fixed(width: 1080, height: 720), fit: fit)
    #expect([frame.width, frame.height] == expected)
    let pixels = try #require(frame.pixelBuffer)
    #expect([CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels)] == expected.map { Int($0) })
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
      #expect(((luma[0][24] == 0), luma[16][24]) == (hasBars, 200))
    }
  }

  @Test(arguments: [PictureFit.crop, .contain]) func aScaledFrameKeepsItsColours(_ fit: PictureFit) throws {
    let (call, renderer) = makeCall(.fixed(width: 48, height: 32), fit: fit)
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
