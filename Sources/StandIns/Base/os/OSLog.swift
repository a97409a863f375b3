import Foundation
import Platform
import Synchronization

public final class OSLog: Sendable {
  private let subsystem: String
  private let category: String
  private let isEnabled: Bool

  public static let `default` = OSLog(subsystem: "", category: "")
  public static let disabled = OSLog(subsystem: "", category: "", isEnabled: false)

  public convenience init(subsystem: String, category: String) {
    self.init(subsystem: subsystem, category: category, isEnabled: true)
  }

  private init(subsystem: String, category: String, isEnabled: Bool) {
    self.subsystem = subsystem
    self.category = category
    self.isEnabled = isEnabled
  }

  func write(_ text: @autoclosure () -> String, _ type: OSLogType) {
    guard isEnabled else { return }
    LogOutput.write(.init(subsystem: subsystem, category: category, type: type, text: text()))
  }
}

public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ args: any CVarArg...
) {
  log.write(LogFormat.text(message.description, args), type)
}

public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ args: any CVarArg...)
{
  log.write(LogFormat.text(message.description, args), type)
}

public func os_log(_ message: OSLogMessage) { OSLog.default.write(message.text, .default) }

public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  log.write(message.text, type)
}

/// Converts the formats of `os_log` to Foundation's.
enum LogFormat {
  /// Returns a message with its arguments. `%{public}@`, and other formats with annotations in braces, become Foundation's `%@`.
  static func text(_ format: String, _ arguments: [any CVarArg]) -> String {
    var index = 0
    let format = format.replacing(/%(?:\{[^}]*\})?([-+ #0-9.]*)((?:hh?|ll?|[qztjL])?[A-Za-z@%])/) { match in
      guard match.2 != "%" else { return "%%" }
      defer { index += 1 }
      // A Swift string for `%s` is an object, not a C string.
      let isText = match.2 == "s" && index < arguments.count && arguments[index] is String
      return "%\(match.1)\(isText ? "@" : match.2)"
    }
    return String(format: format, arguments: arguments)
  }
}

public struct OSLogType: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = OSLogType(rawValue: 0)
  public static let info = OSLogType(rawValue: 1)
  public static let debug = OSLogType(rawValue: 2)
  public static let error = OSLogType(rawValue: 16)
  public static let fault = OSLogType(rawValue: 17)

  /// The name of the level in the log.
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

/// The destination of messages: stderr (one line each), or an action of the emulated system. Not a name of Apple's.
package enum LogOutput {
  package struct Message: Sendable {
    /// The subsystem of the log, such as a bundle identifier; empty for the default log.
    package var subsystem: String
    package var category: String
    package var type: OSLogType
    package var text: String
  }

  private static let action = Mutex<Callback<@Sendable (Message) -> Void>?>(nil)

  /// Sets an action for each message. The action runs on the thread that logs the message; `nil` restores stderr.
  package static func set(_ newAction: (@Sendable (Message) -> Void)?) {
    action.withLock { $0 = newAction.map(Callback.init) }
  }

  static func write(_ message: Message) {
    if let action = action.withLock({ $0 }) { return action.call(message) }
    let origin = [message.subsystem, message.category].filter { !$0.isEmpty }.joined(separator: ":")
    let line = "[\(origin)] \(message.type.name): \(message.text)\n"
    do { try FileHandle.standardError.write(contentsOf: Data(line.utf8)) } catch {
      // If stderr is closed, messages are dropped.
    }
  }
}
