/// Something a program tells other programs: an object whose key `event` names its kind.
public protocol JSONEvent: Encodable {
  /// The value of the key `event`.
  static var event: String { get }
}
