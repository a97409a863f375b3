import Foundation
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import TestPatterns

/// The worker that takes frames from a ring, slowly and in pieces, and judges each.
///
/// It reads through three readers in turn, all under the same load: the real one; the control, which differs in
/// nothing but that it does not look at the slot's counter again; and one that leases, and judges a frame at the
/// end of its lease, frames later.
struct RingReaderWorker: Codable, Sendable {
  /// The ring file.
  var path: String
  /// Whether the frames are pictures of the proof pattern, and not a few words.
  var isPicture: Bool
  /// What the random choices follow from.
  var seed: UInt64
  /// Which of the readers it is.
  var index: UInt64

  /// Of so many reads one goes to the control.
  private static let controlOnceIn: UInt64 = 8
  /// Of so many reads of a few words one is slow. It is mostly overtaken, and keeps the reader from many others.
  private static let slowOnceIn: UInt64 = 1024
  /// Of so many one stops once, for about as long as a frame takes to write: it is just overtaken, or just not.
  private static let closeOnceIn: UInt64 = 8
  /// Of so many reads one begins or ends a lease.
  private static let leaseOnceIn: UInt64 = 8
  /// Of so many leases one is held for longer than the writer allows.
  private static let longLeaseOnceIn: UInt64 = 64

  /// Reads until the parent has enough, and tells it ten times a second what was seen.
  func run(for parent: ParentProcess) throws {
    var state = State(
      hesitation: Hesitation(seed: seed, stream: 100 + index),
      real: try FrameRingReader(path: path, checksAfterwards: true),
      control: try FrameRingReader(path: path, checksAfterwards: false),
      leaser: try FrameRingReader(path: path, registers: true), isPicture: isPicture)
    parent.tell(.ready)
    var told = SystemClock().now.nanoseconds
    while parent.wantsMore {
      for _ in 0..<(isPicture ? 1 : 256) { state.look() }
      guard SystemClock().now.nanoseconds > told + 100_000_000 else { continue }
      told = SystemClock().now.nanoseconds
      parent.tell(.tally(state.tally))
    }
    parent.tell(.tally(state.tally))
  }

  /// What a frame turned out to be.
  private enum Judgement {
    case whole
    case torn(String)
  }

  private struct State {
    var hesitation: Hesitation
    let real: FrameRingReader
    let control: FrameRingReader
    let leaser: FrameRingReader
    let isPicture: Bool
    private var lease: FrameLease?
    var tally = TornTally()
    private var serializer = PixelBufferSerializer()
    private var copy: [UInt8] = []

    init(
      hesitation: Hesitation, real: FrameRingReader, control: FrameRingReader, leaser: FrameRingReader,
      isPicture: Bool
    ) {
      (self.hesitation, self.isPicture) = (hesitation, isPicture)
      (self.real, self.control, self.leaser) = (real, control, leaser)
    }

    /// Takes and judges the newest frame, if there is a new one.
    mutating func look() {
      if hesitation.once(in: RingReaderWorker.leaseOnceIn) { return beginOrEndLease() }
      let isControl = hesitation.once(in: RingReaderWorker.controlOnceIn)
      let reader = isControl ? control : real
      let judgement: Judgement?
      do throws(FrameRingReader.ReadError<Never>) {
        judgement = isPicture ? try picture(reader) : try words(reader)
      } catch {
        // For the control: a header that changed while it was read.
        switch error {
        case .ring(let error): judgement = .torn("\(error)")
        }
      }
      tally.overtaken = Int(real.overtaken)
      guard let judgement else { return }
      if isControl {
        tally.controlChecks += 1
        if case .torn = judgement { tally.controlTorn += 1 }
      } else {
        tally.checks += 1
        if case .torn(let what) = judgement {
          tally.torn += 1
          tally.firstTorn = tally.firstTorn ?? what
        }
      }
    }

