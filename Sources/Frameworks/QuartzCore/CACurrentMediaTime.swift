@_exported import CoreGraphics
import Platform

/// Returns the seconds on the clock of the samples' time stamps. Models QuartzCore/CABase.h.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(DeviceScope.hostClock.now.nanoseconds) / 1e9
}
