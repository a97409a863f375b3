/// The importance of a message. Models the type of os/log.h.
public struct OSLogType: RawRepresentable, Sendable, Hashable {
  /// The number of the type.
  public let rawValue: UInt8

  /// Creates a type from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A message without special importance.
  public static let `default` = OSLogType(rawValue: 0)
  /// A message that may be useful.
  public static let info = OSLogType(rawValue: 1)
  /// A message for the development.
  public static let debug = OSLogType(rawValue: 2)
  /// An error of this process.
  public static let error = OSLogType(rawValue: 16)
  /// An error in the program.
  public static let fault = OSLogType(rawValue: 17)

  /// The word in the log.
  package var name: String {
    switch self {
    case .info: "info"
    case .debug: "debug"
    case .error: "error"
    case .fault: "fault"
    default: "default"
    }
  }
}
