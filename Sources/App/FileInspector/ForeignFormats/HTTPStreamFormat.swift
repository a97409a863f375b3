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
    let isFirst = start == 0
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
    if isFirst {
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
      let jpeg = check(body, width: width, height: height, place, &inspection)
      if isFirst, jpeg != nil { inspection.jpeg = body }
    }
    return head.end + length
  }

  private static func check(
    _ body: ArraySlice<UInt8>, width: Int, height: Int, _ place: String, _ inspection: inout Inspection
  ) -> JPEGFrame? {
    guard let jpeg = JPEGFrame(body) else {
      inspection.fail("the body of \(place) is not a complete JPEG")
      return nil
    }
    // Some apps send frames at half size, and not all of them state that size.
    if inspection.expect(
      (1...65_535).contains(width) && (1...65_535).contains(height),
      "\(place) states \(width)x\(height), and a JPEG's sides are 1 to 65535")
    {
      inspection.expect(
        (jpeg.width, jpeg.height) == (width, height)
          || (width / 2...(width + 1) / 2).contains(jpeg.width)
            && (height / 2...(height + 1) / 2).contains(jpeg.height),
        "\(place) states \(width)x\(height), and its JPEG is \(jpeg.width)x\(jpeg.height)")
    }
    return jpeg
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
