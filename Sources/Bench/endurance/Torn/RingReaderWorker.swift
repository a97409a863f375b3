import Foundation
import LaunchedPrograms
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import ToolSupport

/// The worker that reads frames from a ring, slowly and in pieces, and checks each frame.
struct RingReaderWorker: Worker {
  var path: String
  /// Whether the frames show the proof pattern. Otherwise they consist of a few words.
  var isProof: Bool
  var seed: UInt64
  var index: UInt64

  func run(for parent: ParentProcess<TornTally>) throws {
    // Both readers are used in turn under the same load. The control differs only in that it does not check the slot's
    // counter again.
    let real = try FrameRingReader(path: path, checksAfterwards: true)
    let control = try FrameRingReader(path: path, checksAfterwards: false)
    var (reader, tally) = (SlowReader(self), TornTally())
    var lastReport = SystemClock().now
    parent.reportReady()
    while parent.wantsMore {
      for _ in 0..<(isProof ? 1 : 256) {
        if reader.random.once(in: 8) {
          reader.read(control, &tally.control)
        } else {
          reader.read(real, &tally.frames)
        }
      }
      guard SystemClock().now - lastReport > .milliseconds(100) else { continue }
      lastReport = SystemClock().now
      tally.overtaken = Int(real.overtaken)
      parent.report(tally)
    }
    tally.overtaken = Int(real.overtaken)
    parent.report(tally)
  }
}

/// Reads and checks frames at different paces.
private struct SlowReader {
  var random: SeededGenerator
  private let isProof: Bool
  private var serializer = PixelBufferSerializer()
  private var copy: [UInt8] = []

  private enum Pace {
    case whole
    /// Reads with one pause of about the duration of a write, so that the read is only just overtaken or only just not.
    case close
    /// Reads in pieces. The read is usually overtaken, and takes as long as many reads of a few words.
    case slow
  }

  init(_ worker: RingReaderWorker) {
    isProof = worker.isProof
    random = SeededGenerator(seed: worker.seed, stream: 100 + worker.index)
  }

  /// Reads and checks the latest frame if it is new.
  mutating func read(_ reader: FrameRingReader, _ count: inout TornTally.Count) {
    let pace = nextPace()
    // Use a local copy, because the closure must not access the property during the access to its span.
    var copy = copy
    self.copy = []
    defer { self.copy = copy }
    do {
      let read = try reader.next { stamp, payload in
        if copy.count < payload.count { copy = [UInt8](repeating: 0, count: payload.count) }
        var bytes = copy.mutableSpan
        var offset = 0
        while offset < payload.count {
          let piece = nextPiece(offset, of: payload.count, pace)
          bytes.copy(payload.extracting(piece), to: offset)
          offset = piece.upperBound
        }
        return (stamp: stamp, byteCount: payload.count)
      }
      guard let (stamp, byteCount) = read else { return }
      count.add(
        stamp.captureTime.nanoseconds == stamp.number
          ? fault(in: copy.span.extracting(0..<byteCount), number: stamp.number)
          : "frame \(stamp.number) has the time of another frame")
    } catch {
      // The control may read a header that changes during the read.
      count.add("\(error)")
    }
  }

  private mutating func nextPace() -> Pace {
    if isProof { return random.once(in: 2) ? .slow : .whole }
    return random.once(in: 1024) ? .slow : random.once(in: 2) ? .close : .whole
  }

  /// Returns the bytes to read next, after a delay between two pieces.
  private mutating func nextPiece(_ offset: Int, of byteCount: Int, _ pace: Pace) -> Range<Int> {
    if offset > 0 {
      if pace == .close {
        random.spin(within: 12)
        return offset..<byteCount
      }
      random.pause()
    }
    return offset..<(pace == .whole ? byteCount : min(byteCount, offset + random.piece(of: byteCount)))
  }

  private mutating func fault(in bytes: Span<UInt8>, number: UInt64) -> String? {
    isProof
      ? ProofFrames.fault(in: bytes, number: number, &serializer)
      : NumberedWords.fault(in: bytes, number: number)
  }
}
