// Names of `os` that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no signposts: write to a Logger.")
public struct OSSignposter {
  public init(subsystem: String, category: String) {}
  public func beginInterval(_ name: StaticString, id: Any? = nil) -> OSSignpostIntervalState { .init() }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
public final class OSSignpostIntervalState: Sendable {}
@available(*, unavailable, message: "The emulator has no signposts: write to a Logger.")
public struct OSSignpostID: Sendable {
  public init(log: OSLog) {}
  private init() {}
  public static let exclusive = OSSignpostID()
}
public enum OSSignpostType: UInt8, Sendable { case event, begin, end }
@available(*, unavailable, message: "The emulator has no signposts: write to a Logger.")
public func os_signpost(
  _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive,
  _ format: StaticString = "", _ arguments: any CVarArg...
) {}

@available(*, unavailable, message: "The emulator keeps no log: its lines are in the trace.")
public class OSLogStore {
  public enum Scope: Int, Sendable { case system, currentProcessIdentifier }
  public init(scope: Scope) throws {}
}
