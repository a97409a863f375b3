/// A captured socket with frames as HTTP responses: headers `Content-Length`, `Buffer-Width`, `Buffer-Height` and
/// `Buffer-Orientation`, then a JPEG.
enum HTTPStreamFormat: KnownFormat {
  static let name = "http-stream"
  static let summary = "a socket's stream of JPEG frames as HTTP responses"

  private static let status = "HTTP/1.1 200"
  private static let longestHead = 8192

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard bytes.has("HTTP/1.", at: 0) else { return nil }
    var inspection = Inspection(self)
    var (at, messages) = (0, 0)
    while at < bytes.count, let end = message(bytes, at: at, number: messages + 1, &inspection) {
      messages += 1
      at = end
    }
    inspection.add(.messages, messages)
    return inspection
  }

  /// Checks one message; returns its end, or `nil` if that is unknown or the message is cut short.
  private static func message(
    _ bytes: FileBytes, at start: Int, number: Int, _ inspection: inout Inspection
  ) -> Int? {
    let place = "message \(number) at byte \(start)"
    guard inspection.expect(bytes.has(status, at: start), "\(place) does not begin with '\(status)'"),
      let head = head(bytes, at: start)
    else {
      if inspection.isWellFormed { inspection.expect(false, "\(place) has headers that do not end") }
      return nil
    }
    var values: [String: Int] = [:]
    for name in ["Content-Length", "Buffer-Width", "Buffer-Height", "Buffer-Orientation"] {
      let text = head.fields[name.lowercased()]
      let value = text.flatMap { Int($0) }
      inspection.expect(
        value != nil, text.map { "\(place) has '\($0.prefix(20))' as \(name)" } ?? "\(place) has no \(name)")
      values[name] = value
    }
    if number == 1 {
      if let width = values["Buffer-Width"] { inspection.add(.width, width) }
      if let height = values["Buffer-Height"] { inspection.add(.height, height) }
      if let orientation = values["Buffer-Orientation"] { inspection.addOrientation(orientation) }
    } else if let orientation = values["Buffer-Orientation"] {
      inspection.expect((1...8).contains(orientation), "\(place) has the orientation \(orientation)")
    }
    guard let length = values["Content-Length"],
      inspection.expect(length >= 0, "\(place) has a length of \(length)")
    else { return nil }
    guard let body = bytes.slice(head.end, length) else {
      inspection.expect(
        false, "\(place) has a body of \(length) bytes, of which \(bytes.count - head.end) are there")
      return nil
    }
    if let width = values["Buffer-Width"], let height = values["Buffer-Height"] {
      check(body, width: width, height: height, place, &inspection)
      if number == 1, JPEGFrame(body) != nil { inspection.jpeg = body }
    }
    return head.end + length
  }

  private static func check(
    _ body: ArraySlice<UInt8>, width: Int, height: Int, _ place: String, _ inspection: inout Inspection
  ) {
    guard let jpeg = JPEGFrame(body) else {
      inspection.expect(false, "the body of \(place) is not a complete JPEG")
      return
    }
    guard (1...65_535).contains(width), (1...65_535).contains(height) else {
      inspection.expect(false, "\(place) states \(width)x\(height), and a JPEG's sides are 1 to 65535")
      return
    }
    // Some apps send frames at half size, and not all of them state that size.
    let half = (width / 2...(width + 1) / 2, height / 2...(height + 1) / 2)
    let isWhole = (jpeg.width, jpeg.height) == (width, height)
    inspection.expect(
      isWhole || half.0.contains(jpeg.width) && half.1.contains(jpeg.height),
      "\(place) states \(width)x\(height), and its JPEG is \(jpeg.width)x\(jpeg.height)")
  }

  private static func head(
    _ bytes: FileBytes, at start: Int
  ) -> (fields: [String: String], end: Int)? {
    let limit = min(bytes.count, start + longestHead)
    var at = start
    var fields: [String: String] = [:]
    while let end = bytes.all[at..<limit].firstIndex(of: 0x0A) {
      var line = bytes.all[at..<end]
      if line.last == 0x0D { line = line.dropLast() }
      at = end + 1
      if line.isEmpty { return (fields, at) }
      let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    return nil
  }
}
