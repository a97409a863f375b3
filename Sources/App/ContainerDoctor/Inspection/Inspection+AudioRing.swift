import SharedMemory

/// The audio ring: `Docs/Internals/FileFormat.md`, "The audio ring".
extension Inspection {
  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet

  mutating func addAudioRing(_ bytes: [UInt8]) {
    guard expect(bytes.count >= AudioRingLayout.samplesOffset, "the file ends before its samples"),
      addVersion(bytes.uint32(at: Header.version), known: AudioRingLayout.version)
    else { return }
    let capacity = addFormat(bytes)
    addSession(
      bytes.uint64(at: Header.session), pid: bytes.uint32(at: Header.processID),
      state: bytes.uint64(at: Header.state))
    if let capacity { addCounters(bytes, capacity: capacity) }
  }

  /// Adds the encoding of the samples; returns the capacity in frames, or `nil` if sizes contradict each other.
  private mutating func addFormat(_ bytes: [UInt8]) -> UInt64? {
    let channels = bytes.uint32(at: Header.channelCount)
    let rate = Double(bitPattern: bytes.uint64(at: Header.sampleRate))
    let bits = bytes.uint32(at: Header.bitsPerSample)
    let isBigEndian = bytes.uint32(at: Header.isBigEndian)
    let capacity = bytes.uint64(at: Header.capacity)
    if rate.isFinite { add(.sampleRate, rate) }
    add(.channels, channels)
    add(.bitsPerChannel, bits)
    add(.byteOrder, isBigEndian == 0 ? "little" : isBigEndian == 1 ? "big" : "\(isBigEndian)")
    add(.capacity, capacity)
    expect(
      AudioRingFormat.sampleRates.contains(rate), "the sample rate is \(rate), and rates are 1000 to 384000")
    expect(
      bits == UInt32(AudioRingFormat.bitsPerSample), "a sample has \(bits) bits, and samples have 16")
    expect(isBigEndian <= 1, "the byte order is \(isBigEndian), and byte orders are 0 and 1")
    let isCount = expect(
      AudioRingFormat.channelCounts.contains(Int(channels)),
      "it has \(channels) channels, and a ring has 1 or 2")
    let isCapacity = expect(
      AudioRingLayout.capacities.contains(Int(clamping: capacity)) && capacity.nonzeroBitCount == 1,
      "the capacity is \(capacity) frames, and capacities are powers of two from 2048 to 2097152")
    guard isCount, isCapacity else { return nil }
    let size = AudioRingLayout.byteCount(
      capacity: Int(capacity), bytesPerFrame: Int(channels) * AudioRingFormat.bitsPerSample / 8)
    return expectSize(
      size, stated: bytes.uint64(at: Header.fileSize), of: bytes, parts: "frames") ? capacity : nil
  }

  private mutating func addCounters(_ bytes: [UInt8], capacity: UInt64) {
    let (first, firstPacket) = (bytes.uint64(at: Header.firstFrame), bytes.uint64(at: Header.firstPacket))
    let (reserved, packets) = (bytes.uint64(at: Header.reserved), bytes.uint64(at: Header.packets))
    add(.framesReserved, reserved)
    add(.packets, packets)
    add(.packetsDropped, bytes.uint64(at: Header.packetsDropped))
    let isForward = expect(
      reserved >= first && packets >= firstPacket,
      "\(reserved) frames in \(packets) packets are reserved, and earlier files had \(first) in \(firstPacket)"
    )
    guard isForward, packets > firstPacket else {
      if reserved == first { note = "No audio has been published in this file yet." }
      return
    }
    let packet = packets - 1
    let entry = AudioRingLayout.packetOffset(packet)
    let (counter, complete) = (bytes.uint64(at: entry + Packet.sequence), RingLayout.complete(packet))
    let count = UInt64(bytes.uint32(at: entry + Packet.frameCount))
    let written = bytes.uint64(at: entry + Packet.firstFrame) &+ count
    add(.framesWritten, written)
    add(.captureTimeNs, bytes.uint64(at: entry + Packet.captureTime))
    expect(
      counter == complete, "the counter of packet \(packet) is \(counter), and complete it is \(complete)")
    expect(
      (1...capacity / 4).contains(count),
      "packet \(packet) has \(count) frames, and packets have 1 to \(capacity / 4)")
    expect(
      reserved >= written && reserved - written <= capacity / 4,
      "\(reserved) frames are reserved, and packet \(packet) ends with frame \(written)")
  }
}
