import CoreMedia
import Dispatch
import Glibc
import Platform
import ReplayKitCore
import Synchronization

/// Records the calls that a handler gets: in a file, in memory, or both.
///
/// A call costs the handler's queue microseconds; another queue writes it to the file within a second, in whole lines.
package final class TraceRecorder: Sendable {
  private let clock: any MonotonicClock
  private let path: String?
  private let file: FileDescriptor?
  private let keepsLines: Bool
  private let queue = DispatchQueue(label: "broadcast.trace")
  private let state = Mutex(State())

  private struct State {
    var kept: [TraceLine] = []
    var lastArrival: Int64 = 0
    var unwritten: [TraceLine] = []
    var hasEnded = false
    var failure: FileError?
  }

  /// - Parameters:
  ///   - path: the file, which is replaced; `nil` for none.
  ///   - keepsLines: whether ``finish()`` returns the calls.
  package init(clock: any MonotonicClock, path: String?, keepsLines: Bool) throws(FileError) {
    (self.clock, self.path, self.keepsLines) = (clock, path, keepsLines)
    file =
      if let path { try System.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644) } else { nil }
  }

  /// The memory of the calls, in bytes.
  package var byteCount: Int {
    state.withLock { ($0.kept.capacity + $0.unwritten.capacity) * MemoryLayout<TraceLine>.stride }
  }

  /// Records a call that begins now, or began at `time`. A call that another thread makes after the end is left out.
  func note(_ call: TraceLine.Call, at time: MonotonicTime? = nil) {
    let arrival = Int64(clamping: (time ?? clock.now).nanoseconds)
    let isFirst = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.hasEnded = call.isEnd
      // Two threads may have read the clock in the other order.
      state.lastArrival = max(arrival, state.lastArrival)
      let line = TraceLine(arrival: state.lastArrival, call: call)
      if keepsLines { state.kept.append(line) }
      guard path != nil else { return false }
      state.unwritten.append(line)
      return state.unwritten.count == 1
    }
    if isFirst { queue.asyncAfter(deadline: .now() + 1) { [self] in write() } }
  }

  /// Records the call with a sample.
  /// - Parameter orientation: that of a frame without ReplayKit's attachment.
  package func note(
    _ sample: CMSampleBuffer, _ type: RPSampleBufferType, orientation: CGImagePropertyOrientation? = nil
  ) {
    if let call = TraceLine.Call(sample, type, orientation: orientation) { note(call) }
  }

  /// Writes what is left, and returns the calls if they were kept. Throws when a part could not be written.
  package func finish() throws(FileError) -> [TraceLine] {
    queue.sync { write() }
    let (lines, failure) = state.withLock { ($0.kept, $0.failure) }
    if let failure { throw failure }
    return lines
  }

  /// On the queue.
  private func write() {
    let lines = state.withLock { state in
      defer { state.unwritten = [] }
      return state.unwritten
    }
    do throws(FileError) {
      switch file {
      case .some(let file):
        try System.writeStream(lines.flatMap { Array("\($0)\n".utf8) }, to: file.rawValue)
      case nil: break
      }
    } catch {
      state.withLock { $0.failure = $0.failure ?? FileError(error.reason, path ?? "") }
    }
  }
}
