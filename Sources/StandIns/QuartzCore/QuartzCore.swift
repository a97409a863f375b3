@_exported import CoreGraphics
import EmulatedDevice
import Platform

/// Runs with the clock of the samples' time stamps, in seconds.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(Device.current.clock.now.nanoseconds) / 1e9
}

// QuartzCore's CADisplayLink.h: the compiler's message says that it is missing.

@available(
  *, unavailable,
  message: "A display link calls a selector, which Swift on Linux does not have: use a DispatchSourceTimer."
)
public final class CADisplayLink {}
