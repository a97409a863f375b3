import AppleFoundation
import Testing

@Suite struct CFHTTPMessageTests {
  private func append(_ text: String, to message: CFHTTPMessage) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe CFHTTPMessageAppendBytes(message, bytes, bytes.count)
  }

  @Test func serializesAResponseWithHeaderAndBody() {
    let message = unsafe CFHTTPMessageCreateResponse(kCFAllocatorDefault, 200, nil, kCFHTTPVersion1_1)
      .takeRetainedValue()
    CFHTTPMessageSetHeaderFieldValue(message, "Content-Length" as CFString, "2" as CFString)
    CFHTTPMessageSetHeaderFieldValue(message, "content-length" as CFString, "3" as CFString)
    CFHTTPMessageSetHeaderFieldValue(message, "Buffer-Width" as CFString, String(320) as CFString)
    CFHTTPMessageSetBody(message, Data("abc".utf8) as CFData)
    let data = CFHTTPMessageCopySerializedMessage(message)?.takeRetainedValue() as Data?
    #expect(data == Data("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nBuffer-Width: 320\r\n\r\nabc".utf8))
  }

  @Test func parsesWhatArrivesInPieces() {
    let message = unsafe CFHTTPMessageCreateEmpty(kCFAllocatorDefault, false).takeRetainedValue()
    #expect(append("HTTP/1.1 404 Not Found\r\nBuffer-Orientation:", to: message))
    #expect(!CFHTTPMessageIsHeaderComplete(message))
    #expect(append(" 8\r\n\r", to: message))
    #expect(append("\nab", to: message))
    #expect(append("c", to: message))
    #expect(CFHTTPMessageIsHeaderComplete(message))
    #expect(CFHTTPMessageCopyHeaderFieldValue(message, "buffer-orientation")?.takeRetainedValue() == "8")
    #expect(CFHTTPMessageCopyHeaderFieldValue(message, "other") == nil)
    #expect(CFHTTPMessageCopyBody(message)?.takeRetainedValue() == Data("abc".utf8))
  }

  @Test func refusesWhatIsNotHTTP() {
    let message = unsafe CFHTTPMessageCreateEmpty(kCFAllocatorDefault, false).takeRetainedValue()
    #expect(!append("GET / HTTP/1.1\r\n\r\n", to: message))
  }

  @Test func createsARequestOfAnAddress() throws {
    let url = try #require(URL(string: "http://example.com:8080/frame?n=1"))
    let message = unsafe CFHTTPMessageCreateRequest(nil, "POST", url, kCFHTTPVersion1_1).takeRetainedValue()
    #expect(
      CFHTTPMessageCopySerializedMessage(message)?.takeRetainedValue()
        == Data("POST /frame?n=1 HTTP/1.1\r\nHost: example.com:8080\r\n\r\n".utf8))
  }
}
