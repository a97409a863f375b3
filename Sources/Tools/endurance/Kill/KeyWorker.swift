import Foundation
import ScreenBroadcast

/// The worker that writes other keys into the app group's defaults, and sees to it that none of them is lost.
struct KeyWorker: Codable, Sendable {
  /// The root of the container.
  var root: String
  /// The app group.
  var group: String
  /// What the pauses between two writes follow from.
  var seed: UInt64

  /// Writes until the parent has enough.
  func run(for parent: ParentProcess) throws {
    let container = try AppGroupContainer(root: root, group: group)
    let defaults = KeyValueFile(container: container)
    var random = SeededGenerator(seed: seed, stream: 7)
    var expected: [Bool]?
    while parent.wantsMore {
      guard var ladder = KeyLadder(try KeyLadder.values(in: container)) else {
        return parent.tell(.broken("the key \(KeyLadder.constant) is lost"))
      }
      // Nobody else writes these keys, so they are as they were left.
      if let expected, expected != ladder.rungs {
        return parent.tell(.broken("an update of other keys is lost: \(ladder.rungs), not \(expected)"))
      }
      let (index, value) = ladder.next
      if let path = try defaults.set(value, forKey: KeyLadder.keys[index]) {
        return parent.tell(.broken("the defaults were damaged, and moved to \(path)"))
      }
      if expected == nil { parent.tell(.ready) }
      ladder.rungs[index] = value
      expected = ladder.rungs
      // Flat out, two writers would fight for the lock and for nothing else.
      usleep(useconds_t.random(in: 0...100, using: &random))
    }
  }
}
