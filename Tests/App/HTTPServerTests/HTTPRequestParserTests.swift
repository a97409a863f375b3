import HTTPServer
import TestSupport

@Suite struct HTTPRequestParserTests {
  private static let post =
    "POST /control?x=1 HTTP/1.1\r\nHost: a\r\nX-Note:  b c \r\nContent-Length: 5\r\n\r\nhello"

  @Test(arguments: [1, 2, 3, 7, 1000]) func aRequestInPiecesIsTheSame(size: Int) throws {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    let bytes = Array(Self.post.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      #expect(try parser.next() == nil)
      parser.append(bytes[start..<min(start + size, bytes.count)])
    }
    let request = try #require(try parser.next())
    #expect(
      request
        == HTTPRequest(
          .post, "/control", query: "x=1", fields: ["host": "a", "x-note": "b c", "content-length": "5"],
          body: Array("hello".utf8)))
    #expect(!parser.isWithinRequest)
  }

  @Test func requestsInOnePieceComeInOrder() throws {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    let text = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\n" + Self.post + "GET /3 HTTP/1.1\r\nHost: a\r\n\r\nGET"
    parser.append(Array(text.utf8)[...])
    #expect(try parser.next()?.path == "/1" && parser.next()?.path == "/control")
    #expect(try (parser.next()?.path, parser.next(), parser.isWithinRequest) == ("/3", nil, true))
  }

  /// Removing each line from the front of the buffer would take minutes.
  @Test func aFloodOfEmptyLinesIsIgnored() throws {
    let start = processorTime()
    var parser = HTTPRequestParser(limits: HTTPLimits())
    for _ in 0..<500_000 { parser.append([13, 10]) }
    #expect(try (parser.next(), parser.isWithinRequest) == (nil, false))
    #expect(processorTime() - start < .seconds(60))
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\nHost: a\n\n", HTTPStatus.badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", .badRequest),
    ("GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /\r\nHost: a\r\n\r\n", .badRequest),
    ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .badRequest),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", .contentTooLarge),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", .contentTooLarge),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .notImplemented),
    ("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", .notImplemented),
    ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", .versionNotSupported),
    ("GET / HTTP/2\r\nHost: a\r\n\r\n", .versionNotSupported),
    ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", .badRequest),
  ]) func aRequestAgainstTheRulesIsRefused(text: String, status: HTTPStatus) {
    expectRefusal(of: text, status)
  }

  @Test func whatIsTooLargeIsRefusedBeforeItIsComplete() {
    expectRefusal(of: "GET /" + String(repeating: "a", count: 20_000), .uriTooLong)
    expectRefusal(of: "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 20_000), .fieldsTooLarge)
    let fields = String(repeating: "A: b\r\n", count: 101)
    expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", .fieldsTooLarge)
  }

  private func expectRefusal(of text: String, _ status: HTTPStatus) {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.append(Array(text.utf8)[...])
    let failure = #expect(throws: HTTPRequestParser.Failure.self) { try parser.next() }
    #expect(failure?.status == status)
  }
}
