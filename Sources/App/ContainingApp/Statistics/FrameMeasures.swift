import CommandLineSupport
import EmulatedDevice
import Platform
import ScreenBroadcast

/// What a page and a report plot beside the rates of the event `stats`. Times are in milliseconds, memory is in bytes.
package struct MeasuresEvent: JSONEvent {
  package static let event = "measures"
  package var ageMsMedian: Double?
  package var ageMsP99: Double?
  package var intervalMsMedian: Double?
  package var intervalMsMax: Double?
  package var framesRepeated: UInt64
  package var framesDropped: UInt64
  package var appMemory: UInt64?
  package var extensionMemory: UInt64?
  /// The memory in bytes above which the extension is killed.
  package var memoryLimit: UInt64?
  /// The device, for people.
  package var device: String
}

/// Collects the times of frames between two reports.
@MainActor
package struct FrameMeasures {
  package weak var provider: (any WatchedProvider)?
  private let memory: WatchMemory
  private var ages: [Double] = []
  private var intervals: [Double] = []
  private var lastReceived: MonotonicTime?

  /// The frames of five seconds at the highest rate: reports are not later than that while a watch runs.
  private static let capacity = 1200

  package init(memory: WatchMemory) { self.memory = memory }

  package var hasFrames: Bool { !intervals.isEmpty }

  package mutating func add(captured: MonotonicTime, received: MonotonicTime) {
    if let lastReceived, intervals.count < Self.capacity {
      intervals.append((received - lastReceived) / .milliseconds(1))
    }
    lastReceived = received
    // The frames of the article's layout have no capture times, and the state has no age.
    let isTimed = provider.map { $0.state.lastAge > .zero } ?? true
    if isTimed, captured > .zero, ages.count < Self.capacity {
      ages.append(max(.zero, received - captured) / .milliseconds(1))
    }
  }

  /// The measures since the last call.
  package mutating func take(withMemory: Bool) -> MeasuresEvent {
    ages.sort()
    intervals.sort()
    defer { (ages, intervals) = ([], []) }
    let state = provider?.state
    return MeasuresEvent(
      ageMsMedian: Self.quantile(0.5, of: ages), ageMsP99: Self.quantile(0.99, of: ages),
      intervalMsMedian: Self.quantile(0.5, of: intervals), intervalMsMax: intervals.last,
      framesRepeated: state.map { $0.frames.framesRepeated + $0.framesShownAgain } ?? 0,
      framesDropped: state?.framesDropped ?? 0,
      appMemory: withMemory ? memory.app() : nil, extensionMemory: withMemory ? memory.extension : nil,
      memoryLimit: memory.limit, device: "\(memory.device.identity)")
  }

  private static func quantile(_ part: Double, of sorted: [Double]) -> Double? {
    sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
  }
}
