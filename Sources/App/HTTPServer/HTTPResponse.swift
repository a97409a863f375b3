/// An answer to a request.
package struct HTTPResponse: Sendable {
  package var status: HTTPStatus
  /// The media type of the body.
  package var type: String
  /// Further header fields.
  package var fields: [(name: String, value: String)]
  package var body: Body
  /// The allowed source of styles, as in a Content-Security-Policy; `nil` for this server.
  private let styles: String?

  /// The content of an answer.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Content that is created while it is sent.
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

  /// Creates an answer with one line of text.
  package init(_ status: HTTPStatus, _ text: String, fields: [(name: String, value: String)] = []) {
    self.init(
      status, type: "text/plain; charset=utf-8", fields: fields, body: .bytes(Array((text + "\n").utf8)))
  }

  /// Returns the status line and the header, up to the body.
  func head(closes: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status.code) \(status.text)", "Content-Type: \(type)"]
    switch body {
    case .bytes(let bytes): lines.append("Content-Length: \(bytes.count)")
    case .stream: lines.append("Transfer-Encoding: chunked")
    }
    lines += safety + fields.map { "\($0.name): \($0.value)" }
    if closes { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Header fields that keep pages from loading content of other sites, and other sites from embedding or reading an answer.
  private var safety: [String] {
    [
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src \(styles ?? "'self'"); img-src 'self' blob: data:; "
        + "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Cross-Origin-Resource-Policy: same-origin", "X-Content-Type-Options: nosniff",
      "Referrer-Policy: no-referrer", "Cache-Control: no-store",
    ]
  }
}

/// The content of an answer that is created while it is sent. The server requests a piece only when the client has taken the
/// previous piece, so a slow client costs the memory of one piece. The stream decides what to skip for such a client.
package protocol HTTPBodyStream: AnyObject, Sendable {
  /// Returns the next piece. Called on the server's thread when the client is ready, and after ``HTTPServer/wake()``. The stream
  /// is released when the connection ends.
  func next() -> HTTPBodyPiece
  /// The approximate size of the next piece in bytes (0 for a small piece). The server reserves room for it before ``next()``.
  var nextByteCount: Int { get }
}

extension HTTPBodyStream {
  package var nextByteCount: Int { 0 }
}

/// The current content of a stream for its client.
package enum HTTPBodyPiece: Sendable {
  /// Content that is not empty.
  case bytes([UInt8])
  /// No content before the next ``HTTPServer/wake()``.
  case wait
  /// The content is complete.
  case end
}

/// The status of an answer, with the reason phrase of RFC 9110.
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
  package static let uriTooLong = Self(code: 414, text: "URI Too Long")
  package static let fieldsTooLarge = Self(code: 431, text: "Request Header Fields Too Large")
  package static let notImplemented = Self(code: 501, text: "Not Implemented")
  package static let unavailable = Self(code: 503, text: "Service Unavailable")
  package static let versionNotSupported = Self(code: 505, text: "HTTP Version Not Supported")
}
