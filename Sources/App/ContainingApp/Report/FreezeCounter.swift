/// Counts freezes by WebRTC's rule: an interval between two frames that is longer than three times the mean of the last 30,
/// and longer than that mean and 150 ms.
package struct FreezeCounter: Equatable, Sendable {
  /// All freezes.
  package private(set) var freezes = 0
  /// The freezes in which no frame was captured either, as on a still screen.
  package private(set) var freezesAtSource = 0
  private var intervals: [Duration] = []

  private static let capacity = 30
  /// The intervals before the first that is judged.
  private static let fewest = 5

  package init() {}

  /// Adds the interval between two frames where they arrived, and the mean interval at which frames were captured in it.
  package mutating func add(arrival: Duration, capture: Duration) {
    if intervals.count >= Self.fewest {
      let mean = intervals.reduce(.zero, +) / intervals.count
      let longest = max(mean * 3, mean + .milliseconds(150))
      if arrival > longest {
        freezes += 1
        if capture > longest { freezesAtSource += 1 }
      }
    }
    intervals.append(arrival)
    if intervals.count > Self.capacity { intervals.removeFirst() }
  }
}
