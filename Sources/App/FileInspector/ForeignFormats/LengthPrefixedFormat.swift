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

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard ["bplist", "<?xml", "<plist"].contains(where: { bytes.has($0, at: 8) }) else { return nil }
    // The best reading finds the most messages, and among equals the fewest problems.
    let best = countings.map { read(bytes, $0, missing: $1) }.max { one, other in
      (one.messages, -one.inspection.problems.count) < (other.messages, -other.inspection.problems.count)
    }
    guard let best else { return nil }
    var inspection = best.inspection
    if let image = best.firstImage, JPEGFrame(image) != nil { inspection.jpeg = image }
    return inspection
  }

  private struct Reading {
    var inspection = Inspection(LengthPrefixedFormat.self)
    var messages = 0
    var audioBytes = 0
    var firstImage: ArraySlice<UInt8>?
  }

  private static func read(_ bytes: FileBytes, _ counted: String, missing: Int) -> Reading {
    var reading = Reading()
    var at = 0
    while at < bytes.count, let end = message(bytes, at: at, missing: missing, &reading) {
      reading.messages += 1
      at = end
    }
    reading.inspection.add(.messages, reading.messages)
    if reading.audioBytes > 0 { reading.inspection.add(.audioBytes, reading.audioBytes) }
    reading.inspection.note = "The total size of a message counts \(counted)."
    return reading
  }

  /// Checks one message; returns its end, or `nil` if it is cut short.
  private static func message(
    _ bytes: FileBytes, at start: Int, missing: Int, _ reading: inout Reading
  ) -> Int? {
    let place = "message \(reading.messages + 1) at byte \(start)"
    guard
      reading.inspection.expect(bytes.count - start >= 8, "\(place) ends within its two sizes")
    else { return nil }
    let (total, header) = (Int(bytes.uint32(at: start)), Int(bytes.uint32(at: start + 4)))
    let length = total + missing
    let payload = length - 8 - header
    guard
      reading.inspection.expect(
        payload >= 0, "\(place) has \(total) bytes in all, and its header has \(header)"),
      reading.inspection.expect(
        length <= bytes.count - start,
        "\(place) has \(length) bytes, of which \(bytes.count - start) are there"),
      let list = bytes.slice(start + 8, header), let body = bytes.slice(start + 8 + header, payload)
    else { return nil }
    check(Array(list), body, place, &reading)
    return start + length
  }

  private static func check(
    _ list: [UInt8], _ body: ArraySlice<UInt8>, _ place: String, _ reading: inout Reading
  ) {
    guard let values = dictionary(list) else {
      reading.inspection.expect(false, "the header of \(place) is not a property list with a dictionary")
      return
    }
    if let image = values["image"] as? [String: Any] {
      guard let width = image["width"] as? Int, let height = image["height"] as? Int else {
        reading.inspection.expect(false, "the image of \(place) has no width and height")
        return
      }
      let rotation = values["rotation"] ?? image["rotation"]
      reading.inspection.expect(rotation is Int, "the image of \(place) has no rotation")
      if reading.firstImage == nil {
        reading.firstImage = body
        reading.inspection.add(.width, width)
        reading.inspection.add(.height, height)
      }
      guard let jpeg = JPEGFrame(body) else {
        reading.inspection.expect(false, "the payload of \(place) is not a complete JPEG")
        return
      }
      reading.inspection.expect(
        (jpeg.width, jpeg.height) == (width, height),
        "\(place) states \(width)x\(height), and its JPEG is \(jpeg.width)x\(jpeg.height)")
    } else if values["audio"] is [String: Any] {
      reading.audioBytes += body.count
      reading.inspection.expect(
        body.count % 2 == 0, "\(place) has \(body.count) bytes of audio, which are no whole 16-bit samples")
    } else {
      reading.inspection.expect(false, "the header of \(place) describes neither an image nor audio")
    }
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