    /// Ends the lease that is held, and judges its frame; or leases the newest frame.
    private mutating func beginOrEndLease() {
      guard let held = lease.take() else {
        do { lease = try leaser.lease() } catch { note(lease: .torn("\(error)")) }
        return
      }
      if hesitation.once(in: RingReaderWorker.longLeaseOnceIn) {
        usleep(useconds_t(RingWriterWorker.leaseLimit / .microseconds(1) * 1.5))
      }
      let judgement = judge(held)
      // What a lease held that the writer has taken back says nothing, and must not be used.
      if held.end() {
        note(lease: judgement)
      } else {
        tally.leasesVoid += 1
        if case .torn = judgement { tally.leasesVoidTorn += 1 }
      }
    }

    private mutating func note(lease judgement: Judgement) {
      tally.leases += 1
      if case .torn(let what) = judgement {
        tally.leasesTorn += 1
        tally.firstTorn = tally.firstTorn ?? "leased, \(what)"
      }
    }

    private mutating func judge(_ lease: FrameLease) -> Judgement {
      let number = lease.stamp.number
      return lease.withPayload { payload in
        guard isPicture else {
          let isWhole =
            payload.count == NumberedWords.byteCount(of: number)
            && NumberedWords.belong(payload, payload.indices, to: number)
          return isWhole ? .whole : .torn("frame \(number) holds words of another one")
        }
        return judge(payload, as: number)
      }
    }

    /// Reads a few words in place.
    private mutating func words(_ reader: FrameRingReader) throws(FrameRingReader.ReadError<Never>)
      -> Judgement?
    {
      // Taken out, so that nothing of `self` is lent twice; so below.
      var hesitation = hesitation
      defer { self.hesitation = hesitation }
      let isSlow = hesitation.once(in: RingReaderWorker.slowOnceIn)
      let isClose = hesitation.once(in: RingReaderWorker.closeOnceIn)
      return try reader.next { stamp, payload in
        var isWhole =
          payload.count == NumberedWords.byteCount(of: stamp.number)
          && stamp.captureTime.nanoseconds == stamp.number
        var offset = 0
        while offset < payload.count {
          let isInPieces = isSlow || isClose && offset == 0
          let piece = isInPieces ? hesitation.piece(of: payload.count) : payload.count
          let end = min(payload.count, offset + piece)
          isWhole = NumberedWords.belong(payload, offset..<end, to: stamp.number) && isWhole
          offset = end
          if isSlow { hesitation.pause() } else if isInPieces { hesitation.spin(within: 10) }
        }
        return isWhole ? .whole : .torn("frame \(stamp.number) holds words of another one")
      }
    }

    /// Copies a picture, half of the time in pieces, half of the time as the app does, and judges the copy.
    private mutating func picture(_ reader: FrameRingReader) throws(FrameRingReader.ReadError<Never>)
      -> Judgement?
    {
      var (hesitation, copy) = (hesitation, copy)
      self.copy = []
      defer { (self.hesitation, self.copy) = (hesitation, copy) }
      let isInPieces = hesitation.once(in: 2)
      let read = try reader.next { stamp, payload in
        if copy.count != payload.count { copy = [UInt8](repeating: 0, count: payload.count) }
        var bytes = copy.mutableSpan
        var offset = 0
        while offset < payload.count {
          let piece = isInPieces ? hesitation.piece(of: payload.count) : payload.count
          let end = min(payload.count, offset + piece)
          bytes.copy(payload.extracting(offset..<end), to: offset)
          offset = end
          if isInPieces { hesitation.pause() }
        }
        return stamp
      }
      guard let stamp = read else { return nil }
      return judge(copy.span, as: stamp.number)
    }

    /// Makes a picture of bytes and judges it.
    private mutating func judge(_ bytes: Span<UInt8>, as number: UInt64) -> Judgement {
      do {
        let verdict = ProofVerifier.verify(try serializer.deserialize(bytes))
        if verdict == .whole(frame: UInt32(truncatingIfNeeded: number)) { return .whole }
        return .torn("taken as frame \(number), \(verdict)")
      } catch {
        return .torn("frame \(number): \(error)")
      }
    }
  }
}
