/// Something that calls a function again and again: the schedule, apart from the step it runs.
public protocol RepeatingTimer: AnyObject, Sendable {
  /// Starts calling `tick` once per `interval`; the first time one interval from now. Replaces an earlier start.
  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void)

  /// Stops calling. A call under way goes on to its end.
  func cancel()

  /// The ticks since the last start; `nil` when the timer does not count them.
  var schedule: TickSchedule? { get }
}

extension RepeatingTimer {
  /// Not counted.
  public var schedule: TickSchedule? { nil }
}
