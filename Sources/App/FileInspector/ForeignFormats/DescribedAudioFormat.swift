/// A captured FIFO of audio: each piece follows an `AudioStreamBasicDescription` (40 bytes) and a `UInt32` size.
enum DescribedAudioFormat: KnownFormat {
  static let name = "described-audio"
  static let summary = "a FIFO's stream of audio, each piece after its description"

  private static let headerBytes = 44

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard isDescription(bytes, at: 0) else { return nil }
    var inspection = Inspection(self)
    var (at, messages, audio) = (0, 0, 0)
    while at < bytes.count {
      let place = "piece \(messages + 1) at byte \(at)"
      guard inspection.expect(isDescription(bytes, at: at), "\(place) has no description of linear PCM"),
        inspection.expect(bytes.count - at >= headerBytes, "\(place) ends within its header")
      else { break }
      let description = Description(bytes, at: at)
      if messages == 0 {
        inspection.add(.sampleRate, description.sampleRate.isFinite ? description.sampleRate : 0)
        inspection.add(.channels, description.channels)
        inspection.add(.bitsPerChannel, description.bitsPerChannel)
      }
      for problem in description.problems { inspection.expect(false, "\(place) \(problem)") }
      let size = Int(bytes.uint32(at: at + 40))
      inspection.expect(
        description.bytesPerFrame > 0 && size % max(1, description.bytesPerFrame) == 0,
        "\(place) has \(size) bytes, which are no whole frames of \(description.bytesPerFrame)")
      let rest = bytes.count - at - headerBytes
      guard inspection.expect(size <= rest, "\(place) has \(size) bytes, of which \(rest) are there") else {
        break
      }
      at += headerBytes + size
      messages += 1
      audio += size
    }
    inspection.add(.messages, messages)
    inspection.add(.audioBytes, audio)
    return inspection
  }

  /// Whether a description at `offset` has the format identifier of linear PCM, `lpcm`.
  private static func isDescription(_ bytes: FileBytes, at offset: Int) -> Bool {
    bytes.number(at: offset + 8, as: UInt32.self) == 0x6C70_636D
  }

  private struct Description {
    let sampleRate: Double
    let flags: UInt32
    let bytesPerFrame: Int
    let framesPerPacket: Int
    let channels: Int
    let bitsPerChannel: Int

    init(_ bytes: FileBytes, at offset: Int) {
      func field(_ position: Int) -> Int { Int(bytes.uint32(at: offset + position)) }
      sampleRate = Double(bitPattern: bytes.uint64(at: offset))
      flags = bytes.uint32(at: offset + 12)
      (framesPerPacket, bytesPerFrame) = (field(20), field(24))
      (channels, bitsPerChannel) = (field(28), field(32))
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
      // Only valid numbers are multiplied.
      guard problems.isEmpty else { return problems }
      // Bit 5 is set if each channel is in a buffer of its own.
      let expected = (flags & 0x20 == 0 ? channels : 1) * bitsPerChannel / 8
      if bytesPerFrame != expected {
        problems.append("has \(bytesPerFrame) bytes a frame, and its channels make \(expected)")
      }
      return problems
    }
  }
}
