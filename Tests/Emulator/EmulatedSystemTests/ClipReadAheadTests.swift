import CoreVideo
import Foundation
import PictureFormats
import PixelAccess
import TestSupport
import Testing

@testable import EmulatedSystem

@MainActor @Suite struct ClipReadAheadTests {
  private func readAhead(_ bytes: Data, loops: Bool = false, in folder: URL) throws -> ClipReadAhead {
    let path = folder.appendingPathComponent("clip.y4m")
    try bytes.write(to: path)
    let pool = try PixelBufferPool(width: 4, height: 2, pixelFormat: fullRange)
    return ClipReadAhead(reader: try Y4MReader(path: path.path), loops: loops, pool: pool)
  }

  /// Waits for the next frame and returns its first sample; `nil` at the end.
  private func sample(_ frames: ClipReadAhead) async throws -> UInt8? {
    var next = ClipReadAhead.Next.notYet
    _ = await eventually {
      next = frames.next()
      if case .notYet = next { return false }
      return true
    }
    switch next {
    case .frame(let frame): return firstSample(frame)
    case .notYet:
      Issue.record("no frame came")
      return nil
    case .end: return nil
    case .failure(let error): throw error
    }
  }

  @Test func noFrameIsReadBeforeTheStart() throws {
    try withFolder { folder in
      let frames = try readAhead(clip(frames: 1), in: folder)
      guard case .notYet = frames.next() else {
        Issue.record("a frame came")
        return
      }
    }
  }

  @Test func framesComeInOrderAndThenTheEnd() async throws {
    try await withFolder { folder in
      let frames = try readAhead(clip(frames: 7), in: folder)
      frames.start()
      for index in 1...7 { #expect(try await sample(frames) == UInt8(index * 10)) }
      #expect(try await sample(frames) == nil)
      #expect(try await sample(frames) == nil)
      frames.stop()
    }
  }

  @Test func aLoopBeginsAgain() async throws {
    try await withFolder { folder in
      let frames = try readAhead(clip(frames: 2), loops: true, in: folder)
      frames.start()
      for expected: UInt8 in [10, 20, 10, 20, 10] { #expect(try await sample(frames) == expected) }
      frames.stop()
    }
  }

  @Test func aLoopWithoutFramesEnds() async throws {
    try await withFolder { folder in
      let frames = try readAhead(clip(frames: 0), loops: true, in: folder)
      frames.start()
      #expect(try await sample(frames) == nil)
    }
  }

  @Test func aTruncatedClipGivesItsFramesAndThenTheError() async throws {
    try await withFolder { folder in
      let frames = try readAhead(clip(frames: 2).dropLast(1), in: folder)
      frames.start()
      #expect(try await sample(frames) == 10)
      let error = await #expect(throws: ScreenContentError.self) { try await sample(frames) }
      let path = folder.appendingPathComponent("clip.y4m").path
      #expect(error == .clip(.truncated(path: path, frame: 1)))
    }
  }

  /// Releasing its semaphore once trapped when frames were left.
  @Test(arguments: [0, 1, 2, 9]) func itCanBeReleasedWithFramesLeft(_ count: Int) async throws {
    try await withFolder { folder in
      weak var gone: ClipReadAhead?
      do {
        let frames = try readAhead(clip(frames: 10), in: folder)
        gone = frames
        frames.start()
        for _ in 0..<count { _ = try await sample(frames) }
        frames.stop()
      }
      #expect(await eventually { gone == nil })
    }
  }
}
