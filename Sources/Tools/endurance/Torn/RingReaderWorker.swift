import Foundation
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import TestPatterns

/// The worker that reads frames from a ring, slowly and in pieces, and checks each.
///
/// It uses three readers in turn, under the same load: the real one; the control, which differs only in that it does
/// not check the slot's counter again; and one that leases, and checks a frame at the end of its lease, frames later.
struct RingReaderWorker: Codable, Sendable {
  /// The ring file.
  var path: String
  /// Whether the frames show the proof pattern; otherwise they are a few words.
  var isProof: Bool
  var seed: UInt64
  /// The index of this reader.
  var index: UInt64

  /// One in this number of reads uses the control.
  private static let controlOnceIn: UInt64 = 8
  /// One in this number of reads of a few words is slow. It is usually overtaken, and delays many others.
  private static let slowOnceIn: UInt64 = 1024
  /// One in this number of reads pauses once for about the time of a write, so that it is only just overtaken or not.
  private static let closeOnceIn: UInt64 = 8
  /// One in this number of reads begins or ends a lease.
  private static let leaseOnceIn: UInt64 = 8
  /// One in this number of leases is held for longer than the writer allows.
  private static let longLeaseOnceIn: UInt64 = 64

  /// Reads, and reports the tally ten times per second.
  func run(for parent: ParentProcess) throws {
    var state = State(
      delay: RandomDelay(seed: seed, stream: 100 + index),
      real: try FrameRingReader(path: path, checksAfterwards: true),
      control: try FrameRingReader(path: path, checksAfterwards: false),
      leaser: try FrameRingReader(path: path, registers: true), isProof: isProof)
    parent.report(.ready)
    var lastReport = SystemClock().now
    while parent.wantsMore {
      for _ in 0..<(isProof ? 1 : 256) { state.read() }
      guard SystemClock().now - lastReport > .milliseconds(100) else { continue }
      lastReport = SystemClock().now
      parent.report(.tally(state.tally))
    }
    parent.report(.tally(state.tally))
  }

  private enum Verdict {
    case whole
    case torn(String)
  }

  private struct State {
    var delay: RandomDelay
    let real: FrameRingReader
    let control: FrameRingReader
    let leaser: FrameRingReader
    let isProof: Bool
    private var lease: FrameLease?
    var tally = TornTally()
    private var serializer = PixelBufferSerializer()
    private var copy: [UInt8] = []

    init(
      delay: RandomDelay, real: FrameRingReader, control: FrameRingReader, leaser: FrameRingReader,
      isProof: Bool
    ) {
      (self.delay, self.isProof) = (delay, isProof)
      (self.real, self.control, self.leaser) = (real, control, leaser)
    }

    /// Reads and checks the newest frame, if there is a new one.
    mutating func read() {
      if delay.once(in: RingReaderWorker.leaseOnceIn) { return beginOrEndLease() }
      let isControl = delay.once(in: RingReaderWorker.controlOnceIn)
      let reader = isControl ? control : real
      let verdict: Verdict?
      do throws(FrameRingReader.ReadError<Never>) {
        verdict = isProof ? try proof(reader) : try words(reader)
      } catch {
        // The control may read a header that changes during the read.
        switch error {
        case .ring(let error): verdict = .torn("\(error)")
        }
      }
      tally.overtaken = Int(real.overtaken)
      guard let verdict else { return }
      if isControl {
        tally.controlChecks += 1
        if case .torn = verdict { tally.controlTorn += 1 }
      } else {
        tally.checks += 1
        if case .torn(let what) = verdict {
          tally.torn += 1
          tally.firstTorn = tally.firstTorn ?? what
        }
      }
    }

