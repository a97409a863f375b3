/// What an option takes: how its text becomes a value, and the words that say what is wanted.
///
///     OptionValue.integer(in: 2...8)      // "a whole number from 2 to 8"
public struct OptionValue<Value: Sendable>: Sendable {
  /// What is wanted, to follow "wants" in a sentence.
  public let expectation: String
  /// The value of a text, `nil` when the text is not what is wanted.
  public let read: @Sendable (String) -> Value?

  /// A kind of value, from the words that say what is wanted and the function that reads it.
  public init(_ expectation: String, read: @escaping @Sendable (String) -> Value?) {
    self.expectation = expectation
    self.read = read
  }
}

extension OptionValue where Value == String {
  /// Any text that is not empty.
  public static func text(_ expectation: String) -> Self {
    Self(expectation) { $0.isEmpty ? nil : $0 }
  }
}

extension OptionValue where Value == Int {
  /// A whole number within a range.
  public static func integer(in range: ClosedRange<Int>) -> Self {
    Self("a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      guard text.isPlainInteger, let value = Int(text), range.contains(value) else { return nil }
      return value
    }
  }
}

extension OptionValue where Value == Double {
  /// A number within a range, in plain decimal digits: no sign, no exponent.
  public static func number(in range: ClosedRange<Int>) -> Self {
    Self("a number from \(range.lowerBound) to \(range.upperBound)") { text in
      guard text.isPlainDecimal, let value = Double(text),
        (Double(range.lowerBound)...Double(range.upperBound)).contains(value)
      else { return nil }
      return value
    }
  }
}

extension OptionValue where Value == Duration {
  /// A number of seconds within a range, in plain decimal digits, taken exactly.
  public static func seconds(in range: ClosedRange<Duration>) -> Self {
    Self("seconds from \(range.lowerBound.decimalSeconds) to \(range.upperBound.decimalSeconds)") { text in
      Duration(decimalSeconds: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension OptionValue where Value == Size {
  /// A picture size with even sides, so that every 2x2 block has its own colour sample.
  public static func evenSize(in range: ClosedRange<Int>) -> Self {
    Self(
      "WIDTHxHEIGHT in even pixels from \(range.lowerBound) to \(range.upperBound), such as 1080x720"
    ) { text in
      let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard sides.count == 2, sides.allSatisfy(\.isPlainInteger), let width = Int(sides[0]),
        let height = Int(sides[1]), [width, height].allSatisfy({ range.contains($0) && $0 % 2 == 0 })
      else { return nil }
      return Size(width: width, height: height)
    }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> {
  /// One of the cases of an enumeration, typed as its raw value.
  public static var choice: Self {
    Self("one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))") { Value(rawValue: $0) }
  }
}
