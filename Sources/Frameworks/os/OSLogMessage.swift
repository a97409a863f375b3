import Foundation

/// A message of a log: a literal with values. Models the structure of the Swift overlay of `os`.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  /// Creates a message without values.
  public init(stringLiteral value: String) { text = value }

  /// Creates a message of a literal with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The pieces of a message. Models the structure of the Swift overlay of `os`.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  var text = ""

  /// Starts a message.
  public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

  /// Adds a piece of the literal.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Adds a value.
  public mutating func appendInterpolation<Value>(
    _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto
  ) {
    text += "\(value())"
  }

  /// Adds a number with a format.
  public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
    _ value: @autoclosure () -> Value, format: OSLogFloatFormatting, privacy: OSLogPrivacy = .auto
  ) {
    text += format.text(Double(value()))
  }

  /// Adds a number with a format.
  public mutating func appendInterpolation<Value: BinaryInteger>(
    _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting, privacy: OSLogPrivacy = .auto
  ) {
    text += String(value(), radix: format.radix)
  }
}

/// Whether a log shows a value or redacts it. The stand-in writes every value.
public struct OSLogPrivacy: Sendable {
  /// How a private value is made recognisable.
  public enum Mask: Sendable {
    /// By a hash.
    case hash
    /// Not at all.
    case none
  }

  /// The value's type decides.
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
  /// The value appears.
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
  /// The value does not appear.
  public static var `private`: OSLogPrivacy { OSLogPrivacy() }
  /// The value never appears.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy() }

  /// The value does not appear, but may be recognisable.
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
}

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
  private let precision: Int?

  /// A fixed number of digits after the point: six, unless stated.
  public static func fixed(precision: Int = 6) -> OSLogFloatFormatting { .init(precision: precision) }
  /// A fixed number of digits after the point: six.
  public static var fixed: OSLogFloatFormatting { fixed() }

  func text(_ value: Double) -> String { String(format: "%.\(precision ?? 6)f", value) }
}

/// The format of an integer.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int

  /// Decimal digits.
  public static var decimal: OSLogIntegerFormatting { .init(radix: 10) }
  /// Hexadecimal digits.
  public static var hex: OSLogIntegerFormatting { .init(radix: 16) }
}
