import Foundation

// Models CoreFoundation/CFBase.h, CFData.h, CFNumber.h, CFArray.h, CFURL.h and CFDate.h, whose types are bridged to
// Foundation's on Apple's platforms and are Foundation's types here.

/// A signed integer of Core Foundation.
public typealias CFIndex = Int
/// Bytes: Foundation's, so that `data as CFData` compiles as on iOS.
public typealias CFData = Data
/// A list of objects.
public typealias CFArray = [Any]
/// An address.
public typealias CFURL = URL
/// A number: any value, so that `number as CFNumber` compiles as on iOS.
public typealias CFNumber = Any
/// A truth value, which is a number too.
public typealias CFBoolean = NSNumber

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// True.
public var kCFBooleanTrue: CFBoolean! { true }
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// False.
public var kCFBooleanFalse: CFBoolean! { false }

/// A point in time, in seconds since the start of 2001.
public typealias CFAbsoluteTime = Double
/// A time span, in seconds.
public typealias CFTimeInterval = Double

/// Returns the wall-clock time, in seconds since the start of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// What a Core Foundation function returns with a reference to release: `Unmanaged` for the types that are Swift values
/// here, as `Unmanaged` holds classes only.
public struct CFUnmanagedValue<Value> {
  private let value: Value

  package init(_ value: Value) { self.value = value }

  /// Returns the value. Called for functions with "Copy" or "Create" in their names.
  public func takeRetainedValue() -> Value { value }

  /// Returns the value. Called for functions with "Get" in their names.
  public func takeUnretainedValue() -> Value { value }
}

// Models the Core Foundation types in the signatures of the frameworks, which Linux cannot import.

/// A Core Foundation string: a Swift string, so that `key as CFString` compiles as on iOS.
public typealias CFString = String

/// A Core Foundation dictionary: a Swift dictionary.
public typealias CFDictionary = [String: Any]

/// A Core Foundation object.
public typealias CFTypeRef = AnyObject

/// Returns whether two objects are equal.
public func CFEqual(_ cf1: Any?, _ cf2: Any?) -> Bool {
  guard let first = cf1 as? AnyHashable, let second = cf2 as? AnyHashable else {
    return (cf1 as AnyObject?) === (cf2 as AnyObject?)
  }
  return first == second
}

/// An allocator of Core Foundation's create functions.
public final class CFAllocator: Sendable {
  private init() {}

  fileprivate static let null = CFAllocator()
}

/// The default allocator: `nil`, as in Core Foundation.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The allocator that frees nothing: the caller keeps the memory.
public let kCFAllocatorNull: CFAllocator? = .null

/// A four-character code.
public typealias OSType = UInt32

/// A result code of Core Media: zero is success.
public typealias OSStatus = Int32
