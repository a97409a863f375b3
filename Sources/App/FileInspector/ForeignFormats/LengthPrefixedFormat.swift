import Foundation
import Platform
import ScreenBroadcast

/// A captured socket with messages of a `UInt32` total size, a `UInt32` header size, a property list that describes a
/// frame or audio, and the payload: JPEG or PCM.
enum LengthPrefixedFormat: KnownFormat {
  static let name = "length-prefixed"
  static let summary = "a socket's stream of messages that begin with a property list"

  /// What the total size counts, which differs between apps: its text, and the bytes that it leaves out.
  private static let countings = [
    ("the whole message", 0), ("what follows it", 4), ("header and payload", 8),
  ]

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    guard ["bplist", "<?xml", "<plist"].contains(where: { bytes.has($0, at: 8) }) else { return nil }
    // The best reading finds the most messages, and among equals the fewest problems.
    let readings = countings.map { read(bytes, $0, missing: $1) }
    return readings.max { one, other in
      (one.messages, -one.inspection.problems.count) < (other.messages, -other.inspection.problems.count)
    }?.inspection
  }

  private static func read(
    _ bytes: [UInt8], _ counted: String, missing: Int
  ) -> (inspection: Inspection, messages: Int) {
    var inspection = Inspection(self)
    var audio = 0
    let messages = inspection.addMessages(of: bytes, named: "message") { inspection, start, place in
      guard inspection.expect(bytes.count - start >= 8, "\(place) ends within its two sizes") else {
        return nil
      }
      let (total, header) = (Int(bytes.uint32(at: start)), Int(bytes.uint32(at: start + 4)))
      let length = total + missing
      let payload = length - 8 - header
      guard
        inspection.expect(payload >= 0, "\(place) has \(total) bytes in all, and its header has \(header)"),
        inspection.expect(
          length <= bytes.count - start,
          "\(place) has \(length) bytes, of which \(bytes.count - start) are there"),
        let list = bytes.slice(start + 8, header), let body = bytes.slice(start + 8 + header, payload)
      else { return nil }
      audio += check(Array(list), body, place, &inspection)
      return start + length
    }
    if audio > 0 { inspection.add(.audioBytes, audio) }
    inspection.note = "The total size of a message counts \(counted)."
    return (inspection, messages)
  }

  /// Checks one message; returns its bytes of audio.
  private static func check(
    _ list: [UInt8], _ body: ArraySlice<UInt8>, _ place: String, _ inspection: inout Inspection
  ) -> Int {
    let values = dictionary(list)
    if let image = values?["image"] as? [String: Any] {
      guard let width = image["width"] as? Int, let height = image["height"] as? Int else {
        inspection.fail("the image of \(place) has no width and height")
        return 0
      }
      let rotation = values?["rotation"] ?? image["rotation"]
      inspection.expect(rotation is Int, "the image of \(place) has no rotation")
      if inspection.value(.width) == nil {
        inspection.add(.width, width)
        inspection.add(.height, height)
      }
      inspection.addImage(body, width: width, height: height, of: place)
    } else if values?["audio"] is [String: Any] {
      inspection.expect(
        body.count % 2 == 0, "\(place) has \(body.count) bytes of audio, which are no whole 16-bit samples")
      return body.count
    } else {
      inspection.fail(
        "the header of \(place) "
          + (values == nil
            ? "is not a property list with a dictionary" : "describes neither an image nor audio"))
    }
    return 0
  }

  private static func dictionary(_ list: [UInt8]) -> [String: Any]? {
    guard list.count <= 1 << 20, BinaryPropertyList.isReadable(list) else { return nil }
    do {
      // UNSAFE: only by the type of the out parameter for the format, which is not used.
      return try unsafe PropertyListSerialization.propertyList(from: Data(list), format: nil)
        as? [String: Any]
    } catch {
      return nil  // The details do not help: such a list is not written by hand.
    }
  }
}
