import CoreVideo
import Platform
import ReplayKit
import SharedMemory

/// The source of the app's frames, whatever their layout.
protocol BroadcastFrameSource {
  /// The session read last; `nil` before the first, while it cannot be read, and where the layout does not state it.
  var session: BroadcastSession? { get }
  /// Reads discarded because the extension overtook them.
  var overtaken: UInt64 { get }
  /// The frame to report now; `nil` when there is none.
  mutating func next() throws(BroadcastBufferContext.Failure) -> BroadcastFrame?
}

/// Reads the newest frame of the ring at a path, over all sessions.
struct BroadcastFrameReader: BroadcastFrameSource, SessionFollower {
  typealias Failure = BroadcastBufferContext.Failure

  var open: OpenRing<FrameRingReader>?
  let lockFile: String
  private let path: String
  private let leases: Bool
  private let clock: any MonotonicClock
  private var serializer = PixelBufferSerializer()
  /// Reads discarded because the extension overtook them, over all sessions.
  private(set) var overtaken: UInt64 = 0
  /// The frame read last, kept while no ring is open: a ring that is opened again must not repeat it.
  private var last: BroadcastFrame.ID?

  /// - Parameter leases: whether frames are held in place where possible, and not copied.
  init(container: AppGroupContainer, leases: Bool = false, clock: any MonotonicClock = SystemClock()) {
    path = container.framesFile
    lockFile = container.producerLockFile
    self.leases = leases
    self.clock = clock
  }

  var session: BroadcastSession? { open.map { BroadcastSession($0.reader) } }
  var betweenChecks: () -> Void { {} }

  func openRing() throws(RingError) -> FrameRingReader {
    let reader = try FrameRingReader(path: path, registers: leases)
    if let last, last.session == reader.session.id { reader.skip(through: last.number) }
    return reader
  }

  mutating func read(_ reader: FrameRingReader) throws(Failure) -> BroadcastFrame? {
    let (before, session, now) = (reader.overtaken, reader.session.id, clock.now)
    defer {
      overtaken += reader.overtaken - before
      if reader.lastNumber > 0 { last = BroadcastFrame.ID(session: session, number: reader.lastNumber) }
    }
    // A frame that cannot be leased now is copied.
    var frame = leases ? try leased(from: reader, at: now) : nil
    if frame == nil {
      do throws(FrameRingReader.ReadError<PixelBufferSerializer.Failure>) {
        frame = try reader.next { stamp, payload throws(PixelBufferSerializer.Failure) in
          BroadcastFrame(
            try serializer.deserialize(payload), stamp, session: session, receiveTime: now, lease: nil)
        }
      } catch {
        switch error {
        case .ring(let error): throw .ring(error)
        case .body(let error): throw .frame(error)
        }
      }
    }
    guard let frame, try !isOrphaned() else { return nil }
    return frame
  }

  private func leased(
    from reader: FrameRingReader, at time: MonotonicTime
  ) throws(Failure) -> BroadcastFrame? {
    let lease: FrameLease
    do {
      guard let found = try reader.lease() else { return nil }
      lease = found
    } catch {
      throw .ring(error)
    }
    do {
      return BroadcastFrame(
        try serializer.lend(lease), lease.stamp, session: reader.session.id, receiveTime: time, lease: lease)
    } catch {
      throw .frame(error)
    }
  }
}

extension BroadcastFrame {
  fileprivate init(
    _ pixelBuffer: CVPixelBuffer, _ stamp: FrameStamp, session: UInt64, receiveTime: MonotonicTime,
    lease: FrameLease?
  ) {
    self.init(
      pixelBuffer: pixelBuffer, orientation: CGImagePropertyOrientation(rawValue: stamp.orientation) ?? .up,
      captureTime: stamp.captureTime, publishTime: stamp.publishTime, receiveTime: receiveTime,
      id: ID(session: session, number: stamp.number), lease: lease)
  }
}
