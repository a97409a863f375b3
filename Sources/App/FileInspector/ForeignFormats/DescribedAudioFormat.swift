/// A captured FIFO of audio: each piece follows an `AudioStreamBasicDescription` (40 bytes) and a `UInt32` size.
enum DescribedAudioFormat: KnownFormat {
  static let name = "described-audio"
  static let summary = "a FIFO's stream of audio, each piece after its description"

  private static let headerBytes = 44

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    guard isDescription(bytes, at: 0) else { return nil }
    var inspection = Inspection(self)
    var audio = 0
    inspection.addMessages(of: bytes, named: "piece") { inspection, start, place in
      guard
        inspection.expect(isDescription(bytes, at: start), "\(place) has no description of linear PCM"),
        inspection.expect(bytes.count - start >= headerBytes, "\(place) ends within its header")
      else { return nil }
      let frame = check(bytes, at: start, place, &inspection)
      let size = Int(bytes.uint32(at: start + 40))
      inspection.expect(
        frame > 0 && size % frame == 0,
        "\(place) has \(size) bytes, which are no whole frames of \(frame)")
      let rest = bytes.count - start - headerBytes
      guard inspection.expect(size <= rest, "\(place) has \(size) bytes, of which \(rest) are there") else {
        return nil
      }
      audio += size
      return start + headerBytes + size
    }
    inspection.add(.audioBytes, audio)
    return inspection
  }

  /// Whether a description at `offset` has the format identifier of linear PCM, `lpcm`.
  private static func isDescription(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.number(at: offset + 8, as: UInt32.self) == 0x6C70_636D
  }

  /// Checks a description, and adds the first one; returns its bytes per frame.
  private static func check(
    _ bytes: [UInt8], at start: Int, _ place: String, _ inspection: inout Inspection
  ) -> Int {
    func field(_ offset: Int) -> Int { Int(bytes.uint32(at: start + offset)) }
    let rate = Double(bitPattern: bytes.uint64(at: start))
    let (packet, frame, channels, bits) = (field(20), field(24), field(28), field(32))
    if start == 0 {
      inspection.add(.sampleRate, rate.isFinite ? rate : 0)
      inspection.add(.channels, channels)
      inspection.add(.bitsPerChannel, bits)
    }
    let areValid = [
      inspection.expect((1000...768_000).contains(rate), "\(place) has a sample rate of \(rate)"),
      inspection.expect((1...64).contains(channels), "\(place) has \(channels) channels"),
      inspection.expect([8, 16, 24, 32, 64].contains(bits), "\(place) has \(bits) bits a channel"),
      inspection.expect(packet == 1, "\(place) has \(packet) frames a packet, and linear PCM has 1"),
    ]
    // Only valid numbers are multiplied. Bit 5 of the flags is set if each channel is in a buffer of its own.
    guard !areValid.contains(false) else { return frame }
    let expected = (field(12) & 0x20 == 0 ? channels : 1) * bits / 8
    inspection.expect(
      frame == expected, "\(place) has \(frame) bytes a frame, and its channels make \(expected)")
    return frame
  }
}
