import Foundation
import SoundFormats
import TestSupport
import Testing

@Suite struct WAVEReaderTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private func read(_ wave: Wave, from frame: Int = 0, count: Int = 100) throws -> [Int16] {
    try withFolder { folder in
      try WAVEReader(path: wave.write(into: folder)).read(from: frame, count: count)
    }
  }

  private func problem(_ bytes: [UInt8]) throws -> WAVEReader.Problem? {
    try withFolder { folder in
      let path = folder.appending(path: "audio.wav").path
      try Data(bytes).write(to: URL(filePath: path))
      return problem(path: path)
    }
  }

  private func problem(path: String) -> WAVEReader.Problem? {
    do throws(WAVEReader.Error) {
      _ = try WAVEReader(path: path)
      return nil
    } catch {
      #expect(error.path == path && "\(error)".contains(path))
      return error.problem
    }
  }

  @Test func aReleasedReaderClosesItsFile() throws {
    let path = try Wave(data: [0, 0]).write(into: folder)
    func isOpen() throws -> Bool {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      // Another test may have closed a listed descriptor: its path then stays unresolved.
      return descriptors.contains {
        URL(filePath: "/proc/self/fd/\($0)").resolvingSymlinksInPath().path == path
      }
    }
    var reader: WAVEReader? = try WAVEReader(path: path)
    try #require(try isOpen())
    withExtendedLifetime(reader) {}
    reader = nil
    #expect(try !isOpen())
  }

  @Test func everyEncodingBecomesSixteenBits() throws {
    let cases: [(kind: UInt16, bits: UInt16, bytes: [UInt8], samples: [Int16])] = [
      (1, 8, [0, 128, 255], [-32_768, 0, 32_512]),
      (1, 16, [0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F], [-32_768, -1, 32_767]),
      // 0x7FFFFF would round beyond full scale, 0x0000FF rounds up, 0xFFFF80 is half of one below zero.
      (1, 24, [0xFF, 0xFF, 0x7F, 0xFF, 0, 0, 0x80, 0xFF, 0xFF, 0, 0, 0x80], [32_767, 1, 0, -32_768]),
      (1, 32, [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 1, 0, 0, 0, 0, 0x80], [32_767, 1, -32_768]),
      (
        3, 32,
        [1, -1, 0.5, 7, -.infinity, .nan].flatMap { Wave.bytes(of: ($0 as Float).bitPattern) },
        [32_767, -32_767, 16_384, 32_767, -32_767, 0]
      ),
    ]
    for (kind, bits, bytes, samples) in cases {
      for isExtensible in [false, true] {
        let wave = Wave(kind: kind, bits: bits, isExtensible: isExtensible, data: bytes)
        #expect(try read(wave) == samples, "\(kind) \(bits)")
      }
    }
  }

  @Test func framesAreReadFromAnyPosition() throws {
    let data = (0..<20 as Range<Int16>).flatMap { Wave.bytes(of: $0) }
    let wave = Wave(channels: 2, rate: 44_100, data: data)
    #expect(try read(wave, from: 3, count: 2) == [6, 7, 8, 9])
    #expect(try read(wave, from: 9, count: 5) == [18, 19])
    for (frame, count) in [(10, 1), (-1, 1), (0, 0), (0, -5), (.max, .max)] {
      #expect(try read(wave, from: frame, count: count).isEmpty)
    }
    try withFolder { folder in
      let reader = try WAVEReader(path: wave.write(into: folder))
      #expect(reader.frameCount == 10)
      #expect(reader.format == WAVEFormat(sampleRate: 44_100, channelCount: 2))
    }
  }

  @Test func otherChunksAreIgnored() throws {
    let wave = Wave(data: [1, 0], before: [("LIST", [1, 2, 3]), ("????", []), ("fact", [0, 0, 0, 0])])
    #expect(try read(wave) == [1])
  }

  @Test func theAudioIsNoLongerThanTheFile() throws {
    for stated: UInt32 in [.max, .max - 1, 0, 1_000] {
      #expect(try read(Wave(data: [1, 0, 2, 0, 3], statedLength: stated)) == [1, 2])
    }
    // Bytes after the stated length are not audio.
    #expect(try read(Wave(data: [1, 0, 2, 0, 3, 0], statedLength: 4)) == [1, 2])
  }

  @Test func anIncompleteFrameIsNotAudio() throws {
    let after = Wave.chunk("LIST", [1, 2, 3]) + Wave.chunk("id3 ", [4, 5])
    for data in [[], [1], after] as [[UInt8]] {
      #expect(try problem(Wave(data: data, statedLength: 0).bytes) == .noAudio, "\(data)")
    }
    #expect(try problem(Wave(channels: 2, data: [1, 0, 2]).bytes) == .noAudio)
    // These bytes resemble a chunk header, but are audio of a writer that crashed.
    #expect(try problem(Wave(data: after + [0, 0], statedLength: 0).bytes) == nil)
    #expect(try problem(Wave(data: Array(after.dropLast()), statedLength: 0).bytes) == nil)
  }

  @Test func aFileTruncatedDuringTheReadEndsThere() throws {
    let path = try Wave(data: [UInt8](repeating: 1, count: 2_000)).write(into: folder)
    let reader = try WAVEReader(path: path)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 44 + 7)
    #expect(try reader.read(from: 0, count: 100) == [257, 257, 257])
    #expect(try reader.read(from: 500, count: 100).isEmpty)
  }

  @Test func filesWithoutAudioAreRefused() throws {
    let good = Wave(data: [1, 0]).bytes
    #expect(try problem(good) == nil)
    #expect(try problem([]) == .notWAVE(beginning: nil))
    #expect(try problem(Array("OggS and more of it".utf8)) == .notWAVE(beginning: "OggS"))
    #expect(try problem([0xFF, 0, 7]) == .notWAVE(beginning: "???"))
    #expect(try problem(Array("RF64".utf8) + good.dropFirst(4)) == .notWAVE(beginning: "RF64"))
    #expect(try problem(Wave(channels: 6, data: [1]).bytes) == .channels(6))
    #expect(try problem(Wave(channels: 0, data: [1]).bytes) == .channels(0))
    #expect(try problem(Wave(rate: 0, data: [1]).bytes) == .sampleRate(0))
    #expect(try problem(Wave(rate: .max, data: [1]).bytes) == .sampleRate(4_294_967_295))
    #expect(try problem(Wave(kind: 2, bits: 4, data: [1]).bytes) == .encoding(kind: 2, bits: 4))
    #expect(try problem(Wave(kind: 3, bits: 16, data: [1]).bytes) == .encoding(kind: 3, bits: 16))
    #expect(try problem(Wave(bits: 0, data: [1]).bytes) == .encoding(kind: 1, bits: 0))
    #expect(try problem(Wave(bytesPerFrame: 0, data: [1]).bytes) == .bytesPerFrame(stated: 0, needed: 2))
    #expect(
      try problem(Wave(channels: 2, bytesPerFrame: 65_535, data: [1]).bytes)
        == .bytesPerFrame(stated: 65_535, needed: 4))
    let riff = Array("RIFF....WAVE".utf8)
    #expect(try problem(riff) == .noFormat)
    #expect(try problem(riff + Wave.chunk("data", [1, 2])) == .noFormat)
    #expect(try problem(riff + Wave.chunk("fmt ", [1, 2])) == .formatTooShort(byteCount: 2))
    #expect(try problem(riff + Array("fmt ".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1]) == .endsWithin("fmt "))
    #expect(
      try problem(riff + Array("LIST".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + good.dropFirst(12)) == .noFormat)
    #expect(try problem(Array(good[..<36])) == .noAudio)
    var subformat = Wave(isExtensible: true, data: [1]).bytes
    subformat[50] = 9
    #expect(try problem(subformat) == .encoding(kind: 1, bits: 16))
    subformat[16] = 39
    #expect(try problem(subformat) == .formatTooShort(byteCount: 39))
    #expect(
      try problem(riff + (0..<2_000).flatMap { _ in Wave.chunk("none", []) } + good.dropFirst(12))
        == .noFormat)
  }

  @Test func onlyRegularFilesAreRead() throws {
    #expect(problem(path: folder.path) == .notPlain)
    #expect(problem(path: folder.appending(path: "none.wav").path) == .system(errno: ENOENT))
    let pipe = folder.appending(path: "pipe").path
    try makeFile(of: S_IFIFO, at: pipe)
    #expect(problem(path: pipe) == .notPlain)
  }
}
