import CommandLineSupport
import Platform
import ScreenBroadcast

/// The measurements that the live page plots in addition to the rates of the event `stats`. Times are in milliseconds.
package struct MeasuresEvent: JSONEvent {
  package static let event = "measures"
  package var ageMsMedian: Double?
  package var ageMsP99: Double?
  package var intervalMsMedian: Double?
  package var intervalMsMax: Double?
  package var framesRepeated: UInt64
  package var framesDropped: UInt64
  /// The app's written memory, measured every five seconds; `nil` if the system does not report it.
  package var appMemoryBytes: UInt64?
}

/// Collects the times of frames between two reports.
@MainActor
package struct FrameMeasures {
  package weak var provider: (any WatchedProvider)?
  /// Measures the written memory of this process. The more memory is mapped, the longer the kernel takes.
  private let memory: () -> UInt64?
  private var measured: (memory: UInt64?, count: Int) = (nil, 0)
  private var ages: [Double] = []
  private var intervals: [Double] = []
  private var lastReceived: MonotonicTime?

  /// The frames of five seconds at the highest rate. Reports are never further apart while a watch runs.
  private static let capacity = 1200

  package init(memory: @escaping () -> UInt64? = ownMemory) { self.memory = memory }

  /// The written memory of this process in bytes; `nil` if the system does not report it.
  package nonisolated static func ownMemory() -> UInt64? {
    do throws(FileError) { return try ProcessMemory.measure().anonymous } catch { return nil }
  }

  package mutating func add(captured: MonotonicTime, received: MonotonicTime) {
    if let lastReceived, intervals.count < Self.capacity {
      intervals.append((received - lastReceived) / .milliseconds(1))
    }
    lastReceived = received
    // The frames of the article's layout have no capture times, so the state has no age.
    let isTimed = provider.map { $0.state.lastAge > .zero } ?? true
    if isTimed, captured > .zero, ages.count < Self.capacity {
      ages.append(max(.zero, received - captured) / .milliseconds(1))
    }
  }

  /// Returns the measurements since the previous call. Call it once a second.
  package mutating func take() -> MeasuresEvent {
    if measured.count.isMultiple(of: 5) { measured.memory = memory() }
    measured.count += 1
    ages.sort()
    intervals.sort()
    defer { (ages, intervals) = ([], []) }
    let state = provider?.state
    return MeasuresEvent(
      ageMsMedian: Self.quantile(0.5, of: ages), ageMsP99: Self.quantile(0.99, of: ages),
      intervalMsMedian: Self.quantile(0.5, of: intervals), intervalMsMax: intervals.last,
      framesRepeated: state.map { $0.frames.framesRepeated + $0.framesShownAgain } ?? 0,
      framesDropped: state?.framesDropped ?? 0,
      appMemoryBytes: measured.memory)
  }

  private static func quantile(_ part: Double, of sorted: [Double]) -> Double? {
    sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
  }
}
