import Platform

/// The due times of a timer's ticks. The n-th tick is due at `start + n × interval`, regardless of earlier ticks.
///
/// A late tick does not delay later ones. If ticks become due while one runs, the newest one runs immediately afterwards and the
/// others are skipped and counted. ReplayKit delivers frames in the same way when a slow handler returns.
public struct TickSchedule: Sendable {
  /// The number of ticks that ran.
  public private(set) var fired: UInt64 = 0
  /// The number of skipped ticks: a newer tick was due by the time they could have run.
  public private(set) var missed: UInt64 = 0
  /// The number of ticks that ran more than half an interval late.
  public private(set) var late: UInt64 = 0
  /// The time from the start to the beginning of the last tick.
  public private(set) var span = Duration.zero
  private let start: MonotonicTime
  private let interval: Double
  private var index: UInt64 = 1

  /// Creates a schedule that starts at `start` and ticks every `interval` (at least 1 ns).
  public init(start: MonotonicTime, interval: Duration) {
    self.start = start
    self.interval = max(1, interval / .nanoseconds(1))
  }

  /// The time at which the next tick is due.
  public var deadline: MonotonicTime { time(of: index) }

  /// Counts the due tick, beginning at `now`.
  public mutating func begin(at now: MonotonicTime) {
    fired += 1
    span = max(now, start) - start
    if Double(now.nanoseconds(since: deadline)) > interval / 2 { late += 1 }
  }

  /// Advances from the tick that ends at `now` to the newest tick that is already due, or otherwise to the next tick.
  public mutating func end(at now: MonotonicTime) {
    index += 1
    guard now >= time(of: index) else { return }
    let newest = UInt64((Double(now.nanoseconds(since: start)) / interval).rounded(.down))
    if newest > index {
      missed += newest - index
      index = newest
    }
  }

  private func time(of index: UInt64) -> MonotonicTime {
    MonotonicTime(nanoseconds: start.nanoseconds + UInt64((Double(index) * interval).rounded()))
  }
}
