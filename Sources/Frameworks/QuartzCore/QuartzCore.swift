@_exported import CoreGraphics
import Platform

/// Returns the seconds on the clock of the samples' time stamps. Models QuartzCore/CABase.h.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(DeviceScope.hostClock.now.nanoseconds) / 1e9
}

// QuartzCore's CADisplayLink.h: the compiler's message says that it is missing.

/// A timer of the display's refreshes.
@available(
  *, unavailable,
  message: "A display link calls a selector, which Swift on Linux does not have: use a DispatchSourceTimer."
)
public final class CADisplayLink {}
