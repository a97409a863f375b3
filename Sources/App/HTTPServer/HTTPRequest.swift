import Foundation

/// A request of a client.
package struct HTTPRequest: Equatable, Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  package var method: Method
  /// The path as sent. It begins with a slash.
  package var path: String
  /// The part of the target after the question mark; empty if there is none.
  package var query: String
  /// The header fields, with lowercase names. The values of a repeated field are joined by commas.
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

  /// Whether the client wants the connection closed after the answer.
  var closes: Bool {
    fields["connection"]?.lowercased().split(separator: ",").contains { word in
      word.drop { $0 == " " }.hasPrefix("close")
    } ?? false
  }
}

/// Parses requests from the bytes of a connection, in pieces of any size.
///
/// ```swift
/// var parser = HTTPRequestParser(limits: HTTPLimits())
/// parser.append(bytes)
/// while let request = try parser.next() { … }
/// ```
/// It is strict: it rejects everything that RFC 9112 allows a server to reject.
package struct HTTPRequestParser: Sendable {
  /// The reason why a request is rejected: the status of the answer, and a sentence. The connection cannot continue after
  /// it.
  package struct Failure: Error, Equatable, Sendable {
    package var status: HTTPStatus
    package var text: String

    init(_ status: HTTPStatus, _ text: String) {
      self.status = status
      self.text = text
    }
  }

  private let limits: HTTPLimits
  private var bytes: [UInt8] = []
  /// The number of bytes that have been searched for the end of the header.
  private var searched = 0
  /// The request whose body is incomplete, and the size of the body.
  private var pending: (request: HTTPRequest, bodyByteCount: Int)?

  package init(limits: HTTPLimits) { self.limits = limits }

  /// The number of bytes that do not belong to a complete request yet.
  package var byteCount: Int { bytes.count }
  /// Whether a request has begun but is incomplete.
  package var isWithinRequest: Bool { pending != nil || !bytes.isEmpty }

  package mutating func append(_ piece: ArraySlice<UInt8>) { bytes += piece }

  /// Returns the next complete request; `nil` if more bytes are needed.
  package mutating func next() throws(Failure) -> HTTPRequest? {
    if pending == nil {
      // RFC 9112, 2.2: empty lines before a request are ignored.
      var start = 0
      while bytes[start...].starts(with: [13, 10]) { start += 2 }
      if start > 0 { remove(start) }
      guard let end = try endOfHeader() else { return nil }
      var request = try Self.header(String(decoding: bytes[..<end], as: UTF8.self), limits)
      let count = try bodyByteCount(&request)
      remove(end + 4)
      pending = (request, count)
    }
    guard let (header, count) = pending, bytes.count >= count else { return nil }
    var request = header
    request.body = Array(bytes[..<count])
    remove(count)
    pending = nil
    return request
  }

  private mutating func remove(_ count: Int) {
    bytes.removeFirst(count)
    searched = 0
  }

  /// Returns the number of bytes before the empty line that ends the header. Checks all bytes before it.
  private mutating func endOfHeader() throws(Failure) -> Int? {
    for index in searched..<bytes.count {
      let byte = bytes[index]
      guard index < limits.headerByteCount else {
        let isWithinLine = !bytes[..<index].contains(10)
        throw isWithinLine
          ? Failure(.uriTooLong, "The request line is longer than \(limits.headerByteCount) bytes.")
          : Failure(.fieldsTooLarge, "The header is larger than \(limits.headerByteCount) bytes.")
      }
      let isReturn = index > 0 && bytes[index - 1] == 13
      guard (byte == 10) == isReturn else {
        throw Failure(.badRequest, "A line does not end with carriage return and line feed.")
      }
      guard byte == 9 || byte == 10 || byte == 13 || (32..<127).contains(byte) else {
        throw Failure(.badRequest, "The header has a byte that is not printable ASCII.")
      }
      if byte == 10, index >= 3, bytes[index - 2] == 10 { return index - 3 }
    }
    searched = bytes.count
    return nil
  }

  /// Parses a header without its final line end into a request without a body.
  private static func header(_ text: String, _ limits: HTTPLimits) throws(Failure) -> HTTPRequest {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    var request = try requestLine(lines[0])
    guard lines.count - 1 <= limits.fieldCount else {
      throw Failure(.fieldsTooLarge, "The header has more than \(limits.fieldCount) fields.")
    }
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        line[..<colon].utf8.allSatisfy({ isTokenByte($0) })
      else { throw Failure(.badRequest, "A header field has no valid name.") }
      let name = line[..<colon].lowercased()
      let value = trimmed(line[line.index(after: colon)...])
      if let other = request.fields[name] {
        guard name != "host", name != "content-length", name != "origin" else {
          throw Failure(.badRequest, "The field '\(name)' occurs twice.")
        }
        request.fields[name] = "\(other), \(value)"
      } else {
        request.fields[name] = value
      }
    }
    guard request.fields["host"] != nil else { throw Failure(.badRequest, "The field 'host' is missing.") }
    return request
  }

  private static func requestLine(_ line: Substring) throws(Failure) -> HTTPRequest {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0].utf8.allSatisfy({ isTokenByte($0) }), !words[0].isEmpty else {
      throw Failure(.badRequest, "The request line is not a method, a path and a version.")
    }
    guard words[2] == "HTTP/1.1" else {
      guard words[2].hasPrefix("HTTP/") else {
        throw Failure(.badRequest, "The request line does not end with a version.")
      }
      throw Failure(.versionNotSupported, "This server speaks HTTP/1.1.")
    }
    guard let method = HTTPRequest.Method(rawValue: String(words[0])) else {
      throw Failure(.notImplemented, "This server knows the methods GET and POST.")
    }
    guard words[1].first == "/", !words[1].utf8.contains(9), !words[1].contains("#") else {
      throw Failure(.badRequest, "The target is not a path.")
    }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return HTTPRequest(method, String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "")
  }

  private func bodyByteCount(_ request: inout HTTPRequest) throws(Failure) -> Int {
    guard request.fields["transfer-encoding"] == nil else {
      throw Failure(.notImplemented, "This server takes bodies with a 'content-length' only.")
    }
    guard let text = request.fields["content-length"] else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy({ (48..<58).contains($0) }) else {
      throw Failure(.badRequest, "The field 'content-length' is not a number.")
    }
    // A number that does not fit `Int` is too large as well.
    guard let count = Int(text), count <= limits.bodyByteCount else {
      throw Failure(.contentTooLarge, "The body is larger than \(limits.bodyByteCount) bytes.")
    }
    return count
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...last])
  }

  /// Whether a byte may occur in a method or a field name (RFC 9110, 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48..<58, 65..<91, 97..<123: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
