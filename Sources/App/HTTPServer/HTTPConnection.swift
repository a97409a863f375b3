import Platform

/// A connection of a client. Answers one request. Used on the server's thread.
final class HTTPConnection {
  let socket: FileDescriptor
  private(set) var isClosed = false
  private var parser: HTTPRequestParser
  /// The pieces to send, and the number of bytes of the first piece that were sent.
  private var output: [[UInt8]] = []
  private var sent = 0
  /// The rest of the answer.
  private var stream: (any HTTPBodyStream)?
  /// Whether the answer has begun. Later data of the client is dropped.
  private var isAnswered = false
  /// Whether the client sends nothing more.
  private var inputHasEnded = false
  /// When the connection is closed even if the client has not closed it; set after the answer.
  private var lingersUntil: MonotonicTime?
  /// When the connection, or the current piece of the answer began.
  private(set) var since: MonotonicTime

  init(_ socket: consuming FileDescriptor, limits: HTTPLimits, at time: MonotonicTime) {
    self.socket = socket
    parser = HTTPRequestParser(limits: limits)
    since = time
  }

  var reads: Bool { !inputHasEnded }
  var writes: Bool { !output.isEmpty }
  /// Whether there is work to do without waiting for an event.
  private(set) var hasWork = false

  /// Returns when the client's time runs out; `nil` while a stream has nothing to send.
  func deadline(_ limits: HTTPLimits) -> MonotonicTime? {
    if let lingersUntil { return lingersUntil }
    if !output.isEmpty { return since + limits.sendTime }
    return stream == nil ? since + limits.requestTime : nil
  }

  /// Does the due work: receives once, sends as much as there is room for, and begins the answer or its next piece.
  func serve(
    _ server: HTTPServer, _ entry: System.PollEntry, at time: MonotonicTime, buffer: inout [UInt8]
  ) {
    do throws(FileError) {
      if entry.isReady, reads { try receive(into: &buffer) }
      if entry.isBroken, !reads { isClosed = true }
      guard !isClosed, lingersUntil == nil else { return closeIfLate(server, at: time) }
      try send(at: time)
      hasWork = false
      if output.isEmpty { advance(server, at: time) }
      if hasWork { try send(at: time) }
      if isAnswered || inputHasEnded, output.isEmpty, stream == nil, !hasWork { linger(server, at: time) }
      closeIfLate(server, at: time)
    } catch {
      // The client has gone.
      isClosed = true
    }
  }

  private func receive(into buffer: inout [UInt8]) throws(FileError) {
    guard let count = try System.receiveAvailable(socket, into: &buffer) else { return }
    if count == 0 {
      inputHasEnded = true
      // The client of a stream has gone. Other clients may have sent their request and wait for the answer.
      if stream != nil || lingersUntil != nil { isClosed = true }
    } else if !isAnswered {
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

  /// Begins the answer, or its next piece.
  private func advance(_ server: HTTPServer, at time: MonotonicTime) {
    if let stream {
      switch stream.next() {
      case .wait: return
      case .bytes(let bytes): output = [bytes]
      case .end: self.stream = nil
      }
      hasWork = true
    } else if !isAnswered {
      do throws(HTTPRequestParser.Failure) {
        if let request = try parser.request() { begin(server.answer(request)) }
      } catch {
        begin(HTTPResponse(error.status, error.text))
      }
    }
    if !output.isEmpty { since = time }
  }

  private func begin(_ response: HTTPResponse) {
    isAnswered = true
    output = [response.head]
    switch response.body {
    case .bytes(let bytes): if !bytes.isEmpty { output.append(bytes) }
    case .stream(let stream): self.stream = stream
    }
    hasWork = true
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
    if !isAnswered, parser.hasBytes {
      begin(HTTPResponse(.requestTimeout, "The request was not complete in time."))
    } else {
      isClosed = true
    }
  }
}
