import TestSupport

@testable import EmulatedSystem

/// Tests the effects of connection faults on the bytes of one direction. The test passes the times.
@Suite struct FaultyStreamTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private func time(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

  private func stream(_ faults: String..., connection: UInt64 = 1) throws -> FaultyStream {
    var stream = FaultyStream(.upstream, ofConnection: connection)
    stream.setFaults(try faults.map { try SocketFault(text: $0) }, at: start)
    return stream
  }

  /// Removes all pieces, and returns each with its due time in milliseconds.
  private func pieces(_ stream: inout FaultyStream) -> [(milliseconds: Double, bytes: [UInt8])] {
    var pieces: [(Double, [UInt8])] = []
    while stream.byteCount > 0, let next = stream.nextTime {
      let bytes = Array(stream.due(at: next))
      pieces.append(((next - start) / .milliseconds(1), bytes))
      stream.remove(bytes.count)
    }
    return pieces
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  @Test func withoutAFaultBytesAreDueAtOnce() throws {
    var stream = try stream()
    stream.take(bytes(10), at: time(5))
    let all = pieces(&stream)
    #expect((all.map(\.milliseconds), all.map(\.bytes)) == ([5], [bytes(10)]))
    #expect(stream.room(at: time(5)) > 0)
    #expect(!stream.hasEnded(at: time(1_000_000)))
  }

  @Test func latencyDelaysEachPieceAsMuch() throws {
    var stream = try stream("latency,latency=300")
    for index in 0..<3 { stream.take([UInt8(index)], at: time(40 * index)) }
    #expect(stream.due(at: time(299)).isEmpty)
    #expect(pieces(&stream).map(\.milliseconds) == [300, 340, 380])
  }

  @Test func jitterKeepsTheOrderAndItsBoundsAndIsThatOfItsSeed() throws {
    func delays(_ seed: Int, connection: UInt64 = 1) throws -> [Double] {
      var stream = try stream("latency,latency=100,jitter=50,seed=\(seed)", connection: connection)
      for index in 0..<50 { stream.take([UInt8(index)], at: time(200 * index)) }
      let all = pieces(&stream)
      #expect(all.map(\.bytes) == (0..<50).map { [UInt8($0)] })
      return all.enumerated().map { $1.milliseconds - Double(200 * $0) }
    }
    let first = try delays(7)
    #expect(first.allSatisfy { (50...150).contains($0) })
    #expect(Set(first).count > 10)
    #expect(try delays(7) == first && delays(8) != first && delays(7, connection: 2) != first)
    // Jitter does not reorder pieces that follow closely.
    var close = try stream("latency,latency=100,jitter=100")
    for index in 0..<50 { close.take([UInt8(index)], at: time(index)) }
    #expect(pieces(&close).map(\.bytes) == (0..<50).map { [UInt8($0)] })
  }

  @Test func bandwidthGivesEachByteItsTimeAndTakesNoMoreThanTheLineHolds() throws {
    var stream = try stream("bandwidth,rate=10")
    #expect(stream.room(at: start) == 1000)
    stream.take(bytes(1000), at: start)
    stream.take(bytes(500), at: start)
    #expect((stream.room(at: start), stream.room(at: time(60))) == (0, 1000))
    #expect(pieces(&stream).map(\.milliseconds) == [100, 150])
  }

  @Test func theRateHoldsForAllSizesOfPieces() throws {
    var stream = try stream("bandwidth,rate=100", "slicer,average_size=70,size_variation=30")
    stream.take(bytes(30_000), at: start)
    let all = pieces(&stream)
    #expect(all.flatMap(\.bytes) == bytes(30_000))
    #expect(abs(try #require(all.last).milliseconds - 300) < 0.1)
  }

  @Test func theSlicerCutsAtTheSamePlacesHoweverTheBytesCome() throws {
    func cuts(_ portions: [Int]) throws -> Set<Int> {
      var stream = try stream("slicer,average_size=100,size_variation=40,delay=2000,seed=3")
      for count in portions { stream.take(bytes(count), at: start) }
      var (cuts, offset) = (Set<Int>(), 0)
      for piece in pieces(&stream) {
        offset += piece.bytes.count
        cuts.insert(offset)
      }
      #expect(offset == 2000)
      return cuts
    }
    let whole = try cuts([2000])
    let sizes = zip(whole.sorted().dropFirst(), whole.sorted()).map(-).dropLast()
    #expect(sizes.allSatisfy { (60...140).contains($0) })
    #expect(Set(sizes).count > 3)
    #expect(try cuts([730, 1, 1269]).isSuperset(of: whole))
  }

  @Test func theSlicerSeparatesItsSlicesByADelay() throws {
    var stream = try stream("slicer,average_size=10,delay=2000")
    stream.take(bytes(30), at: start)
    #expect(pieces(&stream).map(\.milliseconds) == [0, 2, 4])
  }

  @Test func limitDataDeliversItsBytesAndThenEnds() throws {
    var stream = try stream("limit_data,bytes=25", "latency,latency=10")
    stream.take(bytes(20), at: start)
    #expect(stream.ending == nil)
    stream.take(bytes(20), at: time(5))
    #expect(stream.room(at: time(5)) == 0)
    #expect(!stream.hasEnded(at: time(100)))
    #expect(pieces(&stream).flatMap(\.bytes) == bytes(20) + bytes(5))
    #expect(stream.hasEnded(at: time(100)))
    #expect(stream.ending == .limitData)
  }

  @Test func timeoutDropsTheBytesAndEndsAfterItsTime() throws {
    var stream = try stream("timeout,timeout=500")
    stream.take(bytes(20), at: start)
    #expect((stream.byteCount, stream.nextTime) == (0, time(500)))
    #expect([499, 500].map { stream.hasEnded(at: time($0)) } == [false, true] && stream.ending == .timeout)
  }

  @Test func aTimeoutWithoutTimeEndsWhenItIsRemovedAfterALoss() throws {
    var stream = try stream("timeout")
    #expect(stream.nextTime == nil)
    stream.take([1], at: start)
    #expect(!stream.hasEnded(at: time(100_000)))
    stream.setFaults([], at: time(100_000))
    #expect(stream.hasEnded(at: time(100_000)))
    var lossless = try self.stream("timeout,timeout=500")
    lossless.setFaults([], at: time(100))
    #expect(!lossless.hasEnded(at: time(1000)))
  }

  @Test func aResetFollowsTheFirstBytes() throws {
    var stream = try stream("reset_peer,timeout=200")
    #expect(stream.resets)
    #expect(stream.room(at: start) > 0)
    #expect(!stream.hasEnded(at: time(10_000)))
    stream.startReset(at: time(10_000))
    #expect(stream.room(at: time(10_000)) == 0)
    stream.startReset(at: time(10_100))
    #expect([10_199, 10_200].map { stream.hasEnded(at: time($0)) } == [false, true])
    #expect(stream.ending == .resetPeer)
  }

  @Test func bytesOnTheirWayAreDueWhenTheFaultsAreRemoved() throws {
    var stream = try stream("latency,latency=60000")
    stream.take(bytes(3), at: start)
    stream.take(bytes(2), at: start)
    stream.setFaults([], at: time(10))
    stream.take([9], at: time(10))
    let all = pieces(&stream)
    #expect((all.map(\.milliseconds), all.flatMap(\.bytes)) == ([10, 10, 10], [0, 1, 2, 0, 1, 9]))
  }

  @Test func aFaultThatStaysContinues() throws {
    let limit = try SocketFault(text: "limit_data,bytes=10")
    var stream = FaultyStream(.upstream, ofConnection: 1)
    stream.setFaults([limit], at: start)
    stream.take(bytes(6), at: start)
    stream.setFaults([limit, try SocketFault(text: "latency,latency=5")], at: start)
    stream.take(bytes(6), at: start)
    #expect(pieces(&stream).flatMap(\.bytes).count == 10)
  }

  @Test func toxicityIsTheShareOfTheConnectionsAndThatOfItsSeed() throws {
    func affected(_ seed: Int) throws -> [UInt64] {
      try (1...400).filter {
        try !stream("reset_peer,toxicity=0.25,seed=\(seed)", connection: $0).faults.isEmpty
      }
    }
    let first = try affected(1)
    #expect((60...140).contains(first.count))
    #expect(try affected(1) == first && affected(2) != first)
    let isFaulty = try ["toxicity=0", "stream=downstream", "stream=upstream"].map {
      try !stream("reset_peer,\($0)").faults.isEmpty
    }
    #expect(isFaulty == [false, false, true])
  }

  @Test func aFullLineTakesNoMore() throws {
    var stream = try stream("latency,latency=60000")
    while stream.room(at: start) > 0 {
      stream.take([UInt8](repeating: 0, count: stream.room(at: start)), at: start)
    }
    #expect((FaultyStream.capacity..<FaultyStream.capacity + 65_536).contains(stream.byteCount))
  }
}
