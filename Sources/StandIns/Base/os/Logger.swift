/// As in Xcode's console, private values are written too, because the emulator is for development.
public struct Logger: Sendable {
  private let log: OSLog

  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
  public init(_ logObj: OSLog) { log = logObj }
  public init() { log = .default }

  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, level) }
  public func log(_ message: OSLogMessage) { log.write(message.text, .default) }
  public func notice(_ message: OSLogMessage) { log.write(message.text, .default) }
  public func debug(_ message: OSLogMessage) { log.write(message.text, .debug) }
  public func trace(_ message: OSLogMessage) { log.write(message.text, .debug) }
  public func info(_ message: OSLogMessage) { log.write(message.text, .info) }
  public func warning(_ message: OSLogMessage) { log.write(message.text, .error) }
  public func error(_ message: OSLogMessage) { log.write(message.text, .error) }
  public func critical(_ message: OSLogMessage) { log.write(message.text, .fault) }
  public func fault(_ message: OSLogMessage) { log.write(message.text, .fault) }
}
