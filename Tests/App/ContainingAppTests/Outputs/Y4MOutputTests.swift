import PictureFormats
import PixelAccess
import TestSupport
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct Y4MOutputTests {
  private let folder = TemporaryFolder.ofSuite()

  init() { System.ignoreBrokenPipes() }

  private func makePipe() throws -> String {
    let path = folder("pipe")
    try makeFile(of: S_IFIFO, at: path)
    return path
  }

  @Test func framesAreWrittenInOrderWithTheirRange() throws {
    for (format, range) in [(fullRange, SampleRange.full), (videoRange, .limited)] {
      let path = folder("out.y4m")
      let output = try Y4MOutput(path: path, framesPerSecond: 29.97)
      for luma: UInt8 in [20, 40, 60] {
        output.renderFrame(makeFrame(try makeFilledPicture(32, 16, luma: luma, format: format)))
      }
      try output.finish()
      let reader = try Y4MReader(path: path)
      #expect((reader.header.range, reader.header.frameRate) == (range, Y4MHeader.Ratio(29970, 1000)))
      let buffer = try makeFilledPicture(32, 16, format: format)
      for luma: UInt8 in [20, 40, 60] {
        #expect(try reader.readFrame(into: buffer))
        #expect(rows(buffer, plane: 0).allSatisfy { $0.allSatisfy { $0 == luma } })
        #expect(rows(buffer, plane: 1).allSatisfy { $0.allSatisfy { $0 == 60 } })
      }
      #expect(try !reader.readFrame(into: buffer))
      #expect(output.framesDropped == 0 && output.notice == nil)
    }
  }

  @Test func aFrameIsWrittenAtItsSize() throws {
    let path = folder("out.y4m")
    let output = try Y4MOutput(path: path, framesPerSecond: 30)
    let part = RTCCVPixelBuffer(
      pixelBuffer: try makeFilledPicture(64, 64), adaptedWidth: 32, adaptedHeight: 16, cropWidth: 64,
      cropHeight: 32, cropX: 0, cropY: 8)
    output.renderFrame(RTCVideoFrame(buffer: part, rotation: ._0, timeStampNs: 0))
    try output.finish()
    let header = try Y4MReader(path: path).header
    #expect((header.width, header.height) == (32, 16))
  }

  @Test func aPipeWaitsForItsReaderWithoutBlocking() throws {
    let path = try makePipe()
    let output = try Y4MOutput(path: path, framesPerSecond: 30)
    output.renderFrame(makeFrame(try makeFilledPicture(32, 16)))
    let reader = try Y4MReader(path: path)
    #expect(try reader.readFrame(into: try makeFilledPicture(32, 16)))
    try output.finish()
  }

  @Test func picturesStandUprightAndLaterSizesGetBars() throws {
    let path = folder("out.y4m")
    let output = try Y4MOutput(path: path, framesPerSecond: 30)
    output.renderFrame(makeFrame(try makeFilledPicture(32, 16), rotation: ._90))
    output.renderFrame(makeFrame(try makeFilledPicture(32, 16)))
    try output.finish()
    let reader = try Y4MReader(path: path)
    #expect((reader.header.width, reader.header.height) == (16, 32))
    let buffer = try makeFilledPicture(16, 32)
    #expect(try reader.readFrame(into: buffer))
    #expect(rows(buffer, plane: 0).allSatisfy { $0.allSatisfy { $0 == 200 } })
    #expect(try reader.readFrame(into: buffer))
    let luma = rows(buffer, plane: 0)
    #expect(luma[0].allSatisfy { $0 == 0 } && luma[31].allSatisfy { $0 == 0 })
    #expect(luma[16].allSatisfy { $0 == 200 })
  }

  @Test func aStoppedReaderCausesCountedDrops() async throws {
    let path = try makePipe()
    let pipe = try #require(FileHandle(forUpdatingAtPath: path))
    let output = try Y4MOutput(path: path, framesPerSecond: 30)
    let picture = try makeFilledPicture(320, 240)
    for _ in 0..<20 { output.renderFrame(makeFrame(picture)) }
    #expect((output.framesDropped, output.failure) == (12, nil))
    let wanted = 8 * (320 * 240 * 3 / 2 + 6)
    let bytesRead = Mutex(0)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        while bytesRead.withLock({ $0 }) < wanted {
          let count = pipe.availableData.count
          bytesRead.withLock { $0 += count }
        }
        continuation.resume()
      }
    }
    try output.finish()
    #expect(output.framesDropped == 12)
    #expect(output.notice == "12 frames were not written to \(path), because its reader was slow.")
  }

  @Test func aReaderThatExitsIsAFailure() async throws {
    let path = try makePipe()
    // UNSAFE: the path is lent to the call as a C string.
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let output = try Y4MOutput(path: path, framesPerSecond: 30)
    output.renderFrame(makeFrame(try makeFilledPicture(32, 16)))
    // The first byte shows that the output has opened its end of the pipe.
    #expect(
      await eventually {
        var byte: UInt8 = 0
        // UNSAFE: the call writes the one byte it is lent.
        return unsafe read(reader, &byte, 1) == 1
      })
    close(reader)
    let picture = try makeFilledPicture(320, 240)
    #expect(
      await eventually {
        output.renderFrame(makeFrame(picture))
        return output.failure != nil
      })
    let expected = ProgramFailure(.inputOutput, "The reader of \(path) has exited.")
    #expect(output.failure == expected)
    #expect(throws: expected) { try output.finish() }
  }

  @Test func aFileThatCannotBeCreatedFailsImmediately() throws {
    let error = #expect(throws: ProgramFailure.self) {
      try Y4MOutput(path: folder.path + "/missing/out.y4m", framesPerSecond: 30)
    }
    #expect(error?.exitCode == .inputOutput)
    #expect(error?.message.contains("/missing/out.y4m cannot be written") == true)
  }

  @Test func withoutAFrameTheFileIsEmpty() throws {
    let path = folder("out.y4m")
    try Y4MOutput(path: path, framesPerSecond: 30).finish()
    #expect(FileManager.default.contents(atPath: path) == Data())
  }
}
