import EmulatedDevice
import Platform
import Synchronization

// Models mach/mach_time.h with the unit of an iPhone (24 million per second).

/// In C, the ratio and the function that fills it share this name. In Swift, a call of the function is a call of an
/// initialiser, so its result can be compared with a code.
public struct mach_timebase_info: Sendable {
  public var numer: UInt32
  public var denom: UInt32

  public init(numer: UInt32, denom: UInt32) {
    self.numer = numer
    self.denom = denom
  }
  public init() { self.init(numer: 0, denom: 0) }

  @discardableResult
  public init(_ info: UnsafeMutablePointer<mach_timebase_info>) {
    self.init(numer: 125, denom: 3)
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe info.pointee = self
  }

  public static func == (_: mach_timebase_info, code: Int32) -> Bool { code == 0 }
  public static func != (_: mach_timebase_info, code: Int32) -> Bool { code != 0 }
}

public typealias mach_timebase_info_data_t = mach_timebase_info

/// The clock of the samples' timestamps. The unit is not nanoseconds; see ``mach_timebase_info``.
public func mach_absolute_time() -> UInt64 { Device.current.clock.now.nanoseconds * 3 / 125 }

/// Returns the time of the clock of ``mach_absolute_time()``. Here that clock continues while the emulated device sleeps.
public func mach_continuous_time() -> UInt64 { mach_absolute_time() }

public func OSMemoryBarrier() { atomicMemoryFence(ordering: .sequentiallyConsistent) }

/// The pointer must be aligned, as on Apple's platforms. Returns the new value.
public func OSAtomicIncrement32(_ theValue: UnsafeMutablePointer<Int32>) -> Int32 {
  // UNSAFE: an atomic has the layout of its value; the caller's memory is valid for the call.
  unsafe UnsafeMutableRawPointer(theValue).assumingMemoryBound(to: Atomic<Int32>.self).pointee.add(
    1, ordering: .sequentiallyConsistent
  ).newValue
}
