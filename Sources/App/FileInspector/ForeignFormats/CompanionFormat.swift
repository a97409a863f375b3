import Foundation

/// A JSON file beside the article's mapping: the running session, the app's sign of life, or its request to stop.
enum CompanionFormat: KnownFormat {
  static let name = "companion"
  static let summary =
    "a companion file of the article's mapping: a session, a sign of life or a request to stop"

  private static let longest = 4096

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    guard bytes.count <= longest, bytes.first == UInt8(ascii: "{") else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("\"id\"") || text.contains("\"timestamp\"") else { return nil }
    var inspection = Inspection(self)
    do {
      let values = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let id = (values?["id"] as? NSNumber).flatMap { UInt32(exactly: $0) }
      let time = (values?["timestamp"] as? NSNumber).flatMap { Int32(exactly: $0) }
      if let id { inspection.add(.id, id) }
      if let time { inspection.add(.timestamp, time) }
      inspection.expect(id != nil, "it has no 'id' that is a whole number of 32 bits without sign")
      inspection.expect(time != nil, "it has no 'timestamp' that is a whole number of 32 bits")
    } catch {
      inspection.fail("it is not a complete JSON object")
    }
    return inspection
  }
}
