/// The name of a notification.
public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
  /// The name as a text.
  public var rawValue: CFString

  /// A name of that text.
  public init(rawValue: CFString) { self.rawValue = rawValue }

  /// A name of that text.
  public init(_ rawValue: CFString) { self.rawValue = rawValue }
}
