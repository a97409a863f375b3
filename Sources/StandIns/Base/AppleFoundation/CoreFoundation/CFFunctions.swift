import Foundation

// Models the parts of CFByteOrder.h, CFString.h and CFData.h that handlers use.

public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }
public func CFSwapInt16(_ arg: UInt16) -> UInt16 { arg.byteSwapped }
public func CFSwapInt32(_ arg: UInt32) -> UInt32 { arg.byteSwapped }
public func CFSwapInt64(_ arg: UInt64) -> UInt64 { arg.byteSwapped }

public func CFStringGetIntValue(_ str: CFString) -> Int32 {
  let text = str.drop(while: \.isWhitespace)
  let digits = text.dropFirst(text.hasPrefix("-") || text.hasPrefix("+") ? 1 : 0).prefix {
    ("0"..."9").contains($0)
  }
  let value = digits.reduce(0) { min($0 * 10 + Int($1.wholeNumberValue ?? 0), Int(Int32.max) + 1) }
  return Int32(clamping: text.hasPrefix("-") ? -value : value)
}

public func CFStringGetLength(_ theString: CFString) -> CFIndex { theString.utf16.count }

public typealias UniChar = UInt16
public typealias CFStringEncoding = UInt32
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
  case UTF16 = 0x0100
  case ASCII = 0x0600
  case UTF8 = 0x0800_0100
}

/// An encoding without a case of `CFStringBuiltInEncodings` counts as one byte for each unit of UTF-16.
public func CFStringGetMaximumSizeForEncoding(_ length: CFIndex, _ encoding: CFStringEncoding) -> CFIndex {
  let encoding = CFStringBuiltInEncodings(rawValue: encoding)
  let unit = encoding == .UTF8 ? 3 : encoding == .UTF16 ? 2 : 1
  return length > .max / unit ? kCFNotFound : length * unit
}

public func CFDataGetLength(_ theData: CFData) -> CFIndex { theData.count }

public typealias CFMutableData = NSMutableData

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The allocator and the capacity have no effect.
public func CFDataCreateMutable(_ allocator: CFAllocator?, _ capacity: CFIndex) -> CFMutableData! {
  NSMutableData()
}

public func CFDataGetLength(_ theData: CFMutableData) -> CFIndex { theData.length }
