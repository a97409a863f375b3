import PixelAccess
import ReplayKit
import SharedMemory
import TestSupport

@testable import ScreenBroadcast

/// Tests the article's layout: its bytes, and a reader that trusts no field of the file.
@Suite struct ArticleLayoutTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let context: BroadcastBufferContext
  private let observer = FrameObserver()

  init() {
    context = BroadcastBufferContext(
      container: home.container, framePollTimer: ManualTimer(), layout: .article)
    context.subscribe(observer)
  }

  private func makeWriter(width: Int = 8, height: Int = 6) throws -> ArticleFrameWriter {
    try ArticleFrameWriter(path: container.articleFile, width: width, height: height)
  }

  private func bytesOfFile() throws -> [UInt8] { try PlainFile.read(container.articleFile, limit: 20 << 20) }

  /// The bytes of a frame of 3 × 2 pixels in rows of 4 bytes, as the documented table states them.
  private static let golden: [UInt8] = [
    6, 0, 0, 0, 0x66, 0x30, 0x32, 0x34, 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0,
    10, 11, 12, 0xEE, 20, 21, 22, 0xEE,  // luma
    90, 91, 92, 93,  // chroma
  ]

  @Test func aFrameHasTheBytesTheTableSays() throws {
    let writer = try makeWriter()
    let picture = try makePicture(width: 3, height: 4, format: videoRange, alignment: 16)
    try writer.write(picture, orientation: 8)
    let bytes = try bytesOfFile()
    let header: [UInt8] = [
      8, 0, 0, 0, 0x76, 0x30, 0x32, 0x34, 3, 0, 0, 0, 4, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0,
    ]
    #expect(bytes.count == 10_485_760 && Array(bytes[..<24]) == header)
    for (plane, range) in [24..<88, 88..<120].enumerated() {
      picture.readPlane(plane) { source, _ in
        #expect(Array(bytes[range]) == source.indices.map { source[$0] })
      }
    }
    #expect(bytes[120...].allSatisfy { $0 == 0 })
  }

  @Test func theWrittenBytesAreReadAsTheSameFrame() throws {
    try PlainFile.replace(container.articleFile, with: Self.golden)
    context.poll()
    let frame = try #require(observer.frames.values.first)
    #expect(pixels(of: frame.pixelBuffer) == [10, 11, 12, 20, 21, 22, 90, 91, 92, 93])
    #expect(CVPixelBufferGetPixelFormatType(frame.pixelBuffer) == fullRange)
    #expect((frame.orientation, frame.captureTime, frame.publishTime) == (.right, 0, 0))
    #expect(frame.receiveTime > 0 && frame.time == frame.receiveTime)
  }

  @Test func everyPollReportsTheSlotNewOrNot() throws {
    let writer = try makeWriter()
    context.poll()
    #expect(observer.numbers == [] && observer.failures.values == [])
    try writer.write(try makePicture(seed: 1), orientation: 1)
    for _ in 0..<3 { context.poll() }
    try writer.write(try makePicture(seed: 2), orientation: 1)
    try writer.finish()
    context.poll()
    let reported = observer.frames.values.map { pixels(of: $0.pixelBuffer) }
    let first = pixels(of: try makePicture(seed: 1))
    #expect(reported == [first, first, first, pixels(of: try makePicture(seed: 2))])
    #expect(context.statistics.framesDelivered == 4 && context.session == nil)
    #expect(!FileManager.default.fileExists(atPath: container.articleFile))
  }

  @Test func theFileOfTheNextExtensionIsPickedUp() throws {
    for seed in 1...3 as ClosedRange<UInt8> {
      try makeWriter().write(try makePicture(seed: seed), orientation: 1)
      context.poll()
      #expect(
        observer.frames.values.last.map { pixels(of: $0.pixelBuffer) }
          == pixels(of: try makePicture(seed: seed)))
    }
    #expect(Set(observer.frames.values.map(\.id.session)).count == 3)
  }

  @Test func ofAnOddHeightTheLastRowOfChromaIsRepeated() throws {
    let picture = try makePicture(width: 4, height: 5)
    try makeWriter().write(picture, orientation: 1)
    context.poll()
    let frame = try #require(observer.frames.values.first)
    let chroma = samples(picture, plane: 1)
    #expect(samples(frame.pixelBuffer, plane: 0) == samples(picture, plane: 0))
    #expect(samples(frame.pixelBuffer, plane: 1) == Array(chroma[..<8]) + Array(chroma[4..<8]))
    try makeWriter().write(try makePicture(width: 4, height: 1), orientation: 1)
    context.poll()
    #expect(observer.frames.values.last.map { samples($0.pixelBuffer, plane: 1) } == [128, 128, 128, 128])
  }

  @Test(arguments: [
    (4, UInt32(0x4247_5241), PixelBufferSerializer.Failure.unsupportedFormat(0x4247_5241)),
    (8, 0, .malformed(field: "the width")), (8, 8193, .malformed(field: "the width")),
    (8, 0xFFFF_FFFF, .malformed(field: "the width")), (12, 0, .malformed(field: "the height")),
    (12, 0x8000_0000, .malformed(field: "the height")),
    (16, 2, .malformed(field: "the bytes per row of plane 0")),
    (16, 0x7FFF_FFFF, .malformed(field: "the bytes per row of plane 0")),
    (20, 3, .malformed(field: "the bytes per row of plane 1")),
    (20, 0xFFFF_FFFC, .malformed(field: "the bytes per row of plane 1")),
    (12, 4, .malformed(field: "the offset of the planes")),
  ])
  func anImpossibleFieldIsReportedOnce(
    offset: Int, value: UInt32, failure: PixelBufferSerializer.Failure
  ) throws {
    var bytes = Self.golden
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    try PlainFile.replace(container.articleFile, with: bytes)
    for _ in 0..<3 { context.poll() }
    #expect(observer.failures.values == [.frame(failure)])
    try PlainFile.replace(container.articleFile, with: Self.golden)
    context.poll()
    #expect(observer.frames.values.count == 1)
  }

  @Test func aTruncatedFileDoesNotCrashItsReader() throws {
    let writer = try makeWriter(width: 400, height: 300)
    let picture = try makePicture(width: 400, height: 300)
    try writer.write(picture, orientation: 1)
    context.poll()
    setSize(of: container.articleFile, to: off_t(System.pageSize))
    context.poll()
    #expect(observer.failures.values == [.file(FileError(.cutShort, container.articleFile))])
    try writer.write(picture, orientation: 1)
    context.poll()
    #expect(observer.frames.values.count == 2)
    #expect(observer.frames.values.last.map { pixels(of: $0.pixelBuffer) } == pixels(of: picture))
  }

  @Test func framesThatDoNotFitTheMappingAreRefused() throws {
    let error = #expect(throws: FileError.self) { try makeWriter(width: 4096, height: 2160) }
    #expect(error?.reason == .doesNotFit(width: 4096, height: 2160) && error?.code == ENOSPC)
    let writer = try makeWriter()
    let large = try makePicture(width: 4096, height: 2160)
    #expect(try writer.write(large, orientation: 1) == error?.description)
    let other = try makePicture(format: kCVPixelFormatType_32BGRA)
    #expect(try writer.write(other, orientation: 1)?.contains("BGRA") == true)
  }

  @Test func theHandlerPublishesInTheLayoutAndReportsOnceWhatItLeavesOut() throws {
    let reports = Recorder<String>()
    let handler = SampleHandler(
      configuration: BroadcastConfiguration(
        container: container, screenWidth: 8, screenHeight: 6, layout: .article,
        statusTimer: ManualTimer(), report: { reports.add($0) }))
    handler.broadcastStarted(withSetupInfo: nil)
    #expect(handler.session?.processID == getpid())
    let picture = try makePicture(seed: 7)
    handler.processSampleBuffer(try makeSample(picture, orientation: .left), with: .video)
    let large = try makeSample(try makePicture(width: 4096, height: 2160))
    for _ in 0..<3 { handler.processSampleBuffer(large, with: .video) }
    context.poll()
    handler.broadcastFinished()
    #expect(observer.frames.values.map(\.orientation) == [.left])
    #expect(observer.frames.values.first.map { pixels(of: $0.pixelBuffer) } == pixels(of: picture))
    #expect(reports.values.count == 1 && reports.values[0].contains("4096x2160"))
    #expect(!FileManager.default.fileExists(atPath: container.articleFile))
    #expect(try ProcessLock.holder(at: container.producerLockFile) == .unheld)
  }

  /// A control for the tests of the ring: without the ring's protection, a busy writer tears frames.
  @Test func aBusyWriterTearsTheFramesOfItsReader() throws {
    let container = container
    let isOver = Recorder<Bool>()
    let isDone = Recorder<Bool>()
    Thread.detachNewThread {
      do {
        let writer = try ArticleFrameWriter(path: container.articleFile, width: 1024, height: 512)
        let pictures = try [1, 2].map { value in
          let picture = try makePicture(width: 1024, height: 512)
          for plane in 0..<2 {
            picture.writePlane(plane) { bytes, _ in bytes.fill(0..<bytes.count, with: UInt8(value)) }
          }
          return picture
        }
        var number = 0
        while isOver.values.isEmpty {
          try writer.write(pictures[number % 2], orientation: 1)
          number += 1
        }
      } catch {
        Issue.record(error)
      }
      isDone.add(true)
    }
    var reader = ArticleFrameReader(container: container)
    let tore = holds(within: .seconds(60)) {
      // A torn header is rejected. This test looks for torn pixels.
      guard case .success(.success(let frame)?) = Result(catching: { try reader.next() }) else {
        return false
      }
      return frame.pixelBuffer.readPlane(0) { bytes, _ in bytes[0] != bytes[bytes.count - 1] }
    }
    isOver.add(true)
    #expect(holds { !isDone.values.isEmpty })
    #expect(tore)
  }
}
