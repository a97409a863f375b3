import CoreVideo
import Platform
import ReplayKit
import SharedMemory

/// Reads the frames at a path whatever session they belong to: opens the ring when there is one, follows a
/// session into a larger file, and goes over to the next session when the extension starts again.
struct BroadcastFrameReader {
  private let path: String
  private let leases: Bool
  private let lockFile: String
  private var reader: FrameRingReader?
  private var serializer = PixelBufferSerializer()
  /// Reads thrown away because the extension overtook them, over all sessions.
  private(set) var overtaken: UInt64 = 0
  /// The frame read last, kept while no ring is open: a ring opened again must not repeat it.
  private var last: BroadcastFrame.ID?

  /// - Parameter leases: whether frames are held in place where that can be done, and not copied.
  init(container: AppGroupContainer, leases: Bool = false) {
    path = container.framesFile
    self.leases = leases
    lockFile = container.producerLockFile
  }

  /// The session read last; `nil` before the first, and while the ring at the path cannot be read.
  var session: BroadcastSession? { reader.map { BroadcastSession($0) } }

  /// The newest frame, when it is a new one and the extension that published it did not die.
  mutating func next() throws(BroadcastBufferContext.Failure) -> BroadcastFrame? {
    do throws(BroadcastBufferContext.Failure) {
      if let reader, let frame = try read(reader) { return frame }
      guard try openNewer(), let reader else { return nil }
      return try read(reader)
    } catch {
      // A frame that is no pixel buffer says nothing against the ring; the next one may be fine.
      if case .ring = error { reader = nil }
      throw error
    }
  }

  /// Opens the ring at the path unless it is the one that is open; whether it did.
  private mutating func openNewer() throws(BroadcastBufferContext.Failure) -> Bool {
    do throws(RingError) {
      if let reader, try reader.isCurrent() { return false }
      let newer = try FrameRingReader(path: path, registers: leases)
      if let last, last.session == newer.session.id { newer.skip(through: last.number) }
      reader = newer
      return true
    } catch {
      // No ring: none was started yet, or the session that was read is over and its reader can still tell so.
      if case .storage(let storage) = error, storage.isMissing { return false }
      throw .ring(error)
    }
  }

  private mutating func read(
    _ reader: FrameRingReader
  ) throws(BroadcastBufferContext.Failure) -> BroadcastFrame? {
    let before = reader.overtaken
    defer {
      overtaken += reader.overtaken - before
      if reader.lastNumber > 0 {
        last = BroadcastFrame.ID(session: reader.session.id, number: reader.lastNumber)
      }
    }
    do throws(FrameRingReader.ReadError<PixelBufferSerializer.Failure>) {
      let now = SystemClock().now
      // What cannot be leased now is copied.
      var frame = try leased(from: reader, at: now)
      if frame == nil { frame = try copied(from: reader, at: now) }
      guard let frame else { return nil }
      return try isLeftByTheDead(reader) ? nil : frame
    } catch {
      switch error {
      case .ring(let error): throw .ring(error)
      case .body(let error): throw .frame(error)
      }
    }
  }

  private func leased(
    from reader: FrameRingReader, at time: MonotonicTime
  ) throws(FrameRingReader.ReadError<PixelBufferSerializer.Failure>) -> BroadcastFrame? {
    guard leases else { return nil }
    let lease: FrameLease?
    do { lease = try reader.lease() } catch { throw .ring(error) }
    guard let lease else { return nil }
    do throws(PixelBufferSerializer.Failure) {
      return BroadcastFrame(
        try serializer.lend(lease), lease.stamp, session: reader.session.id, receiveTime: time, lease: lease)
    } catch {
      throw .body(error)
    }
  }

  private mutating func copied(
    from reader: FrameRingReader, at time: MonotonicTime
  ) throws(FrameRingReader.ReadError<PixelBufferSerializer.Failure>) -> BroadcastFrame? {
    try reader.next { stamp, payload throws(PixelBufferSerializer.Failure) in
      BroadcastFrame(
        try serializer.deserialize(payload), stamp, session: reader.session.id, receiveTime: time, lease: nil)
    }
  }

  private func isLeftByTheDead(
    _ reader: FrameRingReader
  ) throws(FrameRingReader.ReadError<PixelBufferSerializer.Failure>) -> Bool {
    do throws(StorageError) {
      return try ProducerLock.isLeftByTheDead(
        reader.session, lockedAt: lockFile, state: { reader.state })
    } catch {
      throw .ring(.storage(error))
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
