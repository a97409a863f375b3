import Foundation
import Synchronization

public final class CFHTTPMessage: Sendable {
  fileprivate struct Content: Sendable {
    /// The request or status line; `nil` until it is parsed.
    var start: String?
    var fields: [(name: String, value: String)] = []
    var body = Data()
    /// The bytes of an incomplete header.
    var header = Data()
    let isRequest: Bool

    func index(_ name: String) -> Int? {
      fields.firstIndex { $0.name.caseInsensitiveCompare(name) == .orderedSame }
    }

    /// Adds received bytes. Returns `false` if the header is not valid HTTP.
    mutating func append(_ bytes: Data) -> Bool {
      guard start == nil else {
        body += bytes
        return true
      }
      header += bytes
      guard let end = header.firstRange(of: Data("\r\n\r\n".utf8)) else { return true }
      guard let text = String(data: header[..<end.lowerBound], encoding: .utf8) else { return false }
      var lines = text.components(separatedBy: "\r\n")
      let first = lines.removeFirst()
      guard isRequest ? first.contains(" HTTP/") : first.hasPrefix("HTTP/") else { return false }
      start = first
      for line in lines {
        guard let colon = line.firstIndex(of: ":") else { return false }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        fields.append((String(line[..<colon]), value))
      }
      body = Data(header[end.upperBound...])
      header = Data()
      return true
    }

    var serialized: Data? {
      guard let start else { return nil }
      let lines = [start] + fields.map { "\($0.name): \($0.value)" }
      return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
  }

  fileprivate let content: Mutex<Content>

  fileprivate init(start: String?, isRequest: Bool) {
    content = Mutex(Content(start: start, isRequest: isRequest))
  }
}

public let kCFHTTPVersion1_1: CFString = "HTTP/1.1"

public func CFHTTPMessageCreateResponse(
  _ alloc: CFAllocator?, _ statusCode: Int, _ statusDescription: CFString?, _ httpVersion: CFString
) -> Unmanaged<CFHTTPMessage> {
  let description =
    statusDescription
    ?? (statusCode == 200 ? "OK" : HTTPURLResponse.localizedString(forStatusCode: statusCode).capitalized)
  // UNSAFE: only by its type; the caller takes the reference.
  return unsafe .passRetained(
    CFHTTPMessage(start: "\(httpVersion) \(statusCode) \(description)", isRequest: false))
}

public func CFHTTPMessageCreateRequest(
  _ alloc: CFAllocator?, _ requestMethod: CFString, _ url: CFURL, _ httpVersion: CFString
) -> Unmanaged<CFHTTPMessage> {
  let query = url.query.map { "?\($0)" } ?? ""
  let path = (url.path.isEmpty ? "/" : url.path(percentEncoded: true)) + query
  let message = CFHTTPMessage(start: "\(requestMethod) \(path) \(httpVersion)", isRequest: true)
  if let host = url.host {
    CFHTTPMessageSetHeaderFieldValue(message, "Host", url.port.map { "\(host):\($0)" } ?? host)
  }
  // UNSAFE: only by its type; the caller takes the reference.
  return unsafe .passRetained(message)
}

public func CFHTTPMessageCreateEmpty(_ alloc: CFAllocator?, _ isRequest: Bool) -> Unmanaged<CFHTTPMessage> {
  // UNSAFE: only by its type; the caller takes the reference.
  unsafe .passRetained(CFHTTPMessage(start: nil, isRequest: isRequest))
}

@discardableResult
public func CFHTTPMessageAppendBytes(
  _ message: CFHTTPMessage, _ newBytes: UnsafePointer<UInt8>, _ numBytes: CFIndex
) -> Bool {
  // UNSAFE: the caller's memory of `numBytes` bytes.
  let bytes = unsafe Data(bytes: newBytes, count: numBytes)
  return message.content.withLock { $0.append(bytes) }
}

public func CFHTTPMessageIsHeaderComplete(_ message: CFHTTPMessage) -> Bool {
  message.content.withLock { $0.start != nil }
}

public func CFHTTPMessageSetHeaderFieldValue(
  _ message: CFHTTPMessage, _ headerField: CFString, _ value: CFString?
) {
  message.content.withLock { content in
    let index = content.index(headerField)
    switch (index, value) {
    case (let index?, let value?): content.fields[index].value = value
    case (let index?, nil): content.fields.remove(at: index)
    case (nil, let value?): content.fields.append((headerField, value))
    case (nil, nil): break
    }
  }
}

public func CFHTTPMessageCopyHeaderFieldValue(
  _ message: CFHTTPMessage, _ headerField: CFString
) -> CFUnmanagedValue<CFString>? {
  message.content.withLock { content in content.index(headerField).map { content.fields[$0].value } }
    .map(CFUnmanagedValue.init)
}

public func CFHTTPMessageSetBody(_ message: CFHTTPMessage, _ bodyData: CFData) {
  message.content.withLock { $0.body = bodyData }
}

public func CFHTTPMessageCopyBody(_ message: CFHTTPMessage) -> CFUnmanagedValue<CFData>? {
  CFUnmanagedValue(message.content.withLock(\.body))
}

public func CFHTTPMessageCopySerializedMessage(_ message: CFHTTPMessage) -> CFUnmanagedValue<CFData>? {
  message.content.withLock(\.serialized).map(CFUnmanagedValue.init)
}
