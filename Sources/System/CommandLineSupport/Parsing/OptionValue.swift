import Platform

/// The kind of value that an option expects: how a string is parsed, and the words for error messages.
///
///     OptionValue.integer(in: 2...8)      // "a whole number from 2 to 8"
package struct OptionValue<Value: Sendable>: Sendable {
  /// The expected values, in words that follow "expects" in a sentence.
  package let expectation: String
  /// Formats a value as it would be typed.
  package let text: @Sendable (Value) -> String
  /// The field for the value on a page. Its choices are all values as typed.
  package let field: PageAction.Field
  /// Returns a correction of an invalid string; `nil` if no value is near.
  let meant: @Sendable (String) -> String?
  /// Returns advice on an invalid string that has no correction, as a clause.
  let advice: @Sendable (String) -> String?
  /// Parses a string; `nil` if it is not valid.
  package let read: @Sendable (String) -> Value?

  package init(
    _ expectation: String, text: @escaping @Sendable (Value) -> String = { "\($0)" },
    field: PageAction.Field = .text,
    meant: (@Sendable (String) -> String?)? = nil,
    advice: @escaping @Sendable (String) -> String? = { _ in nil },
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.expectation = expectation
    self.text = text
    self.field = field
    self.advice = advice
    self.meant = meant ?? { Spelling.nearest(to: $0, among: field.choices ?? []) }
    self.read = read
  }

  /// Returns the value of a string, or throws an error about `name`. `prefix` is typed before the string.
  package func value(of text: String, for name: String, after prefix: String = "") throws(UsageError) -> Value
  {
    guard let value = read(text) else {
      throw UsageError(
        "\(name) expects \(expectation), not \(text.quoted)"
          + (meant(text).map { "; did you mean '\(prefix)\($0)'?" } ?? advice(text).map { "; \($0)." } ?? ".")
      )
    }
    return value
  }
}

extension OptionValue where Value == String {
  package static func text(_ expectation: String) -> Self { Self(expectation) { $0.isEmpty ? nil : $0 } }
}

extension OptionValue where Value == Int {
  package static func integer(in range: ClosedRange<Int>, unit: String? = nil) -> Self {
    Self(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      field: .number(Double(range.lowerBound)...Double(range.upperBound), unit: unit)
    ) { text in
      guard text.isPlainInteger, let value = Int(text), range.contains(value) else { return nil }
      return value
    }
  }
}

extension OptionValue where Value == Double {
  /// A number within a range, in plain decimal digits (without sign and exponent).
  package static func number(in range: ClosedRange<Int>) -> Self {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    return Self(
      "a number from \(range.lowerBound) to \(range.upperBound)",
      text: { $0 == $0.rounded() ? $0.text(decimals: 0) : "\($0)" }, field: .number(bounds),
      read: { text in
        guard text.isPlainDecimal, let value = Double(text), bounds.contains(value) else { return nil }
        return value
      })
  }
}

extension OptionValue where Value == Duration {
  /// A duration within a range, in seconds or with a unit: `5`, `5s`, `500ms`, `2m`.
  package static func seconds(in range: ClosedRange<Duration>) -> Self {
    Self(
      "seconds from \(range.lowerBound.decimalSeconds) to \(range.upperBound.decimalSeconds), or a time such as 500ms or 2m",
      text: \.decimalSeconds,
      field: .number(range.lowerBound / .seconds(1)...range.upperBound / .seconds(1), unit: "s"),
      read: { Duration(typed: $0).flatMap { range.contains($0) ? $0 : nil } })
  }
}

extension OptionValue where Value == PixelSize {
  /// A frame size with even sides, because a chroma sample covers 2x2 pixels.
  package static func evenSize(in range: ClosedRange<Int>) -> Self {
    @Sendable func size(_ text: String) -> PixelSize? {
      let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard sides.count == 2, sides.allSatisfy(\.isPlainInteger), let width = Int(sides[0]),
        let height = Int(sides[1]), [width, height].allSatisfy(range.contains)
      else { return nil }
      return PixelSize(width: width, height: height)
    }
    @Sendable func even(_ size: PixelSize) -> PixelSize {
      PixelSize(width: size.width / 2 * 2, height: size.height / 2 * 2)
    }
    return Self(
      "WIDTHxHEIGHT in even pixels from \(range.lowerBound) to \(range.upperBound), such as 1080x720",
      field: PageAction.Field(kind: .size),
      meant: { size($0).map { "\(even($0))" } }, read: { size($0).flatMap { even($0) == $0 ? $0 : nil } })
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> {
  /// A case of an enumeration, typed as its raw value.
  package static var choice: Self {
    Self(
      "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))", text: \.rawValue,
      field: .choice(Value.allCases.map(\.rawValue)), read: { Value(rawValue: $0) })
  }
}
