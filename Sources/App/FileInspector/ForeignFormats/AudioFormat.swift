/// A captured FIFO of sound: `Int32` length and PCM (48 kHz, one channel, signed 16-bit), again and again. It has no
/// magic: it is taken for one when the lengths lead from piece to piece.
enum AudioFormat: KnownFormat {
  static let name = "audio"
  static let summary = "a FIFO's stream of sound, 48 kHz mono 16-bit, each piece behind its length"

  /// What the queue of such a FIFO holds at the most.
  private static let longestPiece = 1 << 20
  /// So many good lengths in a row are no accident.
  private static let convincing = 3

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    var (at, messages, sound) = (0, 0, 0)
    var problem: String?
    while at < bytes.count, problem == nil {
      let place = "piece \(messages + 1) at byte \(at)"
      guard let length = bytes.number(at: at, as: Int32.self).map(Int.init) else {
        problem = "\(place) ends within its length"
        break
      }
      let there = bytes.count - at - 4
      if length <= 0 || length > longestPiece {
        problem = "\(place) has a length of \(length), and pieces have 1 to \(longestPiece) bytes"
      } else if length % 2 == 1 {
        problem = "\(place) has \(length) bytes, which are no whole 16-bit samples"
      } else if length > there {
        problem = "\(place) has \(length) bytes, of which \(there) are there"
      } else {
        at += 4 + length
        messages += 1
        sound += length
      }
    }
    guard messages >= (problem == nil ? 1 : convincing) else { return nil }
    var inspection = Inspection(self)
    if let problem { inspection.expect(false, problem) }
    inspection.add(.messages, messages)
    inspection.add(.audioBytes, sound)
    return inspection
  }
}
