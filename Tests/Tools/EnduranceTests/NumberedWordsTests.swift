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
    #expect(belong(bytes, 0..<count, to: number))
    #expect(!belong(bytes, 0..<count, to: number + 3))
    bytes[count - 8] ^= 1
    #expect(!belong(bytes, 0..<count, to: number))
    #expect(belong(bytes, 0..<(count - 8), to: number))
  }

  private func belong(_ bytes: [UInt8], _ range: Range<Int>, to number: UInt64) -> Bool {
    NumberedWords.belong(bytes.span, range, to: number)
  }

  @Test func lengthsChangeFromFrameToFrame() {
    #expect(Set((1...200).map { NumberedWords.byteCount(of: $0) }).count > 60)
  }
}
