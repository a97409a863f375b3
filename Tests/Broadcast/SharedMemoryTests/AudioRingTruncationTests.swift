import Foundation
import TestSupport
import Testing

@testable import SharedMemory

/// Audio rings cut short by an outsider while they are mapped.
@Suite struct AudioRingTruncationTests {
  private let folder: TemporaryFolder
  private var path: String { folder("audio-app.ring") }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 100, 4096, 4097, 8192])
  func aReaderSurvivesAndSaysThatBytesAreLost(byteCount: Int) throws {
    let writer = try TestAudio.mono.writer(path)
    let reader = try AudioRingReader(path: path)
    for _ in 0..<20 { try TestAudio.mono.publish(100, to: writer) }
    setSize(of: path, to: byteCount)
    for _ in 0..<2 {
      let error = #expect(throws: RingError.self) { try reader.read() }
      #expect(error == .lost(path: path) || error == .damaged(path: path))
    }
  }

  /// Writer and reader go on together, wherever the file was cut.
  @Test func whereverTheFileIsCutTheReaderFindsTheWritersNextFile() throws {
    let testAudio = TestAudio.mono
    let size = AudioRingLayout(testAudio.format).byteCount
    for end in stride(from: 0, to: size - 4096, by: 1024) {
      let writer = try testAudio.writer(path)
      let reader = try AudioRingReader(path: path)
      try testAudio.publish(100, to: writer)
      _ = try reader.read()
      setSize(of: path, to: end)
      var runs: [AudioRun] = []
      for _ in 0..<24 where runs.isEmpty {
        try testAudio.publish(100, to: writer)
        do throws(RingError) { _ = try reader.read() } catch {
          #expect([.lost(path: path), .damaged(path: path)].contains(error), "\(end) bytes")
        }
        if try !reader.isCurrent() {
          let next = try AudioRingReader(path: path)
          next.resume(at: reader.position)
          runs = try next.read()
        }
      }
      #expect(!runs.isEmpty && runs.allSatisfy(testAudio.isRight), "\(end) bytes")
      try writer.finish()
    }
  }
}
