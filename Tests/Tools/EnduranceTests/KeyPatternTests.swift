import Testing

@testable import endurance

@Suite struct KeyPatternTests {
  private func pattern(_ keys: [Bool]) -> KeyPattern? {
    var values = Dictionary(uniqueKeysWithValues: zip(KeyPattern.keys, keys))
    values[KeyPattern.constant] = true
    return KeyPattern(values)
  }

  @Test func thePatternIsWholeAfterEveryWrite() throws {
    var pattern = try #require(self.pattern([]))
    var seen: Set<[Bool]> = []
    for _ in 0..<(2 * KeyPattern.keys.count) {
      #expect(pattern.isWhole)
      seen.insert(pattern.values)
      pattern.values[pattern.next.index] = pattern.next.value
    }
    #expect(seen.count == 2 * KeyPattern.keys.count)
    #expect(pattern.values == Array(repeating: false, count: KeyPattern.keys.count))
  }

  @Test func aLostUpdateBreaksThePattern() throws {
    #expect(try #require(pattern([true, false, true, false, false, false])).isWhole == false)
  }

  @Test func aLostConstantKeyIsDetected() {
    #expect(KeyPattern([KeyPattern.keys[0]: true]) == nil)
    #expect(KeyPattern([KeyPattern.constant: false]) == nil)
  }
}
