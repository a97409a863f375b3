// Names of Network that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no framers: frame the messages in send and receive.")
public enum NWProtocolFramer {
  public struct Definition { public init(implementation: any NWProtocolFramerImplementation.Type) {} }
  public struct Options { public init(definition: Definition) {} }
}
@available(*, unavailable, message: "The emulator has no framers: frame the messages in send and receive.")
public protocol NWProtocolFramerImplementation {}

@available(*, unavailable, message: "The emulator has no WebSocket here: use URLSessionWebSocketTask.")
public enum NWProtocolWebSocket {
  public enum Opcode: Int { case cont, text, binary, close = 8, ping, pong }
  public final class Options { public var autoReplyPing = false, maximumMessageSize = 0; public init() {} }
  public final class Metadata { public init(opcode: Opcode) {} }
}
