import TestSupport

@testable import Platform
@testable import SharedMemory

/// Tests files that are not an audio ring or contradict themselves: the reader reports the fault and never crashes.
@Suite struct AudioRingHostileFileTests {
  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet

  private let folder = TemporaryFolder.ofSuite()
  private let good: [UInt8]
  private var path: String { folder("audio-app.ring") }

  /// A ring with four packets of 100 frames, of one channel.
  init() throws {
    let writer = try TestAudio.mono.writer(folder("good.ring"))
    for _ in 0..<4 { try TestAudio.mono.publish(100, to: writer) }
    good = try PlainFile.read(folder("good.ring"), limit: 1 << 20)
    try writer.finish()
  }

  /// Returns the error of reading the good file with one number changed; `nil` if the file can be read.
  private func fault(_ offset: Int, _ value: some FixedWidthInteger) throws -> FileError? {
    var bytes = good
    bytes.set(offset, to: value)
    return try fault(bytes)
  }

  private func fault(_ bytes: [UInt8]) throws -> FileError? {
    try PlainFile.replace(path, with: bytes)
    do throws(FileError) {
      let reader = try AudioRingReader(path: path)
      for _ in 0..<2 { _ = try reader.read() }
      _ = (reader.state, reader.framesPublished, reader.packetsDropped, reader.gaps)
      return nil
    } catch {
      return error
    }
  }

  @Test func anotherMagicOrVersionIsNamed() throws {
    let notARing = FileError(.notARing("an audio ring"), path)
    for magic in [AudioRingLayout.magic ^ 1, RingLayout.magic] {
      #expect(try fault(Header.magic, magic) == notARing)
    }
    for version in [0, 2, 4, 0x100, .max] as [UInt32] {
      let reason = FileError.Reason.otherVersion(
        "an audio ring", found: version, reads: AudioRingLayout.version)
      #expect(try fault(Header.version, version) == FileError(reason, path))
    }
    for count in [1, 8, 63, Header.constantByteCount - 1] {
      #expect(try fault(Array(good[..<count])) == notARing)
    }
    #expect(try fault([]) == FileError(.damaged, path))
  }

  @Test func aHeaderThatContradictsItselfIsDamage() throws {
    let damaged = FileError(.damaged, path)
    for (offset, values) in [
      (Header.channelCount, [0, 2, 3, 1 << 31, .max]), (Header.bitsPerSample, [0, 8, 15, 24, 32, .max]),
      (Header.isBigEndian, [2, 1 << 8, .max]),
    ] as [(Int, [UInt32])] {
      for value in values { #expect(try fault(offset, value) == damaged, "\(value) at \(offset)") }
    }
    let rates = [0, -1, 999, 384_001, .infinity, .nan, 1e300].map(\.bitPattern)
    let size = UInt64(good.count)
    for (offset, values) in [
      (Header.sampleRate, rates), (Header.fileSize, [0, size - 1, size + 1, .max]),
      (Header.capacity, [0, 1, 1024, 2047, 2049, 4096, 1 << 22, 1 << 63, .max]),
    ] {
      for value in values { #expect(try fault(offset, value) == damaged, "\(value) at \(offset)") }
    }
    #expect(try fault(good + [0]) == damaged)
    for count in [Header.constantByteCount, 4096, AudioRingLayout.samplesOffset, good.count - 1] {
      #expect(try fault(Array(good[..<count])) == damaged)
    }
  }

  @Test func countersThatContradictThePacketsAreDamage() throws {
    let damaged = FileError(.damaged, path)
    for (offset, values) in [
      (Header.reserved, [0, 399, 400 + 513, 1 << 56, .max]), (Header.packets, [5, 600, 1 << 56, .max]),
      (Header.firstFrame, [1, 401, 1 << 56, .max]), (Header.firstPacket, [5, 1 << 56, .max]),
    ] as [(Int, [UInt64])] {
      for value in values { #expect(try fault(offset, value) == damaged, "\(value) at \(offset)") }
    }
  }

  @Test func anEntryWithWrongValuesIsDamage() throws {
    let damaged = FileError(.damaged, path)
    for packet in 0..<4 as Range<UInt64> {
      let entry = AudioRingLayout.packetOffset(packet)
      let counter = RingLayout.complete(packet)
      for value in [0, counter - 1, counter + 1, counter + 2, counter + 1024, .max] as [UInt64] {
        #expect(try fault(entry + Packet.sequence, value) == damaged, "counter \(value) of \(packet)")
      }
      for value in [packet * 100 + 1, packet * 100 + 99, 1 << 56, .max] as [UInt64] {
        #expect(try fault(entry + Packet.firstFrame, value) == damaged, "first \(value) of \(packet)")
      }
      // A shorter last packet is consistent, because the writer may be writing the next packet.
      for value in [0, 99, 101, 513, 1 << 63, .max] as [UInt64] where value != 99 || packet < 3 {
        #expect(try fault(entry + Packet.frameCount, value) == damaged, "count \(value) of \(packet)")
      }
      for value in [0, 1, .max] as [UInt64] { #expect(try fault(entry + Packet.captureTime, value) == nil) }
    }
  }

  @Test func anUnknownStateIsHarmless() throws {
    for value in [5, .max] as [UInt64] {
      #expect(try fault(Header.state, value) == nil)
      #expect(try AudioRingReader(path: path).state == nil)
    }
  }

  @Test func countersThatRunBackwardsAreDamage() throws {
    let writer = try TestAudio.mono.writer(path)
    let reader = try AudioRingReader(path: path)
    for _ in 0..<4 { try TestAudio.mono.publish(100, to: writer) }
    #expect(try reader.read().count == 1)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(Header.packets))
    try file.write(contentsOf: [2, 0, 0, 0, 0, 0, 0, 0])
    #expect(throws: FileError(.damaged, path)) { try reader.read() }
    try file.close()
  }

  @Test(arguments: [S_IFDIR, S_IFIFO, S_IFLNK]) func anyFileInItsPlaceIsAnError(kind: mode_t) throws {
    let writer = try TestAudio.mono.writer(path)
    try PlainFile.move(path, to: folder("moved"))
    try makeFile(of: kind, at: path, leadingTo: folder("moved"))
    #expect(throws: FileError.self) { try AudioRingReader(path: path) }
    for _ in 0..<9 { try TestAudio.mono.publish(100, to: writer) }
    try writer.finish()
  }
}
