/// A log of a subsystem and a category. Models the structure of the Swift overlay of `os`.
///
/// ```swift
/// Logger(subsystem: "com.example.broadcast", category: "extension").info("\(count, privacy: .public) frames")
/// ```
/// Private values are written too: the emulator is for development, as Xcode's console.
public struct Logger: Sendable {
  private let log: OSLog

  /// Creates a log of a subsystem and a category.
  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

  /// Creates a logger for an existing log.
  public init(_ logObj: OSLog) { log = logObj }

  /// Creates a logger for the default log.
  public init() { log = .default }

  /// Writes a message of a type.
  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, level) }
  /// Writes a message of the type `default`.
  public func log(_ message: OSLogMessage) { log.write(message.text, .default) }
  /// Writes a message of the type `default`.
  public func notice(_ message: OSLogMessage) { log.write(message.text, .default) }
  /// Writes a message of the type `debug`.
  public func debug(_ message: OSLogMessage) { log.write(message.text, .debug) }
  /// Writes a message of the type `debug`.
  public func trace(_ message: OSLogMessage) { log.write(message.text, .debug) }
  /// Writes a message of the type `info`.
  public func info(_ message: OSLogMessage) { log.write(message.text, .info) }
  /// Writes a message of the type `error`.
  public func warning(_ message: OSLogMessage) { log.write(message.text, .error) }
  /// Writes a message of the type `error`.
  public func error(_ message: OSLogMessage) { log.write(message.text, .error) }
  /// Writes a message of the type `fault`.
  public func critical(_ message: OSLogMessage) { log.write(message.text, .fault) }
  /// Writes a message of the type `fault`.
  public func fault(_ message: OSLogMessage) { log.write(message.text, .fault) }
}
