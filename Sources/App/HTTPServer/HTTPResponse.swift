/// An answer to a request.
package struct HTTPResponse: Sendable {
  package var status: HTTPStatus
  /// The media type of the body.
  package var type: String
  /// Further header fields.
  package var fields: [(name: String, value: String)]
  package var body: Body
  /// The source of styles that a page may have; `nil` for this server.
  private let styles: String?

  /// The content of an answer.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Content that comes over time.
    case stream(any HTTPBodyStream)
  }

  package init(
    _ status: HTTPStatus = .ok, type: String, fields: [(name: String, value: String)] = [], body: Body,
    styles: String? = nil
  ) {
    self.status = status
    self.type = type
    self.fields = fields
    self.body = body
    self.styles = styles
  }

  /// An answer of one line of text.
  package init(_ status: HTTPStatus, _ text: String, fields: [(name: String, value: String)] = []) {
    self.init(
      status, type: "text/plain; charset=utf-8", fields: fields, body: .bytes(Array((text + "\n").utf8)))
  }

  /// The status line and the header, up to the body.
  var head: [UInt8] {
    var lines = ["HTTP/1.1 \(status.code) \(status.text)", "Content-Type: \(type)", "Connection: close"]
    if case .bytes(let bytes) = body { lines.append("Content-Length: \(bytes.count)") }
    lines += safety + fields.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// A page loads nothing from elsewhere, and no other site may embed or read an answer.
  private var safety: [String] {
    [
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src \(styles ?? "'self'"); img-src 'self' blob: data:; "
        + "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Cross-Origin-Resource-Policy: same-origin", "X-Content-Type-Options: nosniff",
      "Referrer-Policy: no-referrer", "Cache-Control: no-store",
    ]
  }
}

/// Content of an answer that comes over time. The server asks for a piece only when the client has taken the last one, so a
/// slow client costs one piece: the stream decides what it leaves out.
package protocol HTTPBodyStream: AnyObject, Sendable {
  /// The next piece. Called on the server's thread, also after ``HTTPServer/wake()``. The stream is released when the
  /// connection ends.
  func next() -> HTTPBodyPiece
}

/// What a stream has for its client now.
package enum HTTPBodyPiece: Sendable {
  /// Content, which is not empty.
  case bytes([UInt8])
  /// Nothing until ``HTTPServer/wake()``.
  case wait
  /// The content is complete.
  case end
}

/// The result of a request. The texts are those of RFC 9110.
package struct HTTPStatus: Equatable, Sendable {
  let code: Int
  let text: String

  package static let ok = Self(code: 200, text: "OK")
  package static let badRequest = Self(code: 400, text: "Bad Request")
  package static let unauthorized = Self(code: 401, text: "Unauthorized")
  package static let forbidden = Self(code: 403, text: "Forbidden")
  package static let notFound = Self(code: 404, text: "Not Found")
  package static let methodNotAllowed = Self(code: 405, text: "Method Not Allowed")
  package static let requestTimeout = Self(code: 408, text: "Request Timeout")
  package static let contentTooLarge = Self(code: 413, text: "Content Too Large")
  package static let fieldsTooLarge = Self(code: 431, text: "Request Header Fields Too Large")
  package static let notImplemented = Self(code: 501, text: "Not Implemented")
  package static let unavailable = Self(code: 503, text: "Service Unavailable")
  package static let versionNotSupported = Self(code: 505, text: "HTTP Version Not Supported")
}
