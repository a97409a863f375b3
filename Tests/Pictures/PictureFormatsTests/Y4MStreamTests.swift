import CoreVideo
import PictureFormats
import PixelAccess
import TestSupport

@Suite struct Y4MStreamTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  /// The bytes of a clip, built without the writer, and its frames as NV12.
  struct Clip {
    var bytes: [UInt8]
    var frames: [(luma: [UInt8], chroma: [UInt8])]

    init(width: Int, height: Int, frames count: Int, header: String, frameLine: String = "FRAME\n") {
      var random = SeededGenerator(seed: UInt64(width * 10_000 + height))
      bytes = Array("YUV4MPEG2 W\(width) H\(height) \(header)\n".utf8)
      frames = []
      for _ in 0..<count {
        let luma = random.bytes(count: width * height)
        let pairs = ((width + 1) / 2) * ((height + 1) / 2)
        let (cb, cr) = (random.bytes(count: pairs), random.bytes(count: pairs))
        bytes += Array(frameLine.utf8) + luma + cb + cr
        frames.append((luma, zip(cb, cr).flatMap { [$0, $1] }))
      }
    }
  }

  static let sizes = [(1, 1), (2, 2), (1, 7), (3, 5), (9, 2), (16, 16), (17, 9), (35, 18), (64, 48)]

  @Test(arguments: sizes) func readsWhatIsWrittenByteForByte(width: Int, height: Int) throws {
    let clip = Clip(
      width: width, height: height, frames: 3, header: "F30:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL")
    let (source, copy) = (folder.appendingPathComponent("a.y4m"), folder.appendingPathComponent("b.y4m"))
    try Data(clip.bytes).write(to: source)
    let reader = try Y4MReader(path: source.path)
    #expect(FileManager.default.createFile(atPath: copy.path, contents: nil))
    let handle = try FileHandle(forWritingTo: copy)
    let writer = try Y4MWriter(fileDescriptor: handle.fileDescriptor, header: reader.header)
    let buffer = try makePatternedPicture(width, height)
    for frame in clip.frames {
      #expect(try reader.readFrame(into: buffer))
      #expect((samples(buffer, plane: 0), samples(buffer, plane: 1)) == (frame.luma, frame.chroma))
      try writer.write(buffer)
    }
    #expect(try reader.readFrame(into: buffer) == false && reader.readFrame(into: buffer) == false)
    #expect(reader.nextFrame == 3)
    try handle.close()
    #expect([UInt8](try Data(contentsOf: copy)) == clip.bytes)
  }

  /// The frame lines have parameters.
  @Test func rewindsToTheFirstFrame() throws {
    let clip = Clip(
      width: 18, height: 10, frames: 2, header: "F30:1 XCOLORRANGE=FULL", frameLine: "FRAME Ip XNOTE=1\n")
    try withClip(clip.bytes) { path in
      let reader = try Y4MReader(path: path)
      let buffer = try makePatternedPicture(18, 10)
      for _ in 0..<3 {
        for frame in clip.frames {
          #expect(try reader.readFrame(into: buffer))
          #expect((samples(buffer, plane: 0), samples(buffer, plane: 1)) == (frame.luma, frame.chroma))
        }
        #expect(try !reader.readFrame(into: buffer) && reader.isSeekable)
        try reader.rewind()
        #expect(reader.nextFrame == 0)
      }
    }
  }

  @Test func readsAStreamThatArrivesInPieces() throws {
    let path = folder.appendingPathComponent("pipe").path
    try makeFile(of: S_IFIFO, at: path)
    // Frames far larger than a pipe holds, so that every write is a short one.
    let clip = Clip(width: 321, height: 203, frames: 3, header: "F60:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL")
    Thread.detachNewThread {
      do {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let header = try Y4MHeader(width: 321, height: 203, frameRate: .init(60, 1), range: .full)
        let writer = try Y4MWriter(fileDescriptor: handle.fileDescriptor, header: header)
        for frame in clip.frames {
          try writer.write(
            makePatternedPicture(321, 203) { plane, row, column in
              plane == 0 ? frame.luma[row * 321 + column] : frame.chroma[row * 322 + column]
            })
        }
        try handle.close()
      } catch {
        Issue.record(error)
      }
    }
    let reader = try Y4MReader(path: path)
    let buffer = try makePatternedPicture(321, 203)
    for frame in clip.frames {
      #expect(try reader.readFrame(into: buffer))
      #expect((samples(buffer, plane: 0), samples(buffer, plane: 1)) == (frame.luma, frame.chroma))
    }
    #expect(try !reader.readFrame(into: buffer) && !reader.isSeekable)
    #expect(throws: Y4MReader.Error.notSeekable(path: path)) { try reader.rewind() }
  }

  @Test func bringsSamplesToTheRangeOfTheBuffer() throws {
    // Every luma value once, and every chroma value once per plane.
    for (tag, format) in [
      ("LIMITED", fullRange), ("FULL", videoRange), ("FULL", fullRange), ("LIMITED", videoRange),
    ] {
      let luma = (0..<1024).map { UInt8($0 & 255) }
      let chroma = (0..<256).map { UInt8($0) }
      let bytes = Array("YUV4MPEG2 W32 H32 XCOLORRANGE=\(tag)\nFRAME\n".utf8) + luma + chroma + chroma
      try withClip(bytes) { path in
        let buffer = try makePatternedPicture(32, 32, format)
        #expect(try Y4MReader(path: path).readFrame(into: buffer))
        func expected(_ value: UInt8, _ span: Double, _ foot: Double, _ middle: Double) -> Int {
          let value = Double(value)
          if (tag == "FULL") == (format == fullRange) { return Int(value) }
          let result =
            tag == "FULL" ? (value - middle) * span / 255 + foot : (value - foot) * 255 / span + middle
          return Int(min(255, max(0, result.rounded())))
        }
        #expect(samples(buffer, plane: 0).map(Int.init) == luma.map { expected($0, 219, 16, 0) })
        let pairs = samples(buffer, plane: 1)
        for (index, value) in chroma.enumerated() {
          let wanted = expected(value, 224, 128, 128)
          #expect(abs(Int(pairs[index * 2]) - wanted) <= (wanted == 0 ? 1 : 0))
          #expect(pairs[index * 2] == pairs[index * 2 + 1])
        }
      }
    }
  }

  @Test func reportsTheFrameAtEveryLengthOfATruncatedClip() throws {
    let clip = Clip(width: 3, height: 3, frames: 2, header: "F30:1")
    let headerLength = (try #require(clip.bytes.firstIndex(of: 10))) + 1
    let frameLength = 6 + 9 + 8
    for length in 0..<clip.bytes.count {
      try withClip(Array(clip.bytes[..<length])) { path in
        let result = readAll(path)
        if length < 9 {
          #expect(result == .failure(.header(path: path, .notY4M)))
        } else if length < headerLength {
          #expect(result == .failure(.truncatedHeader(path: path)))
        } else {
          let (frames, rest) = (length - headerLength).quotientAndRemainder(dividingBy: frameLength)
          #expect(result == (rest == 0 ? .success(frames) : .failure(.truncated(path: path, frame: frames))))
        }
      }
    }
  }

  @Test func reportsAMissingFrameLine() throws {
    let clip = Clip(width: 4, height: 4, frames: 2, header: "F30:1")
    let header = (try #require(clip.bytes.firstIndex(of: 10))) + 1
    var bytes = clip.bytes
    bytes[header + 30] = 0x58
    try withClip(bytes) { path in #expect(readAll(path) == .failure(.frameLine(path: path, frame: 1))) }
    bytes = clip.bytes
    bytes.insert(contentsOf: [UInt8](repeating: 0x20, count: 5000), at: header + 5)
    try withClip(bytes) { path in #expect(readAll(path) == .failure(.frameLine(path: path, frame: 0))) }
  }

  @Test func pathErrorsAreSentences() throws {
    let missing = folder.appendingPathComponent("missing.y4m").path
    #expect(readAll(missing) == .failure(.open(path: missing, errno: ENOENT)))
    #expect(readAll(folder.path) == .failure(.open(path: folder.path, errno: EISDIR)))
    #expect(Y4MReader.Error.open(path: "x", errno: EISDIR).errno == EISDIR)
    let other = folder.appendingPathComponent("picture.jpg")
    try Data([0xFF, 0xD8, 0xFF]).write(to: other)
    let error = Y4MReader.Error.header(path: other.path, .notY4M)
    #expect(readAll(other.path) == .failure(error))
    #expect(error.description.hasPrefix("\(other.path) is not a Y4M stream; "))
    let endless = folder.appendingPathComponent("endless.y4m")
    try Data(Array("YUV4MPEG2 W2 H2 X".utf8) + [UInt8](repeating: 0x61, count: 5000)).write(to: endless)
    #expect(readAll(endless.path) == .failure(.header(path: endless.path, .lineTooLong)))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func reportsAFileWithoutReadPermission() throws {
    try withClip([]) { path in
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      #expect(readAll(path) == .failure(.open(path: path, errno: EACCES)))
    }
  }

  @Test func refusesPixelBuffersOfAnotherSizeOrFormat() throws {
    let clip = Clip(width: 4, height: 4, frames: 1, header: "F30:1")
    try withClip(clip.bytes) { path in
      let reader = try Y4MReader(path: path)
      for buffer in [
        try makePatternedPicture(4, 6), try makePatternedPicture(4, 4, kCVPixelFormatType_32BGRA),
      ] {
        #expect(throws: Y4MReader.Error.pixelBuffer(path: path, width: 4, height: 4)) {
          try reader.readFrame(into: buffer)
        }
      }
      #expect(try reader.readFrame(into: makePatternedPicture(4, 4)))
    }
    let pipe = ProcessLauncher.makePipe()
    let header = try Y4MHeader(width: 4, height: 4, frameRate: nil, range: .full)
    let writer = try Y4MWriter(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor, header: header)
    for buffer in [try makePatternedPicture(6, 4), try makePatternedPicture(4, 4, videoRange)] {
      #expect(throws: Y4MWriter.Error.pixelBuffer(header)) { try writer.write(buffer) }
    }
  }

  /// In a separate process, because the programs that other tests launch inherit an ignored signal.
  @Test func distinguishesAClosedPipeFromOtherFailures() async {
    await #expect(processExitsWith: .success) {
      // If SIGPIPE is ignored, a write returns an error.
      _ = signal(SIGPIPE, SIG_IGN)
      let header = try Y4MHeader(width: 4, height: 4, frameRate: nil, range: .full)
      let pipe = Pipe()
      let writer = try Y4MWriter(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor, header: header)
      try pipe.fileHandleForReading.close()
      let picture = try makePatternedPicture(4, 4)
      #expect(throws: Y4MWriter.Error.closed) { try writer.write(picture) }
      #expect(throws: Y4MWriter.Error.write(errno: EBADF)) {
        try Y4MWriter(fileDescriptor: -1, header: header)
      }
    }
  }

  @Test(.sharedMachine, .needs(.ffmpeg)) func writesWhatFFmpegReads() throws {
    let file = folder.appendingPathComponent("clip.y4m")
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    let handle = try FileHandle(forWritingTo: file)
    let header = try Y4MHeader(width: 34, height: 18, frameRate: .init(30, 1), range: .full)
    let writer = try Y4MWriter(fileDescriptor: handle.fileDescriptor, header: header)
    let picture = try makePatternedPicture(34, 18) { UInt8(($0 * 90 + $1 * 7 + $2 * 3) & 255) }
    try writer.write(picture)
    try handle.close()
    // Full range in three planes, so that ffmpeg has nothing to convert.
    let chroma = samples(picture, plane: 1)
    let planes = [0, 1].flatMap { first in stride(from: first, to: chroma.count, by: 2).map { chroma[$0] } }
    #expect(try decodeByFFmpeg(file.path, pixelFormat: "yuvj420p") == samples(picture, plane: 0) + planes)
  }

  private func withClip(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("clip.y4m")
      try Data(bytes).write(to: file)
      try body(file.path)
    }
  }

  /// Returns the number of frames in a clip, or the error of reading it.
  private func readAll(_ path: String) -> Result<Int, Y4MReader.Error> {
    do throws(Y4MReader.Error) {
      let reader = try Y4MReader(path: path)
      guard reader.header.frameByteCount < 1_000_000,
        let buffer = try? makePatternedPicture(reader.header.width, reader.header.height)
      else { return .success(0) }
      var count = 0
      while try reader.readFrame(into: buffer) { count += 1 }
      return .success(count)
    } catch {
      return .failure(error)
    }
  }
}
