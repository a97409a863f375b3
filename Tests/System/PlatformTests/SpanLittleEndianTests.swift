import Testing

@testable import Platform

@Suite struct SpanLittleEndianTests {
  @Test func numbersAreLittleEndianAndSigned() {
    var bytes = [UInt8](repeating: 0xAA, count: 16)
    var span = bytes.mutableSpan
    span.storeLittleEndian(UInt32(0x0102_0304), at: 1)
    span.storeLittleEndian(Int64.min + 1, at: 8)
    #expect(bytes == [0xAA, 4, 3, 2, 1, 0xAA, 0xAA, 0xAA, 1, 0, 0, 0, 0, 0, 0, 0x80])
    #expect(bytes.span.loadLittleEndian(at: 1, as: UInt32.self) == 0x0102_0304)
    #expect(bytes.span.loadLittleEndian(at: 8, as: Int64.self) == Int64.min + 1)
    #expect(bytes.span.loadLittleEndian(at: 0, as: Int8.self) == Int8(bitPattern: 0xAA))
  }

  @Test func aTextThatFitsTravelsAndOneThatDoesNotIsCutAtAWholeCharacter() {
    for (text, expected) in [("", ""), ("abcdef", "abcdef"), ("abcdefg", "abcdef"), ("abcdeé", "abcde")] {
      var bytes = [UInt8](repeating: 0xFF, count: 12)
      var span = bytes.mutableSpan
      span.storeText(text, at: 2, capacity: 8)
      #expect(bytes.span.loadText(at: 2, capacity: 8) == expected)
      #expect(bytes[0...1] == [0xFF, 0xFF] && bytes[10...11] == [0xFF, 0xFF])
    }
  }
}
