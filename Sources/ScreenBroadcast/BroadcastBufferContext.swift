import CoreVideo
import ReplayKit
import SharedMemory
import Synchronization

/// Who wants the frames of a broadcast.
public protocol BroadcastBufferContextSubscriber: AnyObject, Sendable {
  /// A frame came. Each is told once; ones that came and went between two polls are not told.
  func onFrame(_ frame: BroadcastFrame)

  /// The frames cannot be read. Told once until they can be again, or until the reason is another one.
  func onFailure(_ failure: BroadcastBufferContext.Failure)
}

/// The app's end of the frames: polls the mapped frames thirty times a second, although they come at sixty.
///
/// ```swift
/// let context = BroadcastBufferContext(container: container, framePollTimer: DispatchTimer(queue: queue))
/// context.subscribe(self)
/// ```
/// A frame is told once: nothing is repeated when nothing new came, or after the extension died. A new session
/// of the extension is picked up by itself.
public final class BroadcastBufferContext: Sendable {
  /// How often the article's app looks for a frame.
  public static let pollInterval = Duration.seconds(1) / 30

  private let path: String
  private let framePollTimer: any RepeatingTimer
  private let interval: Duration
  private let state = Mutex(State())

  private struct State {
    weak var subscriber: (any BroadcastBufferContextSubscriber)?
    var reader: FrameRingReader?
    var serializer = PixelBufferSerializer()
    var statistics = Statistics()
    var lastFailure: Failure?
  }

  /// A context over the frames of a container; they need not be there yet.
  public init(
    container: AppGroupContainer, framePollTimer: any RepeatingTimer, interval: Duration = pollInterval
  ) {
    path = container.framesFile
    self.framePollTimer = framePollTimer
    self.interval = interval
  }

  deinit { framePollTimer.cancel() }

  /// What came and went so far.
  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// What the extension says of the session whose frames were read last; `nil` before the first.
  public var session: BroadcastSession? {
    state.withLock { state in state.reader.map { BroadcastSession($0) } }
  }

  /// Starts polling and telling `subscriber`. It is held weakly, and it is the only one.
  public func subscribe(_ subscriber: any BroadcastBufferContextSubscriber) {
    state.withLock { $0.subscriber = subscriber }
    framePollTimer.start(every: interval) { [weak self] in self?.poll() }
  }

  /// Stops polling.
  public func unsubscribe() {
    framePollTimer.cancel()
    state.withLock { $0.subscriber = nil }
  }

  /// Looks once, and tells the subscriber of the newest frame when it is a new one.
  public func poll() {
    let (subscriber, news) = state.withLock { state in
      state.statistics.polls += 1
      return (state.subscriber, state.look(at: path))
    }
    switch news {
    case .frame(let frame): subscriber?.onFrame(frame)
    case .failure(let failure): subscriber?.onFailure(failure)
    case .nothing: break
    }
  }
}

extension BroadcastBufferContext {
  /// Why frames cannot be read.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file of frames cannot be used.
    case ring(RingError)
    /// A frame is not a pixel buffer.
    case frame(PixelBufferSerializer.Failure)

    /// One sentence: what is wrong, and the way out.
    public var description: String {
      switch self {
      case .ring(let error): error.description
      case .frame(let error): error.description
      }
    }
  }

  /// Counts of a context's life.
  public struct Statistics: Equatable, Sendable {
    /// Times the context looked for a frame.
    public var polls: UInt64 = 0
    /// Frames told to the subscriber.
    public var framesDelivered: UInt64 = 0
    /// Frames that came and went between two that were told, within a session.
    public var framesSkipped: UInt64 = 0
    /// Frames told although they are not newer than the one before. Counted where it would happen: always 0.
    public var framesRepeated: UInt64 = 0
    /// Reads thrown away because the extension overtook them.
    public var readsOvertaken: UInt64 = 0
    /// The last frame told: its session and its number.
    var last: (session: UInt64, number: UInt64)?

    mutating func count(_ frame: BroadcastFrame) {
      framesDelivered += 1
      if let last, last.session == frame.session {
        if frame.number > last.number {
          framesSkipped += frame.number - last.number - 1
        } else {
          framesRepeated += 1
        }
      }
      last = (frame.session, frame.number)
    }

    public static func == (one: Statistics, other: Statistics) -> Bool {
      one.polls == other.polls && one.framesDelivered == other.framesDelivered
        && one.framesSkipped == other.framesSkipped && one.framesRepeated == other.framesRepeated
        && one.readsOvertaken == other.readsOvertaken
    }
  }

  private enum News {
    case frame(BroadcastFrame)
    case failure(Failure)
    case nothing
  }
}

extension BroadcastBufferContext.State {
  /// One look: a new frame, a new failure, or nothing.
  fileprivate mutating func look(at path: String) -> BroadcastBufferContext.News {
    do throws(BroadcastBufferContext.Failure) {
      guard let frame = try nextFrame(at: path) else { return .nothing }
      lastFailure = nil
      statistics.count(frame)
      return .frame(frame)
    } catch {
      reader = nil
      defer { lastFailure = error }
      return lastFailure == error ? .nothing : .failure(error)
    }
  }

  private mutating func nextFrame(at path: String) throws(BroadcastBufferContext.Failure) -> BroadcastFrame? {
    if let reader {
      if let frame = try read(reader) { return frame }
      // Nothing new: perhaps the session goes on, or another began, in a new file of the same name.
      do throws(RingError) {
        if try reader.isCurrent() { return nil }
      } catch { throw .ring(error) }
    }
    let previous = reader
    reader = nil
    do throws(RingError) {
      let reader = try FrameRingReader(path: path)
      if let previous, previous.session == reader.session { reader.skip(through: previous.lastNumber) }
      self.reader = reader
      return try read(reader)
    } catch let error as RingError {
      if case .storage(let storage) = error, storage.isMissing {
        reader = previous
        return nil
      }
      throw .ring(error)
    }
  }

  private mutating func read(
    _ reader: FrameRingReader
  ) throws(BroadcastBufferContext.Failure) -> BroadcastFrame? {
    let overtaken = reader.overtaken
    defer { statistics.readsOvertaken += reader.overtaken - overtaken }
    do throws(FrameRingReader.ReadError<PixelBufferSerializer.Failure>) {
      return try reader.next { stamp, payload throws(PixelBufferSerializer.Failure) in
        BroadcastFrame(
          pixelBuffer: try serializer.deserialize(payload),
          orientation: CGImagePropertyOrientation(rawValue: stamp.orientation) ?? .up,
          captureTime: stamp.captureTime, publishTime: stamp.publishTime, number: stamp.number,
          session: reader.session.id)
      }
    } catch {
      switch error {
      case .ring(let error): throw .ring(error)
      case .body(let error): throw .frame(error)
      }
    }
  }
}
