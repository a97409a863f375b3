import Foundation
import ScreenBroadcast
import WorkerSupport

/// The worker that writes other keys into the app group's defaults, and checks that no update is lost.
struct KeyWorker: Worker {
  /// The root of the container.
  var root: String
  var group: String
  /// The seed of the pauses between two writes.
  var seed: UInt64

  func run(for parent: ParentProcess) throws {
    let container = try AppGroupContainer(root: root, group: group)
    let defaults = KeyValueFile(container: container)
    var random = SeededGenerator(seed: seed, stream: 7)
    var expected: [Bool]?
    while parent.wantsMore {
      var pattern = try KeyPattern(in: container)
      // No other process writes these keys.
      try expect(
        expected == nil || expected == pattern.values,
        "an update of other keys is lost: \(pattern.values), not \(expected ?? [])")
      let (index, value) = pattern.next
      if let path = try defaults.set(value, forKey: KeyPattern.keys[index]) {
        throw CheckFailure("the defaults were damaged, and moved to \(path)")
      }
      if expected == nil { parent.report(.ready) }
      pattern.values[index] = value
      expected = pattern.values
      // Without a pause the two writers would mostly wait for the lock.
      random.sleep(upTo: .microseconds(100))
    }
  }
}
