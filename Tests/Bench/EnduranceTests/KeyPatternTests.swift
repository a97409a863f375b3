import Testing
import ToolSupport

@testable import endurance

@Suite struct KeyPatternTests {
  private func pattern(_ keys: [Bool]) throws -> KeyPattern {
    var values = Dictionary(uniqueKeysWithValues: zip(KeyPattern.keys, keys))
    values[KeyPattern.constant] = true
    return try KeyPattern(values)
  }

  @Test func thePatternIsWholeAfterEveryWrite() throws {
    var pattern = try pattern([])
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
    #expect(try pattern([true, false, true, false, false, false]).isWhole == false)
  }

  @Test func aLostConstantKeyIsDetected() {
    for values in [[KeyPattern.keys[0]: true], [KeyPattern.constant: false]] {
      #expect(throws: CheckFailure.self) { try KeyPattern(values) }
    }
  }
}
