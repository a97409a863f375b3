import Platform

// Models mach/mach_time.h with the unit of an iPhone: 24 million a second.

/// The ratio of nanoseconds to the unit of ``mach_absolute_time()``, and the function that fills it. In C both have this name;
/// in Swift the call of the function is an initialiser, whose result compares with a code.
public struct mach_timebase_info: Sendable {
  /// The numerator.
  public var numer: UInt32
  /// The denominator.
  public var denom: UInt32

  /// Creates a ratio from its two numbers.
  public init(numer: UInt32, denom: UInt32) { (self.numer, self.denom) = (numer, denom) }
  /// Creates a ratio of zeros, to be filled.
  public init() { self.init(numer: 0, denom: 0) }

  /// Fills a ratio. The result equals zero, `KERN_SUCCESS`.
  @discardableResult
  public init(_ info: UnsafeMutablePointer<mach_timebase_info>) {
    self.init(numer: 125, denom: 3)
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe info.pointee = self
  }

  /// Whether a code is that of success.
  public static func == (_: mach_timebase_info, code: Int32) -> Bool { code == 0 }
  /// Whether a code is that of a failure.
  public static func != (_: mach_timebase_info, code: Int32) -> Bool { code != 0 }
}

/// The ratio by its other name.
public typealias mach_timebase_info_data_t = mach_timebase_info

/// Returns the clock of the samples' time stamps, in units that are not nanoseconds; see ``mach_timebase_info``.
public func mach_absolute_time() -> UInt64 { DeviceScope.hostClock.now.nanoseconds * 3 / 125 }

/// Returns the clock of the samples' time stamps, which goes on while the emulated device sleeps.
public func mach_continuous_time() -> UInt64 { mach_absolute_time() }
