import CommandLineSupport

/// When a run of `torn` is over, and what it judges.
struct TornGoals: Equatable, Sendable {
  /// The size of the pictures; `nil` for frames of a few words.
  var size: Size?
  /// Frames to judge; `nil` for no limit.
  var checks: Int?
  /// The longest time; `nil` for no limit.
  var time: Duration?
  /// Reader processes.
  var readers: Int
}
