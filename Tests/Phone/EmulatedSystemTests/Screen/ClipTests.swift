import CoreVideo
import PictureFormats
import PixelAccess
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct ClipTests {
  private let folder = TemporaryFolder.ofSuite()

  private func draw(_ clip: Clip, into buffer: CVPixelBuffer) async throws -> ScreenDrawing {
    var drawing: Result<ScreenDrawing, any Error> = .success(.unchanged)
    _ = await eventually {
      drawing = Result { try clip.draw(into: buffer) }
      if case .success(.unchanged) = drawing { return false }
      return true
    }
    return try drawing.get()
  }

  @Test func aFileIsShownWithItsSizeRateAndSamples() async throws {
    let content = try makeClip(clip(frames: 2), in: folder)
    #expect((content.size, content.framesPerSecond) == (PixelSize(width: 4, height: 2), 25))
    let buffer = try makeBuffer(4, 2)
    for expected: UInt8 in [10, 20] {
      #expect(try await draw(content, into: buffer) == .drawn)
      #expect(firstSample(buffer) == expected)
      #expect(buffer.readPlane(1) { bytes, _ in bytes[3] } == expected)
    }
    #expect(try await draw(content, into: buffer) == .ended)
  }

  @Test func rowsOfTheScreenMayBeNarrowerThanTheClips() async throws {
    let content = try makeClip(clip(frames: 1), in: folder)
    var narrow: CVPixelBuffer?
    let attributes: CFDictionary = [kCVPixelBufferBytesPerRowAlignmentKey: 1]
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CVPixelBufferCreate(kCFAllocatorDefault, 4, 2, fullRange, attributes, &narrow)
    let buffer = try #require(narrow)
    #expect(try await draw(content, into: buffer) == .drawn)
    let read: [UInt8] = buffer.readPlane(0) { bytes, _ in [bytes[3], bytes[4], bytes[7]] }
    #expect(read == [10, 10, 10])
  }

  @Test(arguments: [
    (" F30000:1001", 30_000.0 / 1001), (" F90000:1", 90_000), (" F1:1000", 0.001), (" F0:0", nil), ("", nil),
  ])
  func theRateIsThatOfTheHeader(_ tags: String, _ rate: Double?) throws {
    #expect(try makeClip(clip(frames: 1, tags: tags), in: folder).framesPerSecond == rate)
  }

  @MainActor @Test func aRateThatAScreenCannotHaveIsAnErrorUnlessAnotherIsGiven() throws {
    let path = folder("clip.y4m")
    for (tags, rate) in [(" F241:1", "241"), (" F1:2", "0.5"), (" F1:1000", "0.001")] {
      try clip(frames: 1, tags: tags).write(to: URL(fileURLWithPath: path))
      var options = ScreenOptions()
      options.clip = path
      #expect(
        throws: ProgramFailure(.usage, "The clip has \(rate) frames per second; choose 1 to 240 with --fps.")
      ) { try options.makeScreen() }
      options.framesPerSecond = 60
      #expect(try options.makeScreen().framesPerSecond == 60)
    }
  }

  @Test func aSlowWriterLeavesTheScreenUnchanged() async throws {
    let path = folder("pipe")
    try makeFile(of: S_IFIFO, at: path)
    // Opened for reading and writing, so that neither side waits for the other.
    let writer = try #require(FileHandle(forUpdatingAtPath: path))
    try writer.write(contentsOf: clip(frames: 1))
    let content = try Clip(path: path, loops: false, pixelFormat: fullRange)
    let buffer = try makeBuffer(4, 2)
    #expect(try await draw(content, into: buffer) == .drawn)
    for _ in 0..<20 { #expect(try content.draw(into: buffer) == .unchanged) }
    #expect(firstSample(buffer) == 10)
    try writer.write(contentsOf: clipFrame(1).dropLast(1))
    #expect(try content.draw(into: buffer) == .unchanged)
    try writer.write(contentsOf: clipFrame(1).suffix(1))
    #expect(try await draw(content, into: buffer) == .drawn)
    #expect(firstSample(buffer) == 20)
    try writer.close()
    #expect(try await draw(content, into: buffer) == .ended)
  }

  @Test func aPipeCannotLoop() throws {
    let path = folder("pipe")
    try makeFile(of: S_IFIFO, at: path)
    let writer = try #require(FileHandle(forUpdatingAtPath: path))
    try writer.write(contentsOf: clip(frames: 1))
    #expect(throws: ScreenContentError.clip(.notSeekable(path: path))) {
      try Clip(path: path, loops: true, pixelFormat: fullRange)
    }
  }

  @Test func aMissingFileOrOneThatIsNoClipIsReported() throws {
    let missing = folder("missing.y4m")
    #expect(throws: ScreenContentError.clip(.open(path: missing, errno: ENOENT))) {
      try Clip(path: missing, loops: false, pixelFormat: fullRange)
    }
    let text = folder("text")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: text))
    let error = #expect(throws: ScreenContentError.self) {
      try Clip(path: text, loops: false, pixelFormat: fullRange)
    }
    #expect(error == .clip(.header(path: text, .notY4M)))
  }

  /// Draws the next frame and returns its first sample; `nil` at the end.
  private func sample(_ clip: Clip, _ buffer: CVPixelBuffer) async throws -> UInt8? {
    try await draw(clip, into: buffer) == .drawn ? firstSample(buffer) : nil
  }

  private func makeClip(_ bytes: Data, loops: Bool = false, in folder: TemporaryFolder) throws -> Clip {
    let path = URL(filePath: folder("clip.y4m"))
    try bytes.write(to: path)
    return try Clip(path: path.path, loops: loops, pixelFormat: fullRange)
  }

  @Test(
    arguments: [
      (7, false, [10, 20, 30, 40, 50, 60, 70, nil, nil]), (2, true, [10, 20, 10, 20, 10]), (0, true, [nil]),
    ] as [(Int, Bool, [UInt8?])])
  func framesComeInOrderUntilTheEndOrAgainInALoop(count: Int, loops: Bool, samples: [UInt8?]) async throws {
    let content = try makeClip(clip(frames: count), loops: loops, in: folder)
    let buffer = try makeBuffer(4, 2)
    for expected in samples { #expect(try await sample(content, buffer) == expected) }
  }

  @Test func aTruncatedClipGivesItsFramesAndThenTheError() async throws {
    let content = try makeClip(clip(frames: 2).dropLast(1), in: folder)
    let buffer = try makeBuffer(4, 2)
    #expect(try await sample(content, buffer) == 10)
    let error = await #expect(throws: ScreenContentError.self) { try await sample(content, buffer) }
    let path = folder("clip.y4m")
    #expect(error == .clip(.truncated(path: path, frame: 1)))
  }

  @Test(arguments: [0, 1, 2, 9]) func itCanBeReleasedWithFramesLeft(_ count: Int) async throws {
    weak var gone: Clip?
    do {
      let content = try makeClip(clip(frames: 10), in: folder)
      gone = content
      let buffer = try makeBuffer(4, 2)
      for _ in 0..<count { _ = try await sample(content, buffer) }
    }
    #expect(await eventually { gone == nil })
  }
}
