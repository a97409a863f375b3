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

  init(_ value: Value) { self.value = value }

  /// Returns the value. Called for functions with "Copy" or "Create" in their names.
  public func takeRetainedValue() -> Value { value }

  /// Returns the value. Called for functions with "Get" in their names.
  public func takeUnretainedValue() -> Value { value }
}
