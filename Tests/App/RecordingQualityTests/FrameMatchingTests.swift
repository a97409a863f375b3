import Testing

@testable import RecordingQuality

@Suite struct FrameMatchingTests {
  @Test func framesAreMatchedByTheirNumbersIfBothRecordingsHaveNumbers() {
    let matching = FrameMatching(reference: [10, 11, 12, 13, 14], decoded: [10, 12, 12, 13])
    #expect(matching.basis == .number)
    #expect(matching.references == [0, 2, 2, 3])
    #expect(matching.missing == 2 && matching.repeated == 1 && matching.outOfOrder == 0)
    #expect(matching.maxRepeated == 2 && matching.maxSkipped == 1)
  }

  @Test func framesWithoutNumbersAreMatchedByTheirOrder() {
    let matching = FrameMatching(reference: [1, 2, 3], decoded: [nil, nil])
    #expect(matching.basis == .order)
    #expect(matching.references == [0, 1] && matching.missing == 1 && matching.notInReference == 0)
    let longer = FrameMatching(reference: [nil], decoded: [1, 2])
    #expect(longer.references == [0, nil] && longer.notInReference == 1 && longer.missing == 0)
  }

  @Test func aLateFrameIsCountedAndNotCompared() {
    let matching = FrameMatching(reference: [1, 2, 3, 4], decoded: [1, 3, 2, 4])
    #expect(matching.references == [0, 2, nil, 3])
    #expect(matching.outOfOrder == 1 && matching.missing == 0 && matching.repeated == 0)
  }

  @Test func aFrameWithoutItsNumberIsNotCompared() {
    let matching = FrameMatching(reference: [1, 2, 3], decoded: [nil, 2, 9])
    #expect(matching.references == [nil, 1, nil])
    #expect(matching.unread == 1 && matching.notInReference == 1 && matching.missing == 2)
  }

  @Test func aNumberThatTheReferenceRepeatsIsNotRepeated() {
    let matching = FrameMatching(reference: [1, 1, 2], decoded: [1, 1, 1, 2])
    #expect(matching.references == [0, 1, 1, 2] && matching.repeated == 1)
  }

  @Test func numbersThatBeginAgainAreMatchedInTheNextBroadcast() {
    let matching = FrameMatching(reference: [1, 2, 3, 1, 2, 3], decoded: [1, 2, 3, 1, 3])
    #expect(matching.references == [0, 1, 2, 3, 5] && matching.missing == 1 && matching.outOfOrder == 0)
  }
}
