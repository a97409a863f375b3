/// A captured FIFO of audio: repeated `Int32` lengths, each followed by PCM of 48 kHz, one channel, signed 16 bits.
///
/// It has no magic number: bytes have this format if the lengths lead from piece to piece.
enum LengthPrefixedAudioFormat: KnownFormat {
  static let name = "audio"
  static let summary = "a FIFO's stream of audio, 48 kHz mono 16-bit, each piece after its length"

  /// The capacity of such a FIFO's queue, in bytes.
  private static let longestPiece = 1 << 20
  /// The pieces in a row that are no coincidence.
  private static let convincing = 3

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    var inspection = Inspection(self)
    var audio = 0
    let pieces = inspection.addMessages(of: bytes, named: "piece") { inspection, start, place in
      guard let length = bytes.number(at: start, as: Int32.self).map(Int.init) else {
        inspection.fail("\(place) ends within its length")
        return nil
      }
      let rest = bytes.count - start - 4
      guard
        inspection.expect(
          (1...longestPiece).contains(length),
          "\(place) has a length of \(length), and pieces have 1 to \(longestPiece) bytes"),
        inspection.expect(length % 2 == 0, "\(place) has \(length) bytes, which are no whole 16-bit samples"),
        inspection.expect(length <= rest, "\(place) has \(length) bytes, of which \(rest) are there")
      else { return nil }
      audio += length
      return start + 4 + length
    }
    guard pieces >= (inspection.isWellFormed ? 1 : convincing) else { return nil }
    inspection.add(.audioBytes, audio)
    return inspection
  }
}
