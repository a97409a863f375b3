import Foundation

/// What a worker tells the process that started it, one JSON object a line on its standard output.
enum WorkerMessage: Codable, Equatable, Sendable {
  /// It has begun its work.
  case ready
  /// What a reader of the ring has judged so far.
  case tally(TornTally)
  /// A frame came from another extension than the one before; its process.
  case frames(from: Int32)
  /// A frame of another extension than before was leased; its process.
  case leased(from: Int32)
  /// The extension of a process was told to have crashed.
  case crash(CrashNotice)
  /// Something promised did not hold.
  case broken(String)
}

/// When a worker noticed a crash.
struct CrashNotice: Codable, Equatable, Sendable {
  /// The process that crashed.
  var pid: Int32
  /// When the look began that noticed it, in monotonic nanoseconds.
  var noticed: UInt64
  /// When the look before that began, which had not noticed it; 0 when there was none.
  var before: UInt64
}
