import Testing

@testable import endurance

@Suite struct KeyLadderTests {
  private func ladder(_ rungs: [Bool]) -> KeyLadder? {
    var values = Dictionary(uniqueKeysWithValues: zip(KeyLadder.keys, rungs))
    values[KeyLadder.constant] = true
    return KeyLadder(values)
  }

  @Test func itIsWholeAfterEveryWriteOfTwoTurns() throws {
    var ladder = try #require(self.ladder([]))
    var seen: Set<[Bool]> = []
    for _ in 0..<(2 * KeyLadder.keys.count) {
      #expect(ladder.isWhole)
      seen.insert(ladder.rungs)
      ladder.rungs[ladder.next.index] = ladder.next.value
    }
    #expect(seen.count == 2 * KeyLadder.keys.count)
    #expect(ladder.rungs == Array(repeating: false, count: KeyLadder.keys.count))
  }

  @Test func aLostUpdateLeavesAHole() throws {
    #expect(try #require(ladder([true, false, true, false, false, false])).isWhole == false)
  }

  @Test func withoutItsConstantItIsNone() {
    #expect(KeyLadder([KeyLadder.keys[0]: true]) == nil)
    #expect(KeyLadder([KeyLadder.constant: false]) == nil)
  }
}
