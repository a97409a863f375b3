import SharedMemory

/// The audio ring of this program: `Docs/Internals/FileFormat.md`, "The audio ring".
enum AudioRingFileFormat: KnownFormat {
  static let name = "audio-ring"
  static let summary = "an audio ring of this program"

  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    guard matches(bytes) else { return nil }
    var inspection = Inspection(self)
    guard inspection.expect(bytes.count >= AudioRingLayout.samplesOffset, "the file ends before its samples"),
      inspection.addVersion(bytes.uint32(at: Header.version), known: AudioRingLayout.version)
    else { return inspection }
    let capacity = addFormat(bytes, &inspection)
    inspection.addSession(
      bytes.uint64(at: Header.session), pid: bytes.uint32(at: Header.processID),
      state: bytes.uint64(at: Header.state))
    if let capacity { addCounters(bytes, capacity: capacity, &inspection) }
    return inspection
  }

  /// The offsets of the counters that change when a packet is published.
  static func counters(in bytes: [UInt8]) -> [Int] {
    matches(bytes) ? [Header.packets] : []
  }

  private static func matches(_ bytes: [UInt8]) -> Bool {
    bytes.uint64(at: Header.magic) == AudioRingLayout.magic
  }

  /// Adds the encoding of the samples; returns the capacity in frames, or `nil` if sizes contradict each other.
  private static func addFormat(_ bytes: [UInt8], _ inspection: inout Inspection) -> UInt64? {
    let channels = bytes.uint32(at: Header.channelCount)
    let rate = Double(bitPattern: bytes.uint64(at: Header.sampleRate))
    let bits = bytes.uint32(at: Header.bitsPerSample)
    let isBigEndian = bytes.uint32(at: Header.isBigEndian)
    let capacity = bytes.uint64(at: Header.capacity)
    if rate.isFinite { inspection.add(.sampleRate, rate) }
    inspection.add(.channels, channels)
    inspection.add(.bitsPerChannel, bits)
    inspection.add(.byteOrder, isBigEndian == 0 ? "little" : isBigEndian == 1 ? "big" : "\(isBigEndian)")
    inspection.add(.capacity, capacity)
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
      "the capacity is \(capacity) frames, and capacities are powers of two from 2048 to 2097152")
    guard isCount, isCapacity else { return nil }
    let size = AudioRingLayout.byteCount(
      capacity: Int(capacity), bytesPerFrame: Int(channels) * AudioRingFormat.bitsPerSample / 8)
    return inspection.expectSize(
      size, stated: bytes.uint64(at: Header.fileSize), of: bytes, parts: "frames") ? capacity : nil
  }

  private static func addCounters(_ bytes: [UInt8], capacity: UInt64, _ inspection: inout Inspection) {
    let (first, firstPacket) = (bytes.uint64(at: Header.firstFrame), bytes.uint64(at: Header.firstPacket))
    let (reserved, packets) = (bytes.uint64(at: Header.reserved), bytes.uint64(at: Header.packets))
    inspection.add(.framesReserved, reserved)
    inspection.add(.packets, packets)
    inspection.add(.packetsDropped, bytes.uint64(at: Header.packetsDropped))
    let isForward = inspection.expect(
      reserved >= first && packets >= firstPacket,
      "\(reserved) frames in \(packets) packets are reserved, and earlier files had \(first) in \(firstPacket)"
    )
    guard isForward, packets > firstPacket else {
      if reserved == first { inspection.note = "No audio has been published in this file yet." }
      return
    }
    let packet = packets - 1
    let entry = AudioRingLayout.packetOffset(packet)
    let (counter, complete) = (bytes.uint64(at: entry + Packet.sequence), RingLayout.complete(packet))
    let count = UInt64(bytes.uint32(at: entry + Packet.frameCount))
    let written = bytes.uint64(at: entry + Packet.firstFrame) &+ count
    inspection.add(.framesWritten, written)
    inspection.add(.captureTimeNs, bytes.uint64(at: entry + Packet.captureTime))
    inspection.expect(
      counter == complete, "the counter of packet \(packet) is \(counter), and complete it is \(complete)")
    inspection.expect(
      (1...capacity / 4).contains(count),
      "packet \(packet) has \(count) frames, and packets have 1 to \(capacity / 4)")
    inspection.expect(
      reserved >= written && reserved - written <= capacity / 4,
      "\(reserved) frames are reserved, and packet \(packet) ends with frame \(written)")
  }
}
