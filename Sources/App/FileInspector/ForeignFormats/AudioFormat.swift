/// A captured FIFO of audio: repeated `Int32` lengths, each followed by PCM of 48 kHz, one channel, signed 16 bits.
///
/// It has no magic number: bytes have this format if the lengths lead from piece to piece.
enum AudioFormat: KnownFormat {
  static let name = "audio"
  static let summary = "a FIFO's stream of audio, 48 kHz mono 16-bit, each piece after its length"

  /// The capacity of such a FIFO's queue, in bytes.
  private static let longestPiece = 1 << 20
  /// The pieces in a row that are no coincidence.
  private static let convincing = 3

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    var (at, messages, audio) = (0, 0, 0)
    var problem: String?
    while at < bytes.count, problem == nil {
      let place = "piece \(messages + 1) at byte \(at)"
      guard let length = bytes.number(at: at, as: Int32.self).map(Int.init) else {
        problem = "\(place) ends within its length"
        break
      }
      let rest = bytes.count - at - 4
      if length <= 0 || length > longestPiece {
        problem = "\(place) has a length of \(length), and pieces have 1 to \(longestPiece) bytes"
      } else if length % 2 == 1 {
        problem = "\(place) has \(length) bytes, which are no whole 16-bit samples"
      } else if length > rest {
        problem = "\(place) has \(length) bytes, of which \(rest) are there"
      } else {
        at += 4 + length
        messages += 1
        audio += length
      }
    }
    guard messages >= (problem == nil ? 1 : convincing) else { return nil }
    var inspection = Inspection(self)
    if let problem { inspection.expect(false, problem) }
    inspection.add(.messages, messages)
    inspection.add(.audioBytes, audio)
    return inspection
  }
}
