import CoreVideo
import Platform
import ReplayKitCore
import SharedMemory

/// The source of the app's frames, for any layout.
protocol BroadcastFrameSource {
  /// The session read last; `nil` before the first one, while it cannot be read, and if the layout has no session.
  var session: BroadcastSession? { get }
  /// The number of reads discarded because the extension overtook them.
  var overtaken: UInt64 { get }
  /// Returns the frame to report now, or the reason that its bytes are not a frame; `nil` if there is no new frame.
  mutating func next() throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>?
  /// Starts over with the file at the path.
  mutating func reopen()
}

/// Reads the newest frame of the ring at a path, across sessions.
final class BroadcastFrameReader: BroadcastFrameSource {
  private let sessions: SessionReader<FrameRingReader>
  private let clock: any MonotonicClock
  private var serializer = PixelBufferSerializer()
  /// The number of reads discarded because the extension overtook them, in all sessions.
  private(set) var overtaken: UInt64 = 0
  /// The frame read last. Kept while no ring is open, so that a reopened ring does not repeat the frame.
  private var last: BroadcastFrame.ID?

  /// - Parameter isWoken: whether a frame signal triggers the reads, so that frames are read as soon as they are published.
  init(
    container: AppGroupContainer, isWoken: Bool = false, clock: any MonotonicClock = SystemClock()
  ) {
    sessions = SessionReader(
      path: container.framesFile, lockFile: container.producerLockFile,
      agesWithoutCheck: isWoken ? Self.agesWithoutCheck : nil)
    self.clock = clock
  }

  var session: BroadcastSession? { sessions.ring.map(BroadcastSession.init) }

  /// The ages at which a frame that woke the app is reported without checking the extension. The check would add a tenth to the
  /// latency. Polled frames are always checked, so that an app that polls crashes and frames in turn sees them in order.
  private static let agesWithoutCheck = Duration.zero...(.microseconds(500))

  func reopen() { sessions.reopen() }

  func next() throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>? {
    try sessions.next(open: open) {
      ring throws(FileError) -> RingUpdate<Result<BroadcastFrame, PixelBufferSerializer.Failure>>? in
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
