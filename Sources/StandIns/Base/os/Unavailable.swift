// Names of `os` that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no signposts: write to a Logger.")
public struct OSSignposter { public init(subsystem: String, category: String) {} }
@available(*, unavailable, message: "The emulator has no signposts: write to a Logger.")
public struct OSSignpostID { public init(log: OSLog) {} }
@available(*, unavailable, message: "The emulator has no signposts: write to a Logger.")
public func os_signpost(_ type: Any, log: OSLog, name: StaticString) {}

@available(*, unavailable, message: "The emulator keeps no log: its lines are in the trace.")
public class OSLogStore {}
