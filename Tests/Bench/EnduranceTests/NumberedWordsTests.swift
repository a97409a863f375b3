import Testing

@testable import endurance

@Suite struct NumberedWordsTests {
  @Test(arguments: [1, 2, 255, 256, 65_537, 1 << 40] as [UInt64])
  func aFrameBelongsToItsNumberAndToNoOther(number: UInt64) {
    let count = NumberedWords.byteCount(of: number)
    #expect((NumberedWords.shortest...NumberedWords.capacity).contains(count) && count % 8 == 0)
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    NumberedWords.write(number, into: &span)
    #expect(NumberedWords.fault(in: bytes.span, number: number) == nil)
    #expect(NumberedWords.fault(in: bytes.span, number: number + 3) != nil)
    #expect(NumberedWords.fault(in: bytes.span.extracting(0..<(count - 8)), number: number) != nil)
    for index in [0, count / 2, count - 1] {
      bytes[index] ^= 1
      #expect(NumberedWords.fault(in: bytes.span, number: number) != nil)
      bytes[index] ^= 1
    }
  }

  @Test func wordsOfAnotherFrameAreDetectedAtTheSameLength() throws {
    let other = try #require(
      (2...500).first { NumberedWords.byteCount(of: $0) == NumberedWords.byteCount(of: 1) })
    var bytes = [UInt8](repeating: 0, count: NumberedWords.byteCount(of: 1))
    var span = bytes.mutableSpan
    NumberedWords.write(other, into: &span)
    #expect(NumberedWords.fault(in: bytes.span, number: 1) == "frame 1 contains words of another frame")
  }
}
