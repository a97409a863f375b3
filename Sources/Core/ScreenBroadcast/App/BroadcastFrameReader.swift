import CoreVideo
import Platform
import ReplayKitCore
import SharedMemory

/// The source of the app's frames, whatever their layout.
protocol BroadcastFrameSource {
  /// The session read last; `nil` before the first, while it cannot be read, and where the layout does not state it.
  var session: BroadcastSession? { get }
  /// Reads discarded because the extension overtook them.
  var overtaken: UInt64 { get }
  /// The frame to report now, or why its bytes are not a frame; `nil` without a new one.
  mutating func next() throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>?
  /// Begins again with the file at the path.
  mutating func reopen()
}

/// Reads the newest frame of the ring at a path, over all sessions.
final class BroadcastFrameReader: BroadcastFrameSource {
  private let sessions: SessionReader<FrameRingReader>
  private let clock: any MonotonicClock
  private var serializer = PixelBufferSerializer()
  /// Reads discarded because the extension overtook them, over all sessions.
  private(set) var overtaken: UInt64 = 0
  /// The frame read last, kept while no ring is open: a ring that is opened again must not repeat it.
  private var last: BroadcastFrame.ID?

  /// - Parameters:
  ///   - isWoken: whether a frame signal causes the reads: then a frame is read as soon as it is published.
  init(
    container: AppGroupContainer, isWoken: Bool = false, clock: any MonotonicClock = SystemClock()
  ) {
    sessions = SessionReader(
      path: container.framesFile, lockFile: container.producerLockFile,
      agesWithoutCheck: isWoken ? Self.agesWithoutCheck : nil)
    self.clock = clock
  }

  var session: BroadcastSession? { sessions.ring.map(BroadcastSession.init) }

  /// The ages at which a frame that woke the app is reported without a check of the extension, which would add a tenth.
  /// A frame that was polled is always checked: an app that polls crashes and frames in turn sees their order.
  private static let agesWithoutCheck = Duration.zero...(.microseconds(500))

  func reopen() { sessions.reopen() }

  func next() throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>? {
    try sessions.next(open: open) {
      ring throws(FileError) -> RingNews<Result<BroadcastFrame, PixelBufferSerializer.Failure>>? in
      guard let result = try read(ring) else { return nil }
      let age: Duration? =
        if case .success(let frame) = result { frame.receiveTime - frame.publishTime } else { nil }
      return (result, age)
    }
  }

  private func open(_ path: String) throws(FileError) -> FrameRingReader {
    let reader = try FrameRingReader(path: path)
    if let last, last.session == reader.session.id { reader.skip(through: last.number) }
    return reader
  }

  private func read(
    _ reader: FrameRingReader
  ) throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>? {
    let (before, session, now) = (reader.overtaken, reader.session.id, clock.now)
    defer {
      overtaken += reader.overtaken - before
      if reader.lastNumber > 0 { last = BroadcastFrame.ID(session: session, number: reader.lastNumber) }
    }
    return try reader.next { stamp, payload in
      serializer.result(of: payload).map { pixelBuffer in
        BroadcastFrame(
          pixelBuffer: pixelBuffer,
          orientation: CGImagePropertyOrientation(rawValue: stamp.orientation) ?? .up,
          captureTime: stamp.captureTime, publishTime: stamp.publishTime, receiveTime: now,
          id: BroadcastFrame.ID(session: session, number: stamp.number))
      }
    }
  }
}
