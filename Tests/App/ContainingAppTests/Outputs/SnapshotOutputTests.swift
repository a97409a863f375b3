import TestSupport
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct SnapshotOutputTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private func size(_ path: String) throws -> [Int] {
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    try #require(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test func theLastFrameIsWrittenUpright() throws {
    let path = folder.appendingPathComponent("shot.png").path
    let output = SnapshotOutput(path: path)
    output.renderFrame(makeFrame(try makeFilledPicture(8, 8)))
    output.renderFrame(makeFrame(try makeFilledPicture(32, 16), rotation: ._270))
    #expect(!FileManager.default.fileExists(atPath: path))
    try output.finish()
    #expect(try size(path) == [16, 32])
  }

  @Test func withoutAFrameThereIsNoFile() throws {
    let path = folder.appendingPathComponent("shot.png").path
    try SnapshotOutput(path: path).finish()
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
