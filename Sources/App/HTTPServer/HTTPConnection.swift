import Platform

/// A connection of a client. Answers its requests in order, one at a time. Used on the server's thread.
final class HTTPConnection {
  let socket: FileDescriptor
  private(set) var isClosed = false
  private var parser: HTTPRequestParser
  private let inputLimit: Int
  /// The pieces to send, and the number of bytes of the first piece that were sent.
  private var output: [[UInt8]] = []
  private var sent = 0
  /// The rest of the current answer.
  private var stream: (any HTTPBodyStream)?
  /// Whether the connection ends after the current answer.
  private var isLast = false
  /// Whether the client sends nothing more.
  private var inputHasEnded = false
  /// When the connection is closed even if the client has not closed it; set after the last answer.
  private var lingersUntil: MonotonicTime?
  /// When the current request, piece of an answer, or idle time began.
  private(set) var since: MonotonicTime
  private var wasWithinRequest = false

  init(_ socket: consuming FileDescriptor, limits: HTTPLimits, at time: MonotonicTime) {
    self.socket = socket
    parser = HTTPRequestParser(limits: limits)
    inputLimit = limits.headerByteCount + limits.bodyByteCount
    since = time
  }

  /// Whether to read from the client. It is `false` while too many bytes wait for the current answer to end.
  var reads: Bool { lingersUntil != nil || (!inputHasEnded && parser.byteCount < inputLimit) }
  var writes: Bool { !output.isEmpty }
  /// The number of bytes that are kept until the client receives them.
  var outputByteCount: Int { output.reduce(0) { $0 + $1.count } }
  /// Whether there is work to do without waiting for an event.
  private(set) var hasWork = false

  /// Returns when the client's time runs out; `nil` while a stream has nothing to send.
  func deadline(_ limits: HTTPLimits) -> MonotonicTime? {
    if let lingersUntil { return lingersUntil }
    if !output.isEmpty { return since + limits.sendTime }
    if stream != nil { return nil }
    return since + (wasWithinRequest ? limits.requestTime : limits.idleTime)
  }

  /// Does the due work: receives once, sends as much as there is room for, and begins the next answer or piece. Before a
  /// piece is created, `makeRoom` is called with its approximate size in bytes.
  func serve(
    _ server: HTTPServer, _ entry: System.PollEntry, at time: MonotonicTime, buffer: inout [UInt8],
    makeRoom: (Int) -> Void
  ) {
    do throws(FileError) {
      if entry.isReady, reads { try receive(into: &buffer, at: time) }
      if entry.isBroken, !reads { isClosed = true }
      guard !isClosed, lingersUntil == nil else { return closeIfLate(server, at: time) }
      try send(at: time)
      hasWork = false
      if output.isEmpty {
        if let stream, case let count = stream.nextByteCount, count > 0 { makeRoom(count) }
        advance(server, at: time)
      }
      if hasWork { try send(at: time) }
      if isLast || inputHasEnded, output.isEmpty, stream == nil, !hasWork { linger(server, at: time) }
      closeIfLate(server, at: time)
    } catch {
      // The client has gone.
      isClosed = true
    }
  }

  private func receive(into buffer: inout [UInt8], at time: MonotonicTime) throws(FileError) {
    guard let count = try System.receiveAvailable(socket, into: &buffer) else { return }
    if count == 0 {
      inputHasEnded = true
      // The client of a stream has gone. Other clients may have sent their last request and wait for the answer.
      if stream != nil || lingersUntil != nil { isClosed = true }
    } else if lingersUntil == nil, !isLast {
      parser.append(buffer[..<count])
    }
  }

  private func send(at time: MonotonicTime) throws(FileError) {
    while let piece = output.first {
      guard let count = try System.sendAvailable(piece, from: sent, to: socket) else { return }
      sent += count
      if sent == piece.count {
        output.removeFirst()
        sent = 0
        if output.isEmpty { since = time }
      }
    }
  }

  /// Begins the next piece of the current answer, or the answer to the next request.
  private func advance(_ server: HTTPServer, at time: MonotonicTime) {
    if let stream {
      switch stream.next() {
      case .wait: return
      case .bytes(let bytes):
        output = [Array((String(bytes.count, radix: 16) + "\r\n").utf8), bytes, [13, 10]]
      case .end:
        output = [Array("0\r\n\r\n".utf8)]
        self.stream = nil
      }
      hasWork = true
    } else if !isLast {
      do throws(HTTPRequestParser.Failure) {
        let request = try parser.next()
        if let request {
          begin(server.answer(request), closes: request.closes)
        } else {
          let isWithinRequest = parser.isWithinRequest
          if isWithinRequest, !wasWithinRequest { since = time }
          wasWithinRequest = isWithinRequest
        }
      } catch {
        begin(HTTPResponse(error.status, error.text), closes: true)
      }
    }
    if !output.isEmpty { since = time }
  }

  private func begin(_ response: HTTPResponse, closes: Bool) {
    isLast = closes
    wasWithinRequest = false
    output = [response.head(closes: closes)]
    switch response.body {
    case .bytes(let bytes): if !bytes.isEmpty { output.append(bytes) }
    case .stream(let stream): self.stream = stream
    }
    hasWork = true
  }

  /// Closes the connection and releases its memory.
  func close() {
    isClosed = true
    output = []
    stream = nil
  }

  /// Ends sending, and waits for the client to close. Closing with unread bytes would reset the connection and discard the
  /// answer.
  private func linger(_ server: HTTPServer, at time: MonotonicTime) {
    if inputHasEnded { return isClosed = true }
    System.shutDown(socket, readingToo: false)
    lingersUntil = time + server.limits.lingerTime
  }

  private func closeIfLate(_ server: HTTPServer, at time: MonotonicTime) {
    guard !isClosed, !hasWork, let deadline = deadline(server.limits), time >= deadline else { return }
    if wasWithinRequest, lingersUntil == nil, output.isEmpty {
      begin(HTTPResponse(.requestTimeout, "The request was not complete in time."), closes: true)
    } else {
      isClosed = true
    }
  }
}
