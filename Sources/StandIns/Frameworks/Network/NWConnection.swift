import Dispatch
import Synchronization

/// A connection over TCP or a Unix socket, or to a peer over UDP. There are no framers and no TLS.
public final class NWConnection: CustomDebugStringConvertible, Sendable {
  public enum State: Equatable, Sendable {
    case setup, waiting(NWError), preparing, ready, failed(NWError), cancelled
  }

  public final class ContentContext: Sendable {
    public let identifier: String
    public let isFinal: Bool

    public init(
      identifier: String, expiration: UInt64 = 0, priority: Double = 0.5, isFinal: Bool = false,
      antecedent: NWConnection.ContentContext? = nil
    ) {
      self.identifier = identifier
      self.isFinal = isFinal
    }

    public static let defaultMessage = ContentContext(identifier: "Default Message")
    public static let finalMessage = ContentContext(identifier: "Final Message", isFinal: true)
    public static let defaultStream = ContentContext(identifier: "Default Stream", isFinal: true)
  }

  public enum SendCompletion: Sendable {
    case contentProcessed(@Sendable (NWError?) -> Void)
    case idempotent
  }

  private struct Status: Sendable {
    var state = State.setup
    var stateHandler: (@Sendable (State) -> Void)?
    var viabilityHandler: (@Sendable (Bool) -> Void)?
    var queue: DispatchQueue?
  }

  public let endpoint: NWEndpoint
  public let parameters: NWParameters
  private let status = Mutex(Status())
  /// The queue of all work with the socket.
  private let work: DispatchQueue
  private let connector: Connector

  public convenience init(to endpoint: NWEndpoint, using parameters: NWParameters) {
    self.init(accepted: nil, from: endpoint, using: parameters)
  }

  public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
    self.init(to: .hostPort(host: host, port: port), using: parameters)
  }

  /// Creates a connection. `descriptor` is a connected socket of a listener, or `nil` for a socket that is opened
  /// later.
  init(accepted descriptor: Int32?, from endpoint: NWEndpoint, using parameters: NWParameters) {
    self.endpoint = endpoint
    self.parameters = parameters
    // Has a target, because a queue without one has its own thread while it works: many connections would have as many threads.
    work = DispatchQueue(label: "NWConnection", target: .global(qos: .userInitiated))
    connector = Connector(endpoint, parameters, work, accepted: descriptor)
  }

  deinit { work.async { [connector] in connector.cancel() } }

  public var state: State { status.withLock(\.state) }
  public var queue: DispatchQueue? { status.withLock(\.queue) }
  public var currentPath: NWPath? { state == .ready ? NWPath() : nil }

  public var stateUpdateHandler: (@Sendable (State) -> Void)? {
    get { status.withLock(\.stateHandler) }
    set { status.withLock { $0.stateHandler = newValue } }
  }
  public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)? {
    get { status.withLock(\.viabilityHandler) }
    set { status.withLock { $0.viabilityHandler = newValue } }
  }

  public func start(queue: DispatchQueue) {
    let isFirst = status.withLock { status in
      guard status.queue == nil else { return false }
      status.queue = queue
      return true
    }
    if isFirst { work.async { [self] in connect() } }
  }

  public func restart() {
    work.async { [self] in if case .waiting = state { connect() } }
  }

  public func send(
    content: Data?, contentContext: NWConnection.ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: NWConnection.SendCompletion
  ) {
    let bytes = content.map { [UInt8]($0) } ?? []
    work.async { [self] in
      connector.send(bytes, isFinal: contentContext.isFinal && isComplete, hasContent: content != nil) {
        [self] error in
        guard case .contentProcessed(let handler) = completion else { return }
        call { handler(error) }
      }
    }
  }

  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (Data?, NWConnection.ContentContext?, Bool, NWError?) -> Void
  ) {
    receive(minimum: minimumIncompleteLength, maximum: maximumLength, completion)
  }

  public func receiveMessage(
    completion: @escaping @Sendable (Data?, NWConnection.ContentContext?, Bool, NWError?) -> Void
  ) {
    receive(minimum: .max, maximum: .max, completion)
  }

  private func receive(
    minimum: Int, maximum: Int,
    _ completion: @escaping @Sendable (Data?, NWConnection.ContentContext?, Bool, NWError?) -> Void
  ) {
    let isDatagram = parameters.transport == .udp
    work.async { [self] in
      let read = SocketFlow.Read(minimum: max(minimum, 1), maximum: max(maximum, 1)) {
        [self] data, isComplete, error in
        let context: ContentContext? =
          data == nil && !isComplete ? nil : isComplete && !isDatagram ? .finalMessage : .defaultMessage
        call { completion(data, context, isComplete, error) }
      }
      connector.receive(read)
    }
  }

  public func cancel() {
    work.async { [self] in
      guard state != .cancelled else { return }
      connector.cancel()
      set(.cancelled)
      // The handlers may retain the connection.
      call { [self] in
        status.withLock { status in
          (status.stateHandler, status.viabilityHandler) = (nil, nil)
        }
      }
    }
  }

  /// Here the same as ``cancel()``.
  public func forceCancel() { cancel() }

  private func connect() {
    guard state != .cancelled else { return }
    set(.preparing)
    connector.connect { [self] result in
      guard state == .preparing else { return }
      switch result {
      case .success:
        set(.ready)
        let viability = status.withLock(\.viabilityHandler)
        call { viability?(true) }
      case .failure(.tls(let code)): fail(.tls(code))
      case .failure(let error): set(.waiting(error))
      }
    } onFailure: { [weak self] in
      self?.fail($0)
    }
  }

  private func fail(_ error: NWError) {
    guard state != .cancelled else { return }
    connector.cancel(error)
    set(.failed(error))
  }

  private func set(_ state: State) {
    let handler = status.withLock { status in
      status.state = state
      return status.stateHandler
    }
    call { handler?(state) }
  }

  private func call(_ body: @escaping @Sendable () -> Void) {
    // Before the start there is no queue, and nothing to report.
    queue?.async(execute: body)
  }

  public var debugDescription: String { "[\(endpoint.debugDescription) \(parameters.debugDescription)]" }
}
