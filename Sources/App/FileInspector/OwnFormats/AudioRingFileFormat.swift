import SharedMemory

/// An audio ring of this program: `Docs/FileFormat.md`, "The audio ring".
enum AudioRingFileFormat: KnownFormat {
  static let name = "audio-ring"
  static let summary = "an audio ring of this program"

  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard isOne(bytes) else { return nil }
    var inspection = Inspection(self)
    guard
      inspection.expect(bytes.count >= AudioRingLayout.samplesOffset, "the file ends before its samples"),
      let version = bytes.number(at: Header.version, as: UInt32.self)
    else { return inspection }
    inspection.add(.version, Int(version))
    guard
      inspection.expect(
        version == AudioRingLayout.version,
        "the version is \(version), and version \(AudioRingLayout.version) is known")
    else { return inspection }
    let capacity = addFormat(bytes, &inspection)
    addSession(bytes, &inspection)
    if let capacity { addSound(bytes, capacity: capacity, &inspection) }
    return inspection
  }

  /// Whether the bytes are an audio ring, which a writer may have changed while they were read.
  static func isOne(_ bytes: FileBytes) -> Bool {
    bytes.number(at: Header.magic, as: UInt64.self) == AudioRingLayout.magic
  }

  /// Whether the counters of `bytes` still were the same when `header` was read.
  static func isUnchanged(_ bytes: FileBytes, according header: FileBytes) -> Bool {
    [Header.written, Header.packets].allSatisfy { offset in
      bytes.number(at: offset, as: UInt64.self) == header.number(at: offset, as: UInt64.self)
    }
  }

  /// Tells how the samples are encoded; the frames there is room for, unless that cannot be.
  private static func addFormat(_ bytes: FileBytes, _ inspection: inout Inspection) -> UInt64? {
    guard let channels = bytes.number(at: Header.channelCount, as: UInt32.self),
      let rate = bytes.number(at: Header.sampleRate, as: UInt64.self).map(Double.init(bitPattern:)),
      let bits = bytes.number(at: Header.bitsPerSample, as: UInt32.self),
      let isBigEndian = bytes.number(at: Header.isBigEndian, as: UInt32.self),
      let capacity = bytes.number(at: Header.capacity, as: UInt64.self),
      let fileSize = bytes.number(at: Header.fileSize, as: UInt64.self)
    else { return nil }
    if rate.isFinite { inspection.add(.sampleRate, rate) }
    inspection.add(.channels, Int(channels))
    inspection.add(.bitsPerChannel, Int(bits))
    inspection.add(.byteOrder, isBigEndian == 0 ? "little" : isBigEndian == 1 ? "big" : "\(isBigEndian)")
    inspection.add(.capacity, Int(clamping: capacity))
    inspection.expect(
      AudioRingFormat.sampleRates.contains(rate), "the sample rate is \(rate), and rates are 1000 to 384000")
    inspection.expect(
      bits == UInt32(AudioRingFormat.bitsPerSample), "a sample has \(bits) bits, and samples have 16")
    inspection.expect(isBigEndian <= 1, "the byte order is \(isBigEndian), and byte orders are 0 and 1")
    let isCount = inspection.expect(
      AudioRingFormat.channelCounts.contains(Int(channels)),
      "it has \(channels) channels, and a ring has 1 or 2")
    let isCapacity = inspection.expect(
      AudioRingLayout.capacities.contains(Int(clamping: capacity)) && capacity.nonzeroBitCount == 1,
      "it has room for \(capacity) frames, which is no power of two from 2048 to 2097152")
    guard isCount, isCapacity else { return nil }
    let size = AudioRingLayout.byteCount(
      capacity: Int(capacity), bytesPerFrame: Int(channels) * AudioRingFormat.bitsPerSample / 8)
    let isStated = inspection.expect(
      fileSize == UInt64(size), "the header states \(fileSize) bytes, and its frames make \(size)")
    let isThere = inspection.expect(
      bytes.count == size, "the file has \(bytes.count) bytes, and its frames make \(size)")
    return isStated && isThere ? capacity : nil
  }

  private static func addSession(_ bytes: FileBytes, _ inspection: inout Inspection) {
    guard let session = bytes.number(at: Header.session, as: UInt64.self),
      let pid = bytes.number(at: Header.processID, as: Int32.self),
      let state = bytes.number(at: Header.state, as: UInt64.self)
    else { return }
    inspection.addSession(session, pid: pid, state: state)
  }

  private static func addSound(_ bytes: FileBytes, capacity: UInt64, _ inspection: inout Inspection) {
    guard let first = bytes.number(at: Header.firstFrame, as: UInt64.self),
      let firstPacket = bytes.number(at: Header.firstPacket, as: UInt64.self),
      let reserved = bytes.number(at: Header.reserved, as: UInt64.self),
      let written = bytes.number(at: Header.written, as: UInt64.self),
      let packets = bytes.number(at: Header.packets, as: UInt64.self),
      let dropped = bytes.number(at: Header.packetsDropped, as: UInt64.self)
    else { return }
    inspection.add(.framesWritten, Int(clamping: written))
    inspection.add(.framesReserved, Int(clamping: reserved))
    inspection.add(.packets, Int(clamping: packets))
    inspection.add(.packetsDropped, Int(clamping: dropped))
    let isForward = inspection.expect(
      written >= first && packets >= firstPacket,
      "\(written) frames in \(packets) packets are written, and earlier files had \(first) in \(firstPacket)")
    inspection.expect(
      reserved >= written && reserved - written <= capacity / 4,
      "\(reserved) frames are reserved, and \(written) are written")
    guard isForward, packets > firstPacket else {
      if written == first { inspection.note = "No sound was published in this file yet." }
      return
    }
    addNewest(bytes, packets - 1, end: written, capacity: capacity, &inspection)
  }

  private static func addNewest(
    _ bytes: FileBytes, _ packet: UInt64, end: UInt64, capacity: UInt64, _ inspection: inout Inspection
  ) {
    let entry = AudioRingLayout.packetOffset(packet)
    guard let counter = bytes.number(at: entry + Packet.sequence, as: UInt64.self),
      let first = bytes.number(at: entry + Packet.firstFrame, as: UInt64.self),
      let count = bytes.number(at: entry + Packet.frameCount, as: UInt32.self).map(UInt64.init),
      let time = bytes.number(at: entry + Packet.captureTime, as: UInt64.self)
    else { return }
    inspection.add(.captureTimeNs, Int(clamping: time))
    inspection.expect(
      counter == AudioRingLayout.complete(packet),
      "the counter of packet \(packet) is \(counter), and complete it is \(AudioRingLayout.complete(packet))")
    inspection.expect(
      (1...capacity / 4).contains(count),
      "packet \(packet) has \(count) frames, and packets have 1 to \(capacity / 4)")
    inspection.expect(
      first &+ count == end, "packet \(packet) ends with frame \(first &+ count), and \(end) are written")
  }
}
