@_exported import CoreGraphics
import EmulatedDevice
import Platform

/// Runs with the clock of the samples' time stamps, in seconds.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(Device.current.clock.now.nanoseconds) / 1e9
}
