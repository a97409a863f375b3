import Foundation

// Models what handlers use of CFByteOrder.h, CFString.h and CFData.h.

/// Returns a number in the machine's byte order as one with the most significant byte first.
public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }
/// Returns a number in the machine's byte order as one with the most significant byte first.
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }
/// Returns a number in the machine's byte order as one with the most significant byte first.
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }
/// Returns a number with the most significant byte first in the machine's byte order.
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }
/// Returns a number with the most significant byte first in the machine's byte order.
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }
/// Returns a number with the most significant byte first in the machine's byte order.
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }
/// Returns a number with its bytes in the other order.
public func CFSwapInt16(_ arg: UInt16) -> UInt16 { arg.byteSwapped }
/// Returns a number with its bytes in the other order.
public func CFSwapInt32(_ arg: UInt32) -> UInt32 { arg.byteSwapped }
/// Returns a number with its bytes in the other order.
public func CFSwapInt64(_ arg: UInt64) -> UInt64 { arg.byteSwapped }

/// Returns the integer at the start of a text, after blanks; zero without one, and the nearest number for one out of range.
public func CFStringGetIntValue(_ str: CFString) -> Int32 {
  let text = str.drop(while: \.isWhitespace)
  let digits = text.dropFirst(text.hasPrefix("-") || text.hasPrefix("+") ? 1 : 0).prefix {
    ("0"..."9").contains($0)
  }
  let value = digits.reduce(0) { min($0 * 10 + Int($1.wholeNumberValue ?? 0), Int(Int32.max) + 1) }
  return Int32(clamping: text.hasPrefix("-") ? -value : value)
}

/// Returns the number of UTF-16 code units of a text.
public func CFStringGetLength(_ theString: CFString) -> CFIndex { theString.utf16.count }

/// Returns the number of bytes.
public func CFDataGetLength(_ theData: CFData) -> CFIndex { theData.count }

/// Bytes that change.
public typealias CFMutableData = NSMutableData

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// Returns bytes that change, without any at first. The allocator and the capacity have no effect.
public func CFDataCreateMutable(_ allocator: CFAllocator?, _ capacity: CFIndex) -> CFMutableData! {
  NSMutableData()
}

/// Returns the number of bytes.
public func CFDataGetLength(_ theData: CFMutableData) -> CFIndex { theData.length }
