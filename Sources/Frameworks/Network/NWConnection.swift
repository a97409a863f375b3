import Dispatch
import Synchronization

/// A connection over TCP, UDP or a Unix socket. Models the class of Network, without framers and TLS. Usable from any thread.
///
/// ```swift
/// let connection = NWConnection(host: "127.0.0.1", port: 8080, using: .tcp)
/// connection.stateUpdateHandler = { state in print(state) }
/// connection.start(queue: .main)
/// connection.send(content: data, completion: .contentProcessed { error in print(error as Any) })
/// ```
/// Handlers are called on the queue of `start(queue:)`. Content that is sent before the connection is ready waits.
public final class NWConnection: CustomDebugStringConvertible, Sendable {
  /// The state of a connection.
  public enum State: Equatable, Sendable {
    /// Not started.
    case setup
    /// The attempt failed, and nothing happens until ``NWConnection/restart()``.
    case waiting(NWError)
    /// Being connected.
    case preparing
    /// Connected.
    case ready
    /// Ended by an error.
    case failed(NWError)
    /// Cancelled.
    case cancelled
  }

  /// What a piece of content is part of.
  public final class ContentContext: Sendable {
    /// The name.
    public let identifier: String
    /// Whether no content follows.
    public let isFinal: Bool

    /// Creates a context.
    public init(
      identifier: String, expiration: UInt64 = 0, priority: Double = 0.5, isFinal: Bool = false,
      antecedent: NWConnection.ContentContext? = nil
    ) {
      (self.identifier, self.isFinal) = (identifier, isFinal)
    }

    /// A message, or a piece of a stream.
    public static let defaultMessage = ContentContext(identifier: "Default Message")
    /// The last content: the other end then receives the end of the stream.
    public static let finalMessage = ContentContext(identifier: "Final Message", isFinal: true)
    /// A stream, which ends with complete content.
    public static let defaultStream = ContentContext(identifier: "Default Stream", isFinal: true)
  }

  /// What happens when content was sent.
  public enum SendCompletion: Sendable {
    /// Calls a handler when the system has taken the content, or with an error.
    case contentProcessed(@Sendable (NWError?) -> Void)
    /// Nothing: the content may be lost.
    case idempotent
  }

  private struct Status: Sendable {
    var state = State.setup
    var stateHandler: (@Sendable (State) -> Void)?
    var viabilityHandler: (@Sendable (Bool) -> Void)?
    var pathHandler: (@Sendable (NWPath) -> Void)?
    var betterPathHandler: (@Sendable (Bool) -> Void)?
    var queue: DispatchQueue?
  }

  /// The other end.
  public let endpoint: NWEndpoint
  /// How the connection works.
  public let parameters: NWParameters
  private let status = Mutex(Status())
  /// Everything of the socket happens here.
  private let work: DispatchQueue
  private let connector: Connector

  /// Creates a connection to an endpoint.
  public init(to endpoint: NWEndpoint, using parameters: NWParameters) {
    (self.endpoint, self.parameters) = (endpoint, parameters)
    work = Self.makeQueue()
    connector = Connector(endpoint, parameters, work)
  }

  /// Creates a connection to a port of a host.
  public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
    self.init(to: .hostPort(host: host, port: port), using: parameters)
  }

  /// Takes a connected socket of a listener.
  init(
    accepted descriptor: Int32, from endpoint: NWEndpoint, using parameters: NWParameters, first: [[UInt8]]
  ) {
    (self.endpoint, self.parameters) = (endpoint, parameters)
    work = Self.makeQueue()
    connector = Connector(endpoint, parameters, work, accepted: (descriptor, first))
  }

  /// A queue without a target has a thread of its own while it works, and many connections as many.
  private static func makeQueue() -> DispatchQueue {
    DispatchQueue(label: "NWConnection", target: .global(qos: .userInitiated))
  }

  deinit { work.async { [connector] in connector.cancel() } }

  /// The state.
  public var state: State { status.withLock(\.state) }
  /// The queue of the handlers; `nil` before the start.
  public var queue: DispatchQueue? { status.withLock(\.queue) }
  /// The path of the connection; `nil` unless it is ready.
  public var currentPath: NWPath? { state == .ready ? NWPath() : nil }
  /// The most bytes of a packet of UDP.
  public var maximumDatagramSize: Int { 65_507 }

  /// Called with each new state.
  public var stateUpdateHandler: (@Sendable (State) -> Void)? {
    get { status.withLock(\.stateHandler) }
    set { status.withLock { $0.stateHandler = newValue } }
  }
  /// Called when the connection can carry data: after it is ready.
  public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)? {
    get { status.withLock(\.viabilityHandler) }
    set { status.withLock { $0.viabilityHandler = newValue } }
  }
  /// Called with the path, after the connection is ready.
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { status.withLock(\.pathHandler) }
    set { status.withLock { $0.pathHandler = newValue } }
  }
  /// Called when there is a better path, which does not happen here.
  public var betterPathUpdateHandler: (@Sendable (Bool) -> Void)? {
    get { status.withLock(\.betterPathHandler) }
    set { status.withLock { $0.betterPathHandler = newValue } }
  }

  /// Connects, and calls the handlers on a queue.
  public func start(queue: DispatchQueue) {
    let isFirst = status.withLock { status in
      guard status.queue == nil else { return false }
      status.queue = queue
      return true
    }
    if isFirst { work.async { [self] in connect() } }
  }

  /// Connects again, while the connection waits.
  public func restart() {
    work.async { [self] in if case .waiting = state { connect() } }
  }

  /// Sends content after that before. Without content, a final context ends the stream for the other side.
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

  /// Receives content once: at least `minimumIncompleteLength` bytes, or fewer at the end. The last argument but one of the
  /// completion is whether the stream has ended, or for UDP `true`: a packet is complete.
  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (Data?, NWConnection.ContentContext?, Bool, NWError?) -> Void
  ) {
    receive(minimum: minimumIncompleteLength, maximum: maximumLength, completion)
  }

  /// Receives a packet of UDP, or all of a stream when it has ended.
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

  /// Runs a number of sends and receives.
  public func batch(_ block: () -> Void) { block() }

  /// Ends the connection: what waits completes with `ECANCELED`, and the state becomes `cancelled`.
  public func cancel() {
    work.async { [self] in
      guard state != .cancelled else { return }
      connector.cancel()
      set(.cancelled)
      // The handlers may hold the connection.
      call { [self] in
        status.withLock { status in
          (status.stateHandler, status.viabilityHandler, status.pathHandler) = (nil, nil, nil)
        }
      }
    }
  }

  /// Ends the connection; see ``cancel()``.
  public func forceCancel() { cancel() }
  /// Ends the connection; see ``cancel()``.
  public func cancelCurrentEndpoint() { cancel() }

  private func connect() {
    guard state != .cancelled else { return }
    set(.preparing)
    connector.connect { [self] result in
      guard state == .preparing else { return }
      switch result {
      case .success:
        set(.ready)
        let (viability, path) = status.withLock { ($0.viabilityHandler, $0.pathHandler) }
        call {
          viability?(true)
          path?(NWPath())
        }
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
    // Before the start there is no queue, and nothing that could be heard.
    queue?.async(execute: body)
  }

  /// The endpoint as a text.
  public var debugDescription: String { "[\(endpoint.debugDescription) \(parameters.debugDescription)]" }
}
