import Foundation

// Models CoreFoundation/CFBase.h, CFData.h, CFNumber.h, CFArray.h, CFURL.h and CFDate.h. On Apple's platforms their
// types are bridged to Foundation's; here they are Foundation's types.

public typealias CFIndex = Int
public let kCFNotFound: CFIndex = -1
/// Foundation's type, so `data as CFData` compiles as on iOS.
public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFURL = URL
/// Any type, so `number as CFNumber` compiles as on iOS.
public typealias CFNumber = Any
public typealias CFBoolean = NSNumber

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public var kCFBooleanTrue: CFBoolean! { true }
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public var kCFBooleanFalse: CFBoolean! { false }

public typealias CFAbsoluteTime = Double
public typealias CFTimeInterval = Double

public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// The result of a Core Foundation function whose reference the caller releases. It replaces `Unmanaged`, which holds
/// only classes, for types that are Swift values here.
public struct CFUnmanagedValue<Value> {
  private let value: Value

  package init(_ value: Value) { self.value = value }

  public func takeRetainedValue() -> Value { value }
  public func takeUnretainedValue() -> Value { value }
}

// Models the Core Foundation types in the signatures of the frameworks. Linux cannot import them.

/// A Swift string, so `key as CFString` compiles as on iOS.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject

public func CFEqual(_ cf1: Any?, _ cf2: Any?) -> Bool {
  guard let first = cf1 as? AnyHashable, let second = cf2 as? AnyHashable else {
    return (cf1 as AnyObject?) === (cf2 as AnyObject?)
  }
  return first == second
}

public final class CFAllocator: Sendable {
  private init() {}

  fileprivate static let null = CFAllocator()
}

public let kCFAllocatorDefault: CFAllocator? = nil
public let kCFAllocatorNull: CFAllocator? = .null

public typealias OSType = UInt32
public typealias OSStatus = Int32

public struct CFRange: Equatable, Sendable {
  public var location: CFIndex
  public var length: CFIndex

  public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }
  public init() { self.init(location: 0, length: 0) }
}

public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }
