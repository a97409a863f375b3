/// A captured FIFO of sound, each piece behind an `AudioStreamBasicDescription` (40 bytes) and a `UInt32` size.
enum DescribedAudioFormat: KnownFormat {
  static let name = "described-audio"
  static let summary = "a FIFO's stream of sound, each piece behind its description"

  private static let descriptionBytes = 40

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard isDescription(bytes, at: 0) else { return nil }
    var inspection = Inspection(self)
    var (at, messages, sound) = (0, 0, 0)
    while at < bytes.count {
      let place = "piece \(messages + 1) at byte \(at)"
      guard inspection.expect(isDescription(bytes, at: at), "\(place) has no description of linear PCM"),
        let description = Description(bytes, at: at),
        let size = bytes.number(at: at + descriptionBytes, as: UInt32.self).map(Int.init)
      else {
        if inspection.isWellFormed { inspection.expect(false, "\(place) ends within its header") }
        break
      }
      if messages == 0 {
        inspection.add(.sampleRate, description.sampleRate.isFinite ? description.sampleRate : 0)
        inspection.add(.channels, description.channels)
        inspection.add(.bitsPerChannel, description.bitsPerChannel)
      }
      for problem in description.problems { inspection.expect(false, "\(place) \(problem)") }
      inspection.expect(
        description.bytesPerFrame > 0 && size % max(1, description.bytesPerFrame) == 0,
        "\(place) has \(size) bytes, which are no whole frames of \(description.bytesPerFrame)")
      let there = bytes.count - at - descriptionBytes - 4
      guard inspection.expect(size <= there, "\(place) has \(size) bytes, of which \(there) are there") else {
        break
      }
      at += descriptionBytes + 4 + size
      messages += 1
      sound += size
    }
    inspection.add(.messages, messages)
    inspection.add(.audioBytes, sound)
    return inspection
  }

  /// Whether the format id of linear PCM stands where a description has it.
  private static func isDescription(_ bytes: FileBytes, at offset: Int) -> Bool {
    bytes.number(at: offset + 8, as: UInt32.self) == 0x6C70_636D
  }

  private struct Description {
    var sampleRate: Double
    var flags: UInt32
    var bytesPerFrame: Int
    var framesPerPacket: Int
    var channels: Int
    var bitsPerChannel: Int

    init?(_ bytes: FileBytes, at offset: Int) {
      guard let rate = bytes.number(at: offset, as: UInt64.self),
        let flags = bytes.number(at: offset + 12, as: UInt32.self),
        let framesPerPacket = bytes.number(at: offset + 20, as: UInt32.self),
        let bytesPerFrame = bytes.number(at: offset + 24, as: UInt32.self),
        let channels = bytes.number(at: offset + 28, as: UInt32.self),
        let bits = bytes.number(at: offset + 32, as: UInt32.self)
      else { return nil }
      sampleRate = Double(bitPattern: rate)
      self.flags = flags
      self.framesPerPacket = Int(framesPerPacket)
      self.bytesPerFrame = Int(bytesPerFrame)
      self.channels = Int(channels)
      bitsPerChannel = Int(bits)
    }

    var problems: [String] {
      var problems: [String] = []
      if !(sampleRate >= 1000 && sampleRate <= 768_000) {
        problems.append("has a sample rate of \(sampleRate)")
      }
      if !(1...64).contains(channels) { problems.append("has \(channels) channels") }
      if ![8, 16, 24, 32, 64].contains(bitsPerChannel) {
        problems.append("has \(bitsPerChannel) bits a channel")
      }
      if framesPerPacket != 1 {
        problems.append("has \(framesPerPacket) frames a packet, and linear PCM has 1")
      }
      // Only numbers that can be true are multiplied.
      guard problems.isEmpty else { return problems }
      // Bit 5 says that each channel is in a buffer of its own.
      let interleaved = flags & 0x20 == 0 ? channels : 1
      let expected = interleaved * bitsPerChannel / 8
      if bytesPerFrame != expected {
        problems.append("has \(bytesPerFrame) bytes a frame, and its channels make \(expected)")
      }
      return problems
    }
  }
}
