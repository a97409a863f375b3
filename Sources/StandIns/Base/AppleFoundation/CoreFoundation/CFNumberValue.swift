import Foundation

extension Double {
  /// Creates the value of a number: a `CFNumber` or `NSNumber` on Apple's platforms, and a number of any Swift type
  /// here. Returns `nil` for other values.
  package init?(number value: Any?) {
    switch value {
    case let value as NSNumber: self = value.doubleValue
    // Not bridged on Linux.
    case let value as CGFloat: self = Double(value)
    case let value as any BinaryInteger: self = Double(value)
    case let value as any BinaryFloatingPoint: self = Double(value)
    default: return nil
    }
  }
}

extension FixedWidthInteger {
  /// Creates the closest number that the type has, as C does on arm64; zero for a value that is not a number. For the numbers
  /// of a caller: `Int(_:)` ends the process for NaN, infinity and large numbers.
  package init(clamping value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}
