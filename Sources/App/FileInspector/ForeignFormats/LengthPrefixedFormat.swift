import Foundation
import ScreenBroadcast

/// A captured socket with length-prefixed messages: `UInt32` total size, `UInt32` header size, a property list that
/// describes an image or sound, and the payload: JPEG or PCM.
enum LengthPrefixedFormat: KnownFormat {
  static let name = "length-prefixed"
  static let summary = "a socket's stream of messages with a property list in front"

  /// What the total size counts; apps differ, and the bytes tell.
  private enum Counted: Int, CaseIterable {
    case everything = 0
    case whatFollowsIt = 4
    case headerAndPayload = 8

    var text: String {
      switch self {
      case .everything: "the whole message"
      case .whatFollowsIt: "what follows it"
      case .headerAndPayload: "header and payload"
      }
    }
  }

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard isList(bytes, at: 8) else { return nil }
    let looks = Counted.allCases.map { look(bytes, counting: $0) }
    // The reading under which most messages follow each other, and of those the one with the least to complain of.
    let best = looks.max { one, other in
      (one.messages, -one.inspection.problems.count) < (other.messages, -other.inspection.problems.count)
    }
    guard let best else { return nil }
    var inspection = best.inspection
    if let image = best.firstImage, JPEGFrame(image) != nil { inspection.jpeg = image }
    return inspection
  }

  private struct Look {
    var inspection = Inspection(LengthPrefixedFormat.self)
    var messages = 0
    var images = 0
    var audioBytes = 0
    var firstImage: ArraySlice<UInt8>?
  }

  private static func look(_ bytes: FileBytes, counting counted: Counted) -> Look {
    var look = Look()
    var at = 0
    while at < bytes.count, let end = message(bytes, at: at, counted, &look) {
      look.messages += 1
      at = end
    }
    look.inspection.add(.messages, look.messages)
    if look.audioBytes > 0 { look.inspection.add(.audioBytes, look.audioBytes) }
    look.inspection.note = "The total size of a message counts \(counted.text)."
    return look
  }

  private static func message(
    _ bytes: FileBytes, at start: Int, _ counted: Counted, _ look: inout Look
  ) -> Int? {
    let place = "message \(look.messages + 1) at byte \(start)"
    guard let total = bytes.number(at: start, as: UInt32.self),
      let header = bytes.number(at: start + 4, as: UInt32.self)
    else {
      look.inspection.expect(false, "\(place) ends within its two sizes")
      return nil
    }
    let length = Int(total) + counted.rawValue
    let payload = length - 8 - Int(header)
    guard
      look.inspection.expect(
        payload >= 0, "\(place) has \(total) bytes in all, and its header has \(header)"),
      look.inspection.expect(
        length <= bytes.count - start,
        "\(place) has \(length) bytes, of which \(bytes.count - start) are there"),
      let list = bytes.slice(start + 8, Int(header)), let body = bytes.slice(start + 8 + Int(header), payload)
    else { return nil }
    check(Array(list), body, place, &look)
    return start + length
  }

  private static func check(
    _ list: [UInt8], _ body: ArraySlice<UInt8>, _ place: String, _ look: inout Look
  ) {
    guard let values = dictionary(list) else {
      look.inspection.expect(false, "the header of \(place) is no property list with a dictionary")
      return
    }
    if let image = values["image"] as? [String: Any] {
      look.images += 1
      guard let width = image["width"] as? Int, let height = image["height"] as? Int else {
        look.inspection.expect(false, "the image of \(place) has no width and height")
        return
      }
      let rotation = values["rotation"] ?? image["rotation"]
      look.inspection.expect(rotation is Int, "the image of \(place) has no rotation")
      if look.firstImage == nil {
        look.firstImage = body
        look.inspection.add(.width, width)
        look.inspection.add(.height, height)
      }
      guard let jpeg = JPEGFrame(body) else {
        look.inspection.expect(false, "the payload of \(place) is no whole JPEG")
        return
      }
      look.inspection.expect(
        (jpeg.width, jpeg.height) == (width, height),
        "\(place) states \(width)x\(height), and its JPEG is \(jpeg.width)x\(jpeg.height)")
    } else if values["audio"] is [String: Any] {
      look.audioBytes += body.count
      look.inspection.expect(
        body.count % 2 == 0, "\(place) has \(body.count) bytes of sound, which are no whole 16-bit samples")
    } else {
      look.inspection.expect(false, "the header of \(place) describes neither an image nor sound")
    }
  }

  private static func isList(_ bytes: FileBytes, at offset: Int) -> Bool {
    bytes.has("bplist", at: offset) || bytes.has("<?xml", at: offset) || bytes.has("<plist", at: offset)
  }

  private static func dictionary(_ list: [UInt8]) -> [String: Any]? {
    guard list.count <= 1 << 20, BinaryPropertyList.isReadable(list) else { return nil }
    do {
      // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
      let values = try unsafe PropertyListSerialization.propertyList(from: Data(list), format: nil)
      return values as? [String: Any]
    } catch {
      return nil  // What is wrong with it in detail helps nobody: it was not made by hand.
    }
  }
}
