import Foundation

extension String {
  public struct LocalizationValue: ExpressibleByStringInterpolation, Sendable {
    fileprivate var key = ""
    fileprivate var arguments: [any CVarArg & Sendable] = []

    public init(_ value: String) { key = value }
    public init(stringLiteral value: String) { key = value }
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.value }

    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var value = LocalizationValue("")

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) {
        value.key += literal.replacing("%", with: "%%")
      }
      public mutating func appendInterpolation(_ string: some StringProtocol) { append("%@", String(string)) }
      public mutating func appendInterpolation(_ number: some BinaryInteger) {
        append("%lld", Int64(truncatingIfNeeded: number))
      }
      public mutating func appendInterpolation(_ number: some BinaryFloatingPoint) {
        append("%lf", Double(number))
      }

      private mutating func append(_ format: String, _ argument: any CVarArg & Sendable) {
        value.key += format
        value.arguments.append(argument)
      }
    }
  }

  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(keyAndValue.key, keyAndValue, table, bundle, locale)
  }

  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(key.description, defaultValue, table, bundle, locale)
  }

  private init(
    _ key: String, _ value: LocalizationValue, _ table: String?, _ bundle: Bundle?, _ locale: Locale
  ) {
    let text = (bundle ?? .main).localizedString(forKey: key, value: value.key, table: table)
    self =
      value.arguments.isEmpty
      ? text : String(format: text, locale: locale, arguments: value.arguments)
  }
}
