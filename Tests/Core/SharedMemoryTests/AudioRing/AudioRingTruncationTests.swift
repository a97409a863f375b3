import TestSupport

@testable import SharedMemory

/// Tests audio rings that another program truncates while they are mapped.
@Suite struct AudioRingTruncationTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("audio-app.ring") }

  /// The truncated sizes: within the header, the table and the samples, and one byte less than the file.
  private static let cuts =
    [0, 1, 100, 136, 200, 264, 4096, 4097, 8192, 20_480, 20_580, 22_528]
    + [AudioRingLayout(TestAudio.mono.format).byteCount - 1]

  /// The new end may lie within a page that stays mapped, so all page sizes are tried.
  @Test(arguments: pageSizes, cuts)
  func aCutIsReportedAtOnceAndTheNextPacketIsInANewFile(pageSize: Int, byteCount: Int) throws {
    let testAudio = TestAudio.mono
    let writer = try testAudio.writer(path)
    let (reader, idleReader) = (try AudioRingReader(path: path), try AudioRingReader(path: path))
    for _ in 0..<20 { try testAudio.publish(100, to: writer) }
    #expect(try idleReader.read() != [])
    try cut(path, to: byteCount, pageSize: pageSize)
    for reader in [reader, reader, idleReader] {
      #expect(throws: FileError(.cutShort, path)) { try reader.read() }
    }
    try testAudio.publish(100, to: writer)
    #expect(try !reader.isCurrent())
    let next = try AudioRingReader(path: path)
    next.resume(at: idleReader.position)
    let runs = try next.read()
    #expect(runs.map { $0.frames() } == [2000..<2100] && runs.allSatisfy(testAudio.isRight))
    try writer.finish()
  }
}
