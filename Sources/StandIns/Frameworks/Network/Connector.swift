import Dispatch
import Glibc

/// Connects the socket of a connection. Used on one queue.
///
/// Unchecked `Sendable`: only its connection calls it, on that queue.
final class Connector: @unchecked Sendable {
  private let endpoint: NWEndpoint
  private let parameters: NWParameters
  private let queue: DispatchQueue
  private var accepted: Int32?
  private let flow: SocketFlow
  private var isCancelled = false
  /// The current attempt. Used on the queue only.
  private var attempt: (any DispatchSourceWrite)?
  private var attempts = 0
  /// The error of the attempt; `nil` if it connected.
  private var attemptResult: NWError?

  init(
    _ endpoint: NWEndpoint, _ parameters: NWParameters, _ queue: DispatchQueue, accepted: Int32?
  ) {
    self.endpoint = endpoint
    self.parameters = parameters
    self.queue = queue
    self.accepted = accepted
    flow = SocketFlow(isDatagram: parameters.transport == .udp, queue: queue)
  }

  deinit { if let accepted { _ = Glibc.close(accepted) } }

  private var isDatagram: Bool { parameters.transport == .udp }

  func connect(
    _ completion: @escaping (Result<Void, NWError>) -> Void, onFailure: @escaping (NWError) -> Void
  ) {
    if let descriptor = accepted.take() { return begin(descriptor, completion, onFailure) }
    guard !parameters.isSecure else {
      NSLog("%@", "NWConnection: the emulator has no TLS over NWConnection: use .tcp, or a URLSession")
      return completion(.failure(.tls(-9848)))
    }
    do throws(NWError) {
      let addresses = try SocketEndpoint.resolve(endpoint, isDatagram: isDatagram)
      try connect(addresses[...], completion, onFailure)
    } catch { completion(.failure(error)) }
  }

  /// Tries one address after the other.
  private func connect(
    _ addresses: ArraySlice<SocketEndpoint>, _ completion: @escaping (Result<Void, NWError>) -> Void,
    _ onFailure: @escaping (NWError) -> Void
  ) throws(NWError) {
    guard let address = addresses.first else { throw .posix(.EADDRNOTAVAIL) }
    let type = (isDatagram ? SOCK_DGRAM : SOCK_STREAM) | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(address.family, type, 0)
    guard descriptor >= 0 else { throw .last() }
    setOptions(of: descriptor, address.family)
    do throws(NWError) { try bind(descriptor, address.family) } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
    // UNSAFE: the call reads the address.
    if unsafe address.withAddress({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 {
      return begin(descriptor, completion, onFailure)
    }
    guard errno == EINPROGRESS else {
      let error = NWError.last()
      _ = Glibc.close(descriptor)
      guard addresses.count > 1 else { throw error }
      return try connect(addresses.dropFirst(), completion, onFailure)
    }
    wait(for: descriptor) { [self] error in
      guard let error else { return begin(descriptor, completion, onFailure) }
      _ = Glibc.close(descriptor)
      guard !isCancelled, addresses.count > 1 else { return completion(.failure(error)) }
      do throws(NWError) { try connect(addresses.dropFirst(), completion, onFailure) } catch {
        completion(.failure(error))
      }
    }
  }

  private func wait(for descriptor: Int32, _ completion: @escaping (NWError?) -> Void) {
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    attemptResult = .posix(.ECANCELED)
    source.setEventHandler { [self] in
      var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      // UNSAFE: the option's value is a local variable of its type.
      _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
      attemptResult = code == 0 ? nil : .code(code)
      attempt?.cancel()
    }
    source.setCancelHandler { [self] in
      attempt = nil
      completion(attemptResult)
    }
    (attempt, attempts) = (source, attempts + 1)
    source.activate()
    let (seconds, number) = (parameters.tcpOptions?.connectionTimeout ?? 0, attempts)
    guard seconds > 0 else { return }
    queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      guard let self, attempts == number, let attempt else { return }
      attemptResult = .posix(.ETIMEDOUT)
      attempt.cancel()
    }
  }

  private func bind(_ descriptor: Int32, _ family: Int32) throws(NWError) {
    guard let local = parameters.requiredLocalEndpoint, family != AF_UNIX else { return }
    let addresses = try SocketEndpoint.resolve(local, isDatagram: isDatagram, isLocal: true)
    guard let address = addresses.first(where: { $0.family == family }) else { return }
    // UNSAFE: the call reads the address.
    if unsafe address.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) != 0 { throw .last() }
  }

  private func setOptions(of descriptor: Int32, _ family: Int32) {
    func set(_ level: Int32, _ option: Int32, _ value: Int) {
      var value = Int32(clamping: value)
      // UNSAFE: the option's value is a local variable of its type.
      _ = unsafe Glibc.setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_REUSEADDR, 1)
    guard family != AF_UNIX, let options = parameters.tcpOptions else { return }
    let level = Int32(IPPROTO_TCP)
    if options.noDelay { set(level, TCP_NODELAY, 1) }
    guard options.enableKeepalive else { return }
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    if options.keepaliveIdle > 0 { set(level, TCP_KEEPIDLE, options.keepaliveIdle) }
    if options.keepaliveInterval > 0 { set(level, TCP_KEEPINTVL, options.keepaliveInterval) }
    if options.keepaliveCount > 0 { set(level, TCP_KEEPCNT, options.keepaliveCount) }
  }

  private func begin(
    _ descriptor: Int32, _ completion: (Result<Void, NWError>) -> Void,
    _ onFailure: @escaping (NWError) -> Void
  ) {
    guard !isCancelled else {
      _ = Glibc.close(descriptor)
      return
    }
    // The client learns that the connection is ready before it receives data.
    completion(.success(()))
    flow.open(descriptor, onFailure: onFailure)
  }

  func send(
    _ bytes: [UInt8], isFinal: Bool, hasContent: Bool, _ completion: @escaping (NWError?) -> Void
  ) {
    // There is nothing to send, and nothing ends.
    guard hasContent || isFinal else { return completion(flow.failure) }
    flow.send(SocketFlow.Write(bytes: bytes, isFinal: isFinal, completion: completion))
  }

  func receive(_ read: SocketFlow.Read) { flow.receive(read) }

  func cancel(_ error: NWError = .posix(.ECANCELED)) {
    isCancelled = true
    attempt?.cancel()
    flow.cancel(error)
  }
}
