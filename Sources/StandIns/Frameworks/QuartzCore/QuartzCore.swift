@_exported import CoreGraphics
import EmulatedDevice
import Platform

/// Reads the clock of the samples' timestamps, in seconds.
public func CACurrentMediaTime() -> CFTimeInterval {
  Double(Device.current.clock.now.nanoseconds) / 1e9
}
