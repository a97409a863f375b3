import HTTPServer

/// Parses the bytes as the requests of a connection, at once and in pieces, with the same result.
package struct HTTPRequestTarget: FuzzTarget {
  package static let name = "http-request"

  private let limits: HTTPLimits

  package init(folder: String) {
    var limits = HTTPLimits()
    // Small limits, so that inputs reach them.
    limits.headerByteCount = 256
    limits.fieldCount = 8
    limits.bodyByteCount = 64
    self.limits = limits
  }

  package func run(_ bytes: [UInt8]) throws {
    let (requests, failure) = parse(bytes, pieces: max(1, bytes.count))
    for size in [1, 3] {
      let (others, otherFailure) = parse(bytes, pieces: size)
      try require(others == requests, "pieces of \(size) bytes are read as other requests")
      try require(otherFailure == failure, "pieces of \(size) bytes fail in another way")
    }
    for request in requests {
      try require(request.path.hasPrefix("/"), "a path that does not begin with a slash")
      try require(request.body.count <= limits.bodyByteCount, "a body above the limit")
      try require(request.fields.count <= limits.fieldCount, "more fields than the limit")
      try require(request.fields["host"] != nil, "a request without a host")
      let texts = request.fields.flatMap { [$0.key, $0.value] } + [request.path, request.query]
      let isPrintable = texts.allSatisfy { $0.utf8.allSatisfy { $0 == 9 || (32..<127).contains($0) } }
      try require(isPrintable, "a text that is not printable ASCII")
    }
  }

  private func parse(
    _ bytes: [UInt8], pieces size: Int
  ) -> (requests: [HTTPRequest], failure: HTTPRequestParser.Failure?) {
    var parser = HTTPRequestParser(limits: limits)
    var requests: [HTTPRequest] = []
    do throws(HTTPRequestParser.Failure) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        parser.append(bytes[start..<min(start + size, bytes.count)])
        while let request = try parser.next() { requests.append(request) }
      }
      return (requests, nil)
    } catch {
      return (requests, error)
    }
  }
}
