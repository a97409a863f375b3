import Platform

/// When the ticks of a timer are due: the n-th at `start + n × interval`, whatever happened to the ones before.
///
/// A late tick does not shift later ones. Of the ticks that become due while one runs, the newest runs at once, as
/// ReplayKit delivers when a slow handler returns; the others are skipped and counted.
public struct TickSchedule: Sendable {
  /// The number of ticks that ran.
  public private(set) var fired: UInt64 = 0
  /// The number of ticks that were skipped, because a newer one was due when the one before them ended.
  public private(set) var missed: UInt64 = 0
  /// The number of ticks that ran more than half an interval after they were due.
  public private(set) var late: UInt64 = 0
  /// From the start to the beginning of the last tick.
  public private(set) var span = Duration.zero
  private let start: MonotonicTime
  private let interval: Double
  private var index: UInt64 = 1

  /// A schedule that starts at `start` and ticks every `interval`, at least 1 ns.
  public init(start: MonotonicTime, interval: Duration) {
    self.start = start
    self.interval = max(1, interval / .nanoseconds(1))
  }

  /// When the next tick is due.
  public var deadline: MonotonicTime { time(of: index) }

  /// Counts the tick that was due, which begins at `now`.
  public mutating func begin(at now: MonotonicTime) {
    fired += 1
    span = max(now, start) - start
    if Double(now.nanoseconds(since: deadline)) > interval / 2 { late += 1 }
  }

  /// Moves to the tick after the one that ends at `now`: the newest that is due already, else the next.
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
