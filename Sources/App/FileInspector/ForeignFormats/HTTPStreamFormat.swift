/// A captured socket with frames as HTTP responses: headers `Content-Length`, `Buffer-Width`, `Buffer-Height` and
/// `Buffer-Orientation`, then a JPEG.
enum HTTPStreamFormat: KnownFormat {
  static let name = "http-stream"
  static let summary = "a socket's stream of JPEG frames as HTTP responses"

  private static let status = "HTTP/1.1 200"
  private static let longestHead = 8192

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    guard bytes.has("HTTP/1.", at: 0) else { return nil }
    var inspection = Inspection(self)
    inspection.addMessages(of: bytes, named: "message") { message(bytes, at: $1, $2, &$0) }
    return inspection
  }

  /// Checks one message; returns its end, or `nil` if that is unknown or the message is cut short.
  private static func message(
    _ bytes: [UInt8], at start: Int, _ place: String, _ inspection: inout Inspection
  ) -> Int? {
    guard inspection.expect(bytes.has(status, at: start), "\(place) does not begin with '\(status)'") else {
      return nil
    }
    guard let head = head(bytes, at: start) else {
      inspection.fail("\(place) has headers that do not end")
      return nil
    }
    let values = ["Content-Length", "Buffer-Width", "Buffer-Height", "Buffer-Orientation"].map { name in
      let text = head.fields[name.lowercased()]
      let value = text.flatMap { Int($0) }
      inspection.expect(
        value != nil, text.map { "\(place) has '\($0.prefix(20))' as \(name)" } ?? "\(place) has no \(name)")
      return value
    }
    let (length, width, height, orientation) = (values[0], values[1], values[2], values[3])
    if start == 0 {
      if let width { inspection.add(.width, width) }
      if let height { inspection.add(.height, height) }
      if let orientation { inspection.addOrientation(orientation) }
    } else if let orientation {
      inspection.expect((1...8).contains(orientation), "\(place) has the orientation \(orientation)")
    }
    guard let length, inspection.expect(length >= 0, "\(place) has a length of \(length)") else { return nil }
    guard let body = bytes.slice(head.end, length) else {
      inspection.fail("\(place) has a body of \(length) bytes, of which \(bytes.count - head.end) are there")
      return nil
    }
    if let width, let height {
      // Some apps send frames at half size, and not all of them state that size.
      inspection.addImage(body, width: width, height: height, of: place, mayBeHalf: true)
    }
    return head.end + length
  }

  private static func head(_ bytes: [UInt8], at start: Int) -> (fields: [String: String], end: Int)? {
    var rest = bytes[start...].prefix(longestHead)
    var fields: [String: String] = [:]
    while let end = rest.firstIndex(of: 0x0A) {
      let line = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r").first ?? ""
      rest = rest[(end + 1)...]
      if line.isEmpty { return (fields, end + 1) }
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
    }
    return nil
  }
}
