import Foundation
import ScreenBroadcast
import WorkerSupport

/// The worker that writes other keys into the app group's defaults, and checks that no update is lost.
struct KeyWorker: Codable, Sendable {
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
      guard var pattern = KeyPattern(try KeyPattern.values(in: container)) else {
        return parent.report(.broken("the key \(KeyPattern.constant) is lost"))
      }
      // No other process writes these keys.
      if let expected, expected != pattern.values {
        return parent.report(
          .broken("an update of other keys is lost: \(pattern.values), not \(expected)"))
      }
      let (index, value) = pattern.next
      if let path = try defaults.set(value, forKey: KeyPattern.keys[index]) {
        return parent.report(.broken("the defaults were damaged, and moved to \(path)"))
      }
      if expected == nil { parent.report(.ready) }
      pattern.values[index] = value
      expected = pattern.values
      // Without a pause the two writers would mostly wait for the lock.
      usleep(useconds_t.random(in: 0...100, using: &random))
    }
  }
}
