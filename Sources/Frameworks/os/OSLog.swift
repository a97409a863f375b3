import Foundation

/// A log of a subsystem and a category. Models the class of os/log.h.
public final class OSLog: Sendable {
  private let subsystem: String
  private let category: String
  private let isEnabled: Bool

  /// The log without a subsystem.
  public static let `default` = OSLog(subsystem: "", category: "")
  /// The log that drops its messages.
  public static let disabled = OSLog(subsystem: "", category: "", isEnabled: false)

  /// Creates a log of a subsystem and a category.
  public convenience init(subsystem: String, category: String) {
    self.init(subsystem: subsystem, category: category, isEnabled: true)
  }

  private init(subsystem: String, category: String, isEnabled: Bool) {
    (self.subsystem, self.category, self.isEnabled) = (subsystem, category, isEnabled)
  }

  func write(_ text: @autoclosure () -> String, _ type: OSLogType) {
    guard isEnabled else { return }
    LogOutput.write(.init(subsystem: subsystem, category: category, type: type, text: text()))
  }
}

/// Writes a message with the arguments of its format, such as `%{public}@` and `%d`.
public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ args: any CVarArg...
) {
  log.write(LogFormat.text(message.description, args), type)
}

/// Writes a message with the arguments of its format.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ args: any CVarArg...)
{
  log.write(LogFormat.text(message.description, args), type)
}

/// Writes a message of the type `default`.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(message.text, .default) }

/// Writes a message.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  log.write(message.text, type)
}

/// The formats of `os_log`, in Foundation's form.
enum LogFormat {
  /// Returns a message with its arguments; `%{public}@` and the other annotations in braces are Foundation's `%@`.
  static func text(_ format: String, _ arguments: [any CVarArg]) -> String {
    var index = 0
    let format = format.replacing(/%(?:\{[^}]*\})?([-+ #0-9.]*)((?:hh?|ll?|[qztjL])?[A-Za-z@%])/) { match in
      guard match.2 != "%" else { return "%%" }
      defer { index += 1 }
      // A Swift text for `%s` is an object, not a C string.
      let isText = match.2 == "s" && index < arguments.count && arguments[index] is String
      return "%\(match.1)\(isText ? "@" : match.2)"
    }
    return String(format: format, arguments: arguments)
  }
}
