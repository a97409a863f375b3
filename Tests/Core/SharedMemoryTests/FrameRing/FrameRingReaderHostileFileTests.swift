import TestSupport

@testable import Platform
@testable import SharedMemory

/// Tests files that are not a ring or contradict themselves: the reader reports the fault and never crashes.
@Suite(.busyMachine) struct FrameRingReaderHostileFileTests {
  private typealias Header = RingLayout.Header

  @Test func aHeaderThatContradictsItselfIsDamage() throws {
    let layout = try HostileRing().layout
    let (stride, size) = (UInt64(layout.slotStride), UInt64(layout.byteCount))
    for value in [0, 1, 2, 4, 8, 9, .max, 1 << 31] as [UInt32] {
      try HostileRing.expectDamage("\(value) slots") { $0.set(Header.slotCount, to: value) }
    }
    for (offset, values) in [
      (
        Header.slotStride,
        [0, 1, 64, stride - 1, stride + 1, stride - 4096, stride + 4096, 1 << 28, 1 << 62, .max, 1 << 63]
      ),
      (Header.slotsOffset, [0, 1, 4095, 4097, 8192, 65_536, 131_072, .max, 1 << 63]),
      (Header.fileSize, [0, 1, size - 1, size + 1, size - stride, .max, 1 << 63]),
    ] {
      for value in values {
        try HostileRing.expectDamage("\(value) at \(offset)") { $0.set(offset, to: value) }
      }
    }
  }

  @Test func largerSlotsThanTheFileHasAreDamageEvenWhenTheHeaderAgreesWithItself() throws {
    for (count, stride) in [(8, 4096), (2, 1 << 28), (3, 8192)] as [(UInt32, UInt64)] {
      try HostileRing.expectDamage {
        $0.set(Header.slotCount, to: count)
        $0.set(Header.slotStride, to: stride)
        let size = RingLayout.byteCount(slotCount: Int(count), slotStride: Int(stride))
        $0.set(Header.fileSize, to: UInt64(size))
      }
    }
  }

  @Test func aLongerFileThanTheHeaderSaysIsDamage() throws {
    var ring = try HostileRing()
    ring.bytes += [0]
    #expect(ring.fault() == FileError(.damaged, ring.path))
    ring.bytes.removeLast()
    #expect(ring.fault() == nil)
    setSize(of: ring.path, to: 1 << 40)  // A sparse file of a terabyte.
    #expect(throws: FileError(.damaged, ring.path)) { try FrameRingReader(path: ring.path) }
  }

  @Test func aNewestFrameThatItsSlotDoesNotHoldIsDamage() throws {
    for (number, slot) in [(2, 0), (2, 1), (1, 2), (3, 0), (UInt64.max >> 8, 2)] as [(UInt64, Int)] {
      try HostileRing.expectDamage("frame \(number) in slot \(slot)") {
        $0.set(Header.latest, to: RingLayout.pack(number, slot: slot))
      }
    }
    for counter in [0, 1, 4, 5, 7, 8, .max] as [UInt64] {
      try HostileRing.expectDamage("counter \(counter)") {
        $0.set(Header.sequences + 2 * Header.sequenceStride, to: counter)
      }
    }
  }

  @Test func aSlotWithWrongValuesOfItsFrameIsDamage() throws {
    let slot = try HostileRing().layout.slotOffset(2)
    for number in [0, 1, 3, .max] as [UInt64] {
      try HostileRing.expectDamage { $0.set(slot + RingLayout.Slot.frameNumber, to: number) }
    }
    let capacity = UInt64(RingLayout(slotCount: 3, payloadCapacity: 1000).payloadCapacity)
    for size in [capacity + 1, 1 << 31, 1 << 63, .max] as [UInt64] {
      try HostileRing.expectDamage { $0.set(slot + RingLayout.Slot.payloadSize, to: size) }
    }
    var ring = try HostileRing()
    ring.set(slot + RingLayout.Slot.payloadSize, to: capacity)
    #expect(try ring.read()?.bytes.count == Int(capacity))
  }

  @Test func anUnknownStateOrErrorIsHarmless() throws {
    var ring = try HostileRing()
    for state in [0, 5, .max] as [UInt64] {
      ring.set(Header.state, to: state)
      #expect(ring.fault() == nil)
      #expect(try FrameRingReader(path: ring.path).state == nil)
    }
    ring.set(Header.state, to: RingState.finished.rawValue)
    for index in Header.errorDomain..<Header.byteCount { ring.bytes[index] = 0xFF }
    #expect(ring.fault() == nil)
    let error = try #require(try FrameRingReader(path: ring.path).sessionError)
    #expect(error.domain.unicodeScalars.count == Header.errorDomainCapacity - 2)
    #expect(error.text.unicodeScalars.count == Header.errorTextCapacity - 2)
  }

  @Test func aFileCutAnywhereIsRefused() throws {
    let ring = try HostileRing()
    let whole = ring.bytes.count
    let slots = (0..<HostileRing.slotCount).map(ring.layout.slotOffset)
    let lengths = Set(0..<Header.byteCount).union(
      (slots + [whole]).flatMap { end in
        [-65, -64, -8, -1, 0, 1, 8, 63, 64].map { end + $0 }
      }
    ).filter { (0..<whole).contains($0) }
    for length in lengths {
      var cut = ring
      cut.bytes.removeLast(whole - length)
      let expected: FileError =
        length == 0 || length >= Header.latest ? FileError(.damaged, ring.path) : .notARing(at: ring.path)
      #expect(cut.fault() == expected, "\(length) bytes")
    }
  }

