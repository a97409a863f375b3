import Foundation
import SoundFormats
import TestSupport
import Testing

@Suite struct WAVEWriterTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  init() { signal(SIGPIPE, SIG_IGN) }

  private func makeFile(in folder: URL) throws -> (path: String, file: FileHandle) {
    let path = folder.appending(path: "out.wav").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    return (path, try FileHandle(forWritingTo: URL(filePath: path)))
  }

  @Test func theWrittenFileIsExact() throws {
    let (path, file) = try makeFile(in: folder)
    let writer = try WAVEWriter(file, sampleRate: 44_100, channelCount: 2)
    try writer.write([1, -2, 3, -4])
    try writer.write([.max, .min])
    try writer.finish()
    #expect(writer.frameCount == 3)
    let samples: [Int16] = [1, -2, 3, -4, .max, .min]
    var expected = Wave(channels: 2, rate: 44_100, data: samples.flatMap { Wave.bytes(of: $0) }).bytes
    expected.replaceSubrange(4..<8, with: Wave.bytes(of: UInt32(36 + 12)))
    #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == expected)
    #expect(try WAVEReader(path: path).read(from: 0, count: 9) == samples)
  }

  @Test func aCrashOfTheWriterLosesAtMostASecond() throws {
    let (path, file) = try makeFile(in: folder)
    let writer = try WAVEWriter(file, sampleRate: 8_000, channelCount: 1)
    for _ in 0..<35 { try writer.write([Int16](repeating: 5, count: 1_000)) }
    #expect(writer.frameCount == 35_000)
    // No finish(): this is what lies there when the process is killed now.
    let stated = try Data(contentsOf: URL(filePath: path))[40..<44].reversed()
      .reduce(0) { $0 << 8 | Int($1) }
    #expect(stated == 32_000 * 2)
    #expect(try WAVEReader(path: path).frameCount == 32_000)
  }

  @Test func aPipeIsReadableFromItsFirstByte() throws {
    let pipe = Pipe()
    let writer = try WAVEWriter(pipe.fileHandleForWriting, sampleRate: 8_000, channelCount: 1)
    for _ in 0..<9 { try writer.write([Int16](repeating: 7, count: 1_000)) }
    try writer.finish()
    try pipe.fileHandleForWriting.close()
    let data = try #require(try pipe.fileHandleForReading.readToEnd())
    #expect(data.count == 44 + 18_000)
    #expect(data[4..<8].allSatisfy { $0 == 0xFF } && data[40..<44].allSatisfy { $0 == 0xFF })
    try withFolder { folder in
      let path = folder.appending(path: "captured.wav").path
      try data.write(to: URL(filePath: path))
      #expect(try WAVEReader(path: path).frameCount == 9_000)
    }
  }

  @Test func anAppendedStreamHasOneHeader() throws {
    let path = folder.appending(path: "out.wav").path
    // UNSAFE: the path is lent to the call as a C string.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    try #require(descriptor >= 0)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let writer = try WAVEWriter(file, sampleRate: 8_000, channelCount: 1)
    for _ in 0..<20 { try writer.write([Int16](repeating: 7, count: 1_000)) }
    try writer.finish()
    #expect(try Data(contentsOf: URL(filePath: path)).count == 44 + 40_000)
    let reader = try WAVEReader(path: path)
    #expect(reader.frameCount == 20_000)
    #expect(try reader.read(from: 7_990, count: 100) == [Int16](repeating: 7, count: 100))
  }

  @Test func aClosedPipeIsReported() throws {
    let pipe = Pipe()
    let writer = try WAVEWriter(pipe.fileHandleForWriting, sampleRate: 8_000, channelCount: 1)
    try pipe.fileHandleForReading.close()
    // Until the end: a child that another test launches may have the pipe open before it executes its program.
    #expect(throws: WAVEWriter.Error.closed) { while true { try writer.write([1]) } }
  }

  @Test func aFailedWriteHasItsReason() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    #expect(throws: WAVEWriter.Error.system(errno: ENOSPC)) {
      try WAVEWriter(full, sampleRate: 8_000, channelCount: 1)
    }
  }
}
