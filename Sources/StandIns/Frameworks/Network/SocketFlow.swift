import Dispatch
import Glibc

/// The bytes of one connection: received bytes that were not requested yet, and bytes that wait to be sent (even before the
/// socket is open). Used on one queue.
///
/// Unchecked `Sendable`: only its connection calls it, on that queue.
final class SocketFlow: @unchecked Sendable {
  typealias Received = (Data?, Bool, NWError?) -> Void

  struct Read {
    let minimum: Int
    let maximum: Int
    let completion: Received
  }

  struct Write {
    let bytes: [UInt8]
    /// The number of bytes that the socket has accepted. A datagram is accepted as a whole, even if it is empty.
    var sent = 0
    let isFinal: Bool
    let completion: (NWError?) -> Void
  }

  private let queue: DispatchQueue
  private var descriptor: Int32 = -1
  private let isDatagram: Bool
  private var inbound: [UInt8] = []
  /// A packet that is being received.
  private var datagram: [UInt8]?
  private var reads = Line<Read>()
  private var writes = Line<Write>()
  private var hasEnded = false
  /// Whether the last bytes were sent.
  private var hasFinished = false
  private(set) var failure: NWError?
  private var readSource: (any DispatchSourceRead)?
  private var writeSource: (any DispatchSourceWrite)?
  private var isReading = false
  private var isWriting = false
  /// Called once, when the connection fails.
  private var onFailure: (NWError) -> Void = { _ in }

  init(isDatagram: Bool, queue: DispatchQueue) {
    self.isDatagram = isDatagram
    self.queue = queue
  }

  /// Starts with a connected, non-blocking socket.
  func open(_ descriptor: Int32, onFailure: @escaping (NWError) -> Void) {
    self.descriptor = descriptor
    self.onFailure = onFailure
    // A separate descriptor: Dispatch on Linux loses events when two sources of one descriptor are suspended and resumed.
    let writable = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard writable >= 0 else {
      fail(.last())
      _ = Glibc.close(descriptor)
      return
    }
    let writer = DispatchSource.makeWriteSource(fileDescriptor: writable, queue: queue)
    writer.setEventHandler { [weak self] in self?.write() }
    writer.setCancelHandler { _ = Glibc.close(writable) }
    let reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    reader.setEventHandler { [weak self] in self?.read() }
    reader.setCancelHandler { _ = Glibc.close(descriptor) }
    (readSource, writeSource) = (reader, writer)
    write()
    read()
  }

  deinit { close() }

  func receive(_ read: Read) {
    reads.append(read)
    self.read()
  }

  func send(_ write: Write) {
    writes.append(write)
    if writes.count == 1 { self.write() }
  }

  /// Ends the connection. Waiting reads and writes complete with an error.
  func cancel(_ error: NWError = .posix(.ECANCELED)) {
    failure = failure ?? error
    close()
    completeAll()
  }

  private func close() {
    guard let reader = readSource, let writer = writeSource else { return }
    (readSource, writeSource) = (nil, nil)
    // Cancelling a suspended source has no effect until it is resumed.
    if !isReading { reader.resume() }
    if !isWriting { writer.resume() }
    reader.cancel()
    writer.cancel()
  }

  private func setReading(_ isReading: Bool) {
    guard let readSource, isReading != self.isReading else { return }
    self.isReading = isReading
    if isReading { readSource.resume() } else { readSource.suspend() }
  }

  private func setWriting(_ isWriting: Bool) {
    guard let writeSource, isWriting != self.isWriting else { return }
    self.isWriting = isWriting
    if isWriting { writeSource.resume() } else { writeSource.suspend() }
  }

  private func read() {
    while let read = reads.first {
      if let failure, inbound.isEmpty {
        reads.removeFirst().completion(nil, false, failure)
      } else if let packet = datagram.take() {
        reads.removeFirst().completion(Data(packet.prefix(read.maximum)), true, nil)
      } else if !isDatagram, hasEnded || inbound.count >= read.minimum {
        let part = Data(inbound.prefix(read.maximum))
        inbound.removeFirst(part.count)
        reads.removeFirst().completion(part.isEmpty ? nil : part, hasEnded && inbound.isEmpty, nil)
      } else if !fill(read) {
        break
      }
    }
    setReading(!reads.isEmpty && failure == nil && !hasEnded)
  }

  /// Receives the available bytes. Returns `false` if there are none.
  private func fill(_ read: Read) -> Bool {
    guard readSource != nil else { return false }
    var bytes = [UInt8](
      repeating: 0, count: isDatagram ? 65_536 : max(min(read.maximum - inbound.count, 262_144), 1))
    // UNSAFE: the call writes at most the size of the array.
    let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count >= 0 else {
      if errno == EINTR { return true }
      if errno == EAGAIN || errno == EWOULDBLOCK { return false }
      fail(.last())
      return true
    }
    if isDatagram {
      datagram = Array(bytes.prefix(count))
    } else if count == 0 {
      if isReclaimed { fail(.posix(.ECONNABORTED)) } else { hasEnded = true }
    } else {
      inbound += bytes.prefix(count)
    }
    return true
  }

  /// Whether the system has shut down the socket of TCP, as it does while an app is suspended: then it cannot send any more, unlike
  /// a socket whose other end has finished.
  private var isReclaimed: Bool {
    // UNSAFE: the call fills the memory that it is given.
    let own = unsafe SocketEndpoint(filling: { unsafe getsockname(descriptor, $0, $1) == 0 })
    guard own?.family != AF_UNIX, !hasFinished else { return false }
    return Glibc.send(descriptor, nil, 0, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) < 0 && errno == EPIPE
  }

  private func write() {
    while failure == nil, writeSource != nil, let next = writes.first {
      if next.sent == next.bytes.count, !isDatagram || next.isFinal {
        if next.isFinal {
          hasFinished = true
          shutdown(descriptor, Int32(SHUT_WR))
        }
        writes.removeFirst().completion(nil)
        continue
      }
      // UNSAFE: the call reads bytes of the array.
      let count = unsafe next.bytes.withUnsafeBytes {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[next.sent...])
        return unsafe Glibc.send(
          descriptor, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN || errno == EWOULDBLOCK { break }
        if isDatagram, errno == ECONNREFUSED || errno == EMSGSIZE {
          // The error answers an earlier packet, or the packet is too large. The flow continues.
          let error = NWError.last()
          writes.removeFirst().completion(error)
          continue
        }
        fail(.last())
      } else if isDatagram, !next.isFinal {
        writes.removeFirst().completion(nil)
      } else {
        writes.first?.sent += count
      }
    }
    if failure != nil { completeWrites() }
    setWriting(!writes.isEmpty && failure == nil)
  }

  private func fail(_ error: NWError) {
    guard failure == nil else { return }
    failure = error
    onFailure(error)
  }

  private func completeAll() {
    completeWrites()
    while !reads.isEmpty { reads.removeFirst().completion(nil, false, failure) }
  }

  private func completeWrites() {
    while !writes.isEmpty { writes.removeFirst().completion(failure) }
  }
}

/// A queue of waiting elements. Removing the first takes constant time (amortized).
private struct Line<Element> {
  private var elements: [Element?] = []
  /// The index of the first element. The elements before it are empty.
  private var start = 0

  var count: Int { elements.count - start }
  var isEmpty: Bool { count == 0 }
  var first: Element? {
    get { isEmpty ? nil : elements[start] }
    set { elements[start] = newValue }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes and returns the first element, which must exist.
  mutating func removeFirst() -> Element {
    guard let element = elements[start].take() else { preconditionFailure("nothing waits") }
    start += 1
    if 2 * start >= elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }
}
