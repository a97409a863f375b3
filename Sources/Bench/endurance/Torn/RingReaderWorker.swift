import Foundation
import LaunchedPrograms
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import ToolSupport

/// The worker that reads frames from a ring, slowly and in pieces, and checks each.
struct RingReaderWorker: Worker {
  var path: String
  /// Whether the frames show the proof pattern; otherwise they are a few words.
  var isProof: Bool
  var seed: UInt64
  var index: UInt64

  func run(for parent: ParentProcess<TornTally>) throws {
    let readers = try TornReaders(self)
    parent.reportReady()
    var lastReport = SystemClock().now
    while parent.wantsMore {
      for _ in 0..<(isProof ? 1 : 256) { readers.read() }
      guard SystemClock().now - lastReport > .milliseconds(100) else { continue }
      lastReport = SystemClock().now
      parent.report(readers.tally)
    }
    parent.report(readers.tally)
  }
}

/// Two readers of a ring, used in turn under the same load: the real one, and the control, which differs only in that it does
/// not check the slot's counter again.
private final class TornReaders {
  private(set) var tally = TornTally()
  private let real: FrameRingReader
  private let control: FrameRingReader
  private let isProof: Bool
  private var random: SeededGenerator
  private var serializer = PixelBufferSerializer()
  private var copy: [UInt8] = []

  private enum Pace {
    case whole
    /// With one pause for about the time of a write, so that it is only just overtaken or not.
    case close
    /// In pieces. It is usually overtaken, and delays many reads of a few words.
    case slow
  }

  init(_ worker: RingReaderWorker) throws {
    real = try FrameRingReader(path: worker.path, checksAfterwards: true)
    control = try FrameRingReader(path: worker.path, checksAfterwards: false)
    isProof = worker.isProof
    random = SeededGenerator(seed: worker.seed, stream: 100 + worker.index)
  }

  /// Reads and checks the newest frame if there is a new one.
  func read() {
    if random.once(in: 8) {
      read(control, &tally.control)
    } else {
      read(real, &tally.frames)
      tally.overtaken = Int(real.overtaken)
    }
  }

  private func read(_ reader: FrameRingReader, _ count: inout TornTally.Count) {
    let pace = nextPace()
    // A local copy, because the closure must not access the property during the access to its span.
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
          : "frame \(stamp.number) has the time of another one")
    } catch {
      // The control may read a header that changes during the read.
      count.add("\(error)")
    }
  }

  private func nextPace() -> Pace {
    if isProof { return random.once(in: 2) ? .slow : .whole }
    return random.once(in: 1024) ? .slow : random.once(in: 2) ? .close : .whole
  }

  /// The bytes to read next, after a delay between two pieces.
  private func nextPiece(_ offset: Int, of byteCount: Int, _ pace: Pace) -> Range<Int> {
    if offset > 0 {
      if pace == .close {
        random.spin(within: 12)
        return offset..<byteCount
      }
      random.pause()
    }
    return offset..<(pace == .whole ? byteCount : min(byteCount, offset + random.piece(of: byteCount)))
  }

  private func fault(in bytes: Span<UInt8>, number: UInt64) -> String? {
    isProof
      ? ProofFrames.fault(in: bytes, number: number, &serializer)
      : NumberedWords.fault(in: bytes, number: number)
  }
}
