import CoreMedia
import Dispatch
import Glibc
import Platform
import ReplayKitCore
import Synchronization

/// Records the calls of a handler in a file.
///
/// Recording costs the handler's queue microseconds. Another queue writes the calls to the file within a second, as
/// complete lines.
package final class TraceRecorder: Sendable {
  private let clock: any MonotonicClock
  private let path: String
  private let file: FileDescriptor
  private let queue = DispatchQueue(label: "broadcast.trace")
  private let state = Mutex(State())

  private struct State {
    var lastArrival: Int64 = 0
    var unwritten: [TraceLine] = []
    var hasEnded = false
    var failure: FileError?
  }

  /// Creates the recorder.
  ///
  /// - Parameter path: the file. An existing file is replaced.
  package init(clock: any MonotonicClock, path: String) throws(FileError) {
    self.clock = clock
    self.path = path
    file = try System.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
  }

  /// The memory of the unwritten calls, in bytes.
  package var byteCount: Int {
    state.withLock { $0.unwritten.capacity * MemoryLayout<TraceLine>.stride }
  }

  /// Records a call that begins now, or began at `time`. Calls that another thread makes after the end are skipped.
  func note(_ call: TraceLine.Call, at time: MonotonicTime? = nil) {
    let arrival = Int64(clamping: (time ?? clock.now).nanoseconds)
    let isFirst = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.hasEnded = call.isEnd
      // Two threads may have read the clock in reverse order.
      state.lastArrival = max(arrival, state.lastArrival)
      state.unwritten.append(TraceLine(arrival: state.lastArrival, call: call))
      return state.unwritten.count == 1
    }
    if isFirst { queue.asyncAfter(deadline: .now() + 1) { [self] in write() } }
  }

  func note(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
    if let call = TraceLine.Call(sample, type) { note(call) }
  }

  /// Writes the remaining calls. Throws if any call could not be written.
  package func finish() throws(FileError) {
    queue.sync { write() }
    if let failure = state.withLock(\.failure) { throw failure }
  }

  /// Writes the recorded calls; runs on the queue.
  private func write() {
    let lines = state.withLock { state in
      defer { state.unwritten = [] }
      return state.unwritten
    }
    do throws(FileError) {
      try System.writeStream(lines.flatMap { Array("\($0)\n".utf8) }, to: file.rawValue)
    } catch {
      state.withLock { $0.failure = $0.failure ?? FileError(error.reason, path) }
    }
  }
}
