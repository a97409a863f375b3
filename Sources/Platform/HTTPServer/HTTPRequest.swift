import Foundation

/// A request of a client.
package struct HTTPRequest: Equatable, Sendable {
  /// What the request does.
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  package var method: Method
  /// The path, which begins with a slash, as it was sent.
  package var path: String
  /// What follows the question mark of the target; empty without one.
  package var query: String
  /// The header fields, with names in lower case. Values of a repeated field are joined by commas.
  package var fields: [String: String]
  package var body: [UInt8]

  package init(
    _ method: Method, _ path: String, query: String = "", fields: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// Returns the percent-decoded value of a query parameter; `nil` if it is missing or cannot be decoded.
  package func parameter(_ name: String) -> String? {
    let prefix = "\(name)="
    return query.split(separator: "&").first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
      .removingPercentEncoding
  }

  /// Whether the client closes the connection after the answer.
  var closes: Bool {
    fields["connection"]?.lowercased().split(separator: ",").contains { word in
      word.drop { $0 == " " }.hasPrefix("close")
    } ?? false
  }
}