    /// Ends the current lease and checks its frame, or leases the newest frame.
    private mutating func beginOrEndLease() {
      guard let held = lease.take() else {
        do { lease = try leaser.lease() } catch { note(lease: .torn("\(error)")) }
        return
      }
      if delay.once(in: RingReaderWorker.longLeaseOnceIn) {
        usleep(useconds_t(RingWriterWorker.leaseLimit / .microseconds(1) * 1.5))
      }
      let verdict = check(held)
      // The frame of a reclaimed lease may be torn, and must not be used.
      if held.end() {
        note(lease: verdict)
      } else {
        tally.leasesVoid += 1
        if case .torn = verdict { tally.leasesVoidTorn += 1 }
      }
    }

    private mutating func note(lease verdict: Verdict) {
      tally.leases += 1
      if case .torn(let what) = verdict {
        tally.leasesTorn += 1
        tally.firstTorn = tally.firstTorn ?? "leased, \(what)"
      }
    }

    private mutating func check(_ lease: FrameLease) -> Verdict {
      let number = lease.stamp.number
      return lease.withPayload { payload in
        guard isProof else {
          let isWhole =
            payload.count == NumberedWords.byteCount(of: number)
            && NumberedWords.belong(payload, payload.indices, to: number)
          return isWhole ? .whole : .torn("frame \(number) contains words of another one")
        }
        return check(payload, as: number)
      }
    }

    /// Reads a frame of a few words in place.
    private mutating func words(_ reader: FrameRingReader) throws(FrameRingReader.ReadError<Never>)
      -> Verdict?
    {
      // A copy, because the closure must not access `self` during a call of its member; also below.
      var delay = delay
      defer { self.delay = delay }
      let isSlow = delay.once(in: RingReaderWorker.slowOnceIn)
      let isClose = delay.once(in: RingReaderWorker.closeOnceIn)
      return try reader.next { stamp, payload in
        var isWhole =
          payload.count == NumberedWords.byteCount(of: stamp.number)
          && stamp.captureTime.nanoseconds == stamp.number
        var offset = 0
        while offset < payload.count {
          let isInPieces = isSlow || isClose && offset == 0
          let piece = isInPieces ? delay.piece(of: payload.count) : payload.count
          let end = min(payload.count, offset + piece)
          isWhole = NumberedWords.belong(payload, offset..<end, to: stamp.number) && isWhole
          offset = end
          if isSlow { delay.pause() } else if isInPieces { delay.spin(within: 10) }
        }
        return isWhole ? .whole : .torn("frame \(stamp.number) contains words of another one")
      }
    }

    /// Copies a frame of the proof pattern, half of the time in pieces, otherwise as the app does, and checks the copy.
    private mutating func proof(_ reader: FrameRingReader) throws(FrameRingReader.ReadError<Never>)
      -> Verdict?
    {
      var (delay, copy) = (delay, copy)
      self.copy = []
      defer { (self.delay, self.copy) = (delay, copy) }
      let isInPieces = delay.once(in: 2)
      let read = try reader.next { stamp, payload in
        if copy.count != payload.count { copy = [UInt8](repeating: 0, count: payload.count) }
        var bytes = copy.mutableSpan
        var offset = 0
        while offset < payload.count {
          let piece = isInPieces ? delay.piece(of: payload.count) : payload.count
          let end = min(payload.count, offset + piece)
          bytes.copy(payload.extracting(offset..<end), to: offset)
          offset = end
          if isInPieces { delay.pause() }
        }
        return stamp
      }
      guard let stamp = read else { return nil }
      return check(copy.span, as: stamp.number)
    }

    /// Deserializes and checks a frame of the proof pattern.
    private mutating func check(_ bytes: Span<UInt8>, as number: UInt64) -> Verdict {
      do {
        let verdict = ProofVerifier.verify(try serializer.deserialize(bytes))
        if verdict == .whole(frame: UInt32(truncatingIfNeeded: number)) { return .whole }
        return .torn("read as frame \(number), \(verdict)")
      } catch {
        return .torn("frame \(number): \(error)")
      }
    }
  }
}