  /// Flips bits of the header, of the newest slot's header, and of the end mark. A field that locates data is checked, so
  /// each flipped bit is detected; any other field may have any value. The short form flips three bits of each byte.
  @Test func everyBitTurnedIsRefusedOrHarmless() throws {
    let good = try HostileRing()
    let frame = try #require(try good.read())
    let (number, slot) = good.newest
    let slotOffset = good.layout.slotOffset(slot)
    let (counter, size) = (
      Header.sequences + slot * Header.sequenceStride, slotOffset + RingLayout.Slot.payloadSize
    )
    let frameNumber = slotOffset + RingLayout.Slot.frameNumber
    let file = try FileHandle(forUpdating: URL(filePath: good.path))

    let endMark = good.bytes.count - RingFile.endMarkByteCount

    func write(_ byte: UInt8, at offset: Int) throws {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: [byte])
    }

    func expect(at offset: Int, turned mask: UInt8) throws {
      try write(good.bytes[offset] ^ mask, at: offset)
      let (found, fault) = good.readResult()
      let place = Comment(rawValue: "bit \(mask.trailingZeroBitCount) of byte \(offset)")
      switch offset {
      case Header.magic..<Header.version: #expect(fault == .notARing(at: good.path), place)
      case Header.version..<Header.slotCount:
        let version = RingLayout.version ^ UInt32(mask) << UInt32((offset - Header.version) * 8)
        #expect(fault == .otherVersion(version, at: good.path), place)
      case Header.latest + 1 where number ^ UInt64(mask) == 0:
        #expect(found == nil && fault == nil, "no frame was published yet")
      case Header.latest where UInt64(mask) == RingLayout.lastWord:
        #expect(fault == nil && found?.bytes == frame.bytes, "it only says that no frame follows")
      case Header.slotCount..<Header.session, Header.latest..<(Header.latest + 8), counter..<(counter + 8),
        frameNumber..<(frameNumber + 8), endMark...:
        #expect(fault == FileError(.damaged, good.path), place)
      case size..<(size + 8):
        #expect(fault == FileError(.damaged, good.path) || found?.bytes.count != frame.bytes.count, place)
      default: #expect(fault == nil && found?.bytes == frame.bytes, place)
      }
      try write(good.bytes[offset], at: offset)
    }

    let parts = [
      0..<Header.byteCount, slotOffset..<(slotOffset + RingLayout.Slot.payload), endMark..<good.bytes.count,
    ]
    let bits = runsLongTests ? Array(0..<8) : [0, 4, 7]
    for offset in parts.joined() {
      for bit in bits { try expect(at: offset, turned: 1 << bit) }
    }
    try file.close()
    #expect(good.readResult().frame == frame)
  }

  @Test func numbersThatLocateNothingMayHaveAnyValue() throws {
    for value in [0, 1 << 63, .max] as [UInt64] {
      var ring = try HostileRing()
      let slot = ring.layout.slotOffset(ring.newest.slot)
      for field in [Header.session, Header.startTime, Header.framesProduced, Header.framesDropped] {
        ring.set(field, to: value)
      }
      ring.set(Header.processID, to: UInt32(truncatingIfNeeded: value))
      for field in [RingLayout.Slot.captureTime, RingLayout.Slot.publishTime] {
        ring.set(slot + field, to: value)
      }
      ring.set(slot + RingLayout.Slot.orientation, to: UInt32(truncatingIfNeeded: value))
      let stamp = try #require(try ring.read()).stamp
      #expect((stamp.captureTime.nanoseconds, stamp.publishTime.nanoseconds) == (value, value))
      let reader = try FrameRingReader(path: ring.path)
      #expect(reader.session.id == value && reader.framesDropped == value)
      #expect(reader.framesPublished == max(value, 2))
    }
  }

  @Test(arguments: [S_IFDIR, S_IFIFO, S_IFSOCK])
  func whatIsNoPlainFileIsRefusedAndOpeningItDoesNotBlock(kind: mode_t) throws {
    let ring = try HostileRing()
    try makeFile(of: kind, at: ring.path)
    #expect(throws: FileError(.notAPlainFile, ring.path)) { try FrameRingReader(path: ring.path) }
  }

  @Test(arguments: ["/dev/zero", "/dev/null"]) func aDeviceIsNoPlainFile(device: String) throws {
    #expect(throws: FileError(.notAPlainFile, device)) { try FrameRingReader(path: device) }
    let ring = try HostileRing()
    try makeFile(of: S_IFLNK, at: ring.path, leadingTo: device)
    #expect(throws: FileError(.symbolicLink, ring.path)) { try FrameRingReader(path: ring.path) }
  }

  @Test(arguments: [S_IFDIR, S_IFIFO, S_IFSOCK, S_IFLNK])
  func anyFileInItsPlaceHarmsNeitherWriterNorReader(kind: mode_t) throws {
    let folder = try TemporaryFolder()
    let path = folder("frames.ring")
    let writer = try FrameRingWriter(at: path)
    let reader = try FrameRingReader(path: path)
    try PlainFile.move(path, to: folder("moved"))
    try makeFile(of: kind, at: path, leadingTo: folder("moved"))
    try writer.publish(repeating: 5)
    #expect(try (reader.nextFrame()?.bytes[0], reader.isCurrent()) == (5, false))
    #expect(throws: FileError.self) { try FrameRingReader(path: path) }
    try writer.finish()
    #expect(reader.state == .finished)
    #expect(folder.names == ["frames.ring", "moved"])
  }
}

extension FileError {
  fileprivate static func notARing(at path: String) -> FileError {
    FileError(.notARing("a frame ring"), path)
  }

  fileprivate static func otherVersion(_ found: UInt32, at path: String) -> FileError {
    FileError(.otherVersion("a frame ring", found: found, reads: RingLayout.version), path)
  }
}
