import Foundation

/// An endpoint that takes a call by WHIP (RFC 9725), to which a page may publish.
package struct PublishEndpoint: Encodable, Equatable, Sendable {
  package let url: String
  /// The token that it wants; `nil` without one.
  package var token: String?
  /// Scheme, host and port, as a content security policy and `Origin` write them.
  let origin: String

  private enum CodingKeys: CodingKey { case url, token }

  /// Creates the endpoint of an http or https address with a host name or an IPv4 address; `nil` for another text.
  ///
  /// A content security policy cannot name a host by its IPv6 address.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
      parts.user == nil, parts.password == nil,
      host.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E
      })
    else { return nil }
    if let port = parts.port, !(1...65535).contains(port) { return nil }
    let isUsual = parts.port == nil || parts.port == (scheme == "http" ? 80 : 443)
    url = text
    origin = "\(scheme)://\(host)\(isUsual ? "" : ":\(parts.port ?? 0)")"
  }
}
