import Foundation
import Platform

/// A message of a worker to its parent process, one JSON object per line.
enum WorkerMessage: Codable, Equatable, Sendable {
  /// The work has begun.
  case ready
  /// What a reader of the ring has checked so far.
  case tally(TornTally)
  /// The first frame of the extension of this process was delivered.
  case frames(from: Int32)
  /// The first frame of the extension of this process was leased.
  case leased(from: Int32)
  case crash(CrashNotice)
  /// A check failed.
  case broken(String)
}

/// The detection of a crash by a worker.
struct CrashNotice: Codable, Equatable, Sendable {
  /// The process that crashed.
  var pid: Int32
  /// The start of the last poll that did not detect the crash, in monotonic nanoseconds; 0 if there was none.
  var before: UInt64
}
