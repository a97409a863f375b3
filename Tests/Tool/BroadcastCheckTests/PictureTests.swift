import Causes
import CoreVideo
import TestPatterns
import TestSupport

@testable import BroadcastCheck

@Suite struct PictureTests {
  /// Returns the causes found in versions of one picture file, a second apart.
  private func causes(
    _ count: Int = 4, of width: Int = 750, _ height: Int = 1334, _ change: (Int, inout ChartReading) -> Void
  ) throws -> [String] {
    let pictures = try (0..<count).map { index in
      var reading = try #require(try chart())
      (reading.number, reading.width, reading.height) = (10 * index, 375, 667)
      change(index, &reading)
      return PictureFolder.Picture(
        name: "far.jpg", time: MonotonicTime(nanoseconds: UInt64(index) * 1_000_000_000), reading: reading)
    }
    return PictureFolder.causes(of: pictures, frames: (width, height)).map { "\($0.detail) \($0.isFault)" }
  }

  private func chart() throws -> ChartReading? {
    let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    var pixels: CVPixelBuffer?
    // UNSAFE: the call sets the local variable.
    _ = unsafe CVPixelBufferCreate(nil, 128, 256, format, nil, &pixels)
    let buffer = try #require(pixels)
    try PatternPainter(.chart, width: 128, height: 256, pixelFormat: format, framesPerSecond: 60)
      .paint(frame: 1, into: buffer)
    return ChartReading(buffer)
  }

  @Test func aScaledOrTurnedPictureOrOneThatStaysIsRight() throws {
    #expect(try causes { _, _ in } == [])
    #expect(try causes { ($1.width, $1.height) = (667, 375) } == [])
    #expect(try causes { ($1.width, $1.height) = (240, 427) } == [])
    #expect(try causes { $1.number = 7 } == [])
    // The number has twelve bits.
    #expect(try causes { $1.number = (4080 + 10 * $0) & 0xFFF } == [])
  }

  @Test func aFaultIsInTwoPicturesInARow() throws {
    #expect(try causes { if $0 == 2 { $1.quarterTurns = 1 } } == [])
    // After each of two rotations.
    #expect(try causes { if $0 == 0 || $0 == 2 { $1.quarterTurns = 1 } } == [])
    #expect(try causes { if $0 >= 2 { $1.quarterTurns = 3 } } == ["turned true"])
    #expect(try causes { $1.isMirrored = true } == ["mirrored true"])
    #expect(try causes { ($1.shear, $1.number) = (18, nil) } == ["sheared true"])
    #expect(try causes { $1.height = 500 } == ["stretched false"])
    #expect(try causes { if $0 == 2 { $1.number = 3 } } == [])
    #expect(try causes { $1.number = 100 - 10 * $0 } == ["older true"])
  }

  @MainActor @Test func onlyAPictureThatIsWrittenInPlaceAndReadIsTold() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/group", withIntermediateDirectories: true)
    let watch = try PictureFiles(below: folder.path)
    watch.look()
    func use(_ name: String, _ options: Data.WritingOptions, reads: Bool = true) throws {
      let url = URL(filePath: "\(folder.path)/group/\(name)")
      try Data(repeating: 1, count: 5000).write(to: url, options: options)
      if reads { _ = try Data(contentsOf: url) }
    }
    for count in 1...4 {
      try use("whole.jpg", .atomic)
      try use("own.jpg", [], reads: false)
      try use("log.txt", [])
      try use("part.jpg", [])
      // A process launched by another test has the files open until its `exec`, and the kernel merges equal notifications.
      #expect(
        await eventually {
          watch.look()
          let use = watch.uses["\(folder.path)/group/part.jpg"]
          return use?.writes == count && use?.reads == count
        })
    }
    let causes = watch.causes(at: MonotonicTime(nanoseconds: 2_000_000_000))
    #expect(causes.map(\.isFault) == [false])
    #expect(causes[0].sentence.hasPrefix("part.jpg is written in place 4 times, and read 4 times."))
  }
}
