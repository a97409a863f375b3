/// The error a session ended with, as an `NSError` has it: domain, code and a text for people.
public struct RingSessionError: Error, Equatable, Sendable {
  /// The domain; at most 126 bytes of UTF-8 travel.
  public var domain: String
  /// The code within the domain.
  public var code: Int
  /// The localised description; at most 510 bytes of UTF-8 travel.
  public var text: String

  /// An error from its three parts.
  public init(domain: String, code: Int, text: String) {
    self.domain = domain
    self.code = code
    self.text = text
  }
}
