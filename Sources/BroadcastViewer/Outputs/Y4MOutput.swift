import CommandLineSupport
import CoreVideo
import Dispatch
import Foundation
import PictureFormats
import PixelAccess
import Synchronization
import WebRTC

/// Writes the frames as a Y4M stream into a file or a pipe, upright.
///
/// A stream has one size: that of its first frame. Later frames of another size are put into it with bars. It is
/// written on a queue of its own: a reader that is slow costs frames, which are counted, and holds nothing up.
public final class Y4MOutput: VideoOutput {
  private let descriptor: Int32
  private let name: String
  private let framesPerSecond: Double
  private let queue = DispatchQueue(label: "y4m")
  private let shared = Shared()
  private var turner = PictureTurner()
  private var letterbox = Letterbox()
  private var size: (width: Int, height: Int)?

  /// The most frames that wait to be written.
  private static let backlog = 8

  /// What the main actor and the writing queue both use.
  private final class Shared: Sendable {
    struct State {
      var writer: Y4MWriter?
      var waiting = 0
      var failure: ProgramFailure?
      var dropped: UInt64 = 0
    }
    let state = Mutex(State())
  }

  /// An output into the file at `path`, or to standard output for `-`. The stream states `framesPerSecond`.
  public init(path: String, framesPerSecond: Double) throws(ProgramFailure) {
    self.framesPerSecond = framesPerSecond
    guard path != "-" else {
      descriptor = STDOUT_FILENO
      name = "standard output"
      return
    }
    name = path
    // UNSAFE: the path is lent to the call as a C string.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let code = errno
      throw ProgramFailure(
        errno: code, "\(path) cannot be written (\(Self.text(code))); name a file that can, or - for standard output.")
    }
  }

  /// Why writing stopped, once it has.
  public var failure: ProgramFailure? { shared.state.withLock { $0.failure } }

  /// Frames that were not written because too many were waiting already.
  public var framesDropped: UInt64 { shared.state.withLock { $0.dropped } }

  /// Hands the frame to the writing queue.
  public func show(_ frame: RTCVideoFrame) {
    guard let pixelBuffer = frame.pixelBuffer, reserve() else { return }
    let picture: CVPixelBuffer
    do throws(PixelBufferError) {
      let upright = try turner.turn(pixelBuffer, by: PictureRotation(frame.rotation))
      let size = size ?? (CVPixelBufferGetWidth(upright), CVPixelBufferGetHeight(upright))
      self.size = size
      picture = try letterbox.place(upright, into: size)
    } catch {
      return fail(ProgramFailure(.internalError, "\(error)."))
    }
    queue.async { [shared, descriptor, name, framesPerSecond] in
      Self.write(picture, shared: shared, descriptor: descriptor, name: name, framesPerSecond: framesPerSecond)
    }
  }

  /// Waits until the frames under way are written; five seconds at the most, for a reader that stands still.
  public func finish() throws(ProgramFailure) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    if done.wait(timeout: .now() + 5) == .timedOut {
      throw ProgramFailure(.inputOutput, "The reader of \(name) takes no more frames; the stream is cut short.")
    }
    if descriptor != STDOUT_FILENO, close(descriptor) != 0 { fail(Self.failure(errno, name: name)) }
    if let failure { throw failure }
  }

  private func reserve() -> Bool {
    shared.state.withLock { state in
      guard state.failure == nil else { return false }
      guard state.waiting < Self.backlog else {
        state.dropped += 1
        return false
      }
      state.waiting += 1
      return true
    }
  }

  private func fail(_ failure: ProgramFailure) {
    shared.state.withLock { if $0.failure == nil { $0.failure = failure } }
  }

  private nonisolated static func write(
    _ picture: CVPixelBuffer, shared: Shared, descriptor: Int32, name: String, framesPerSecond: Double
  ) {
    // The queue is serial: only it takes the writer, so it is used outside of the lock.
    let failure: ProgramFailure? = {
      do {
        let writer = try WriterBox.writer(of: picture, shared: shared)
        return nil
      }
    }()
  }
}
