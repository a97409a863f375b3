import Foundation
import Synchronization

/// Where messages go: standard error, one line each, or what the emulated system sets. Not a name of Apple's.
package enum LogOutput {
  /// A message of the log.
  package struct Message: Sendable {
    /// The subsystem of the log, such as a bundle identifier; empty for the default log.
    package var subsystem: String
    /// The category within the subsystem.
    package var category: String
    package var type: OSLogType
    package var text: String
  }

  private static let action = Mutex<(@Sendable (Message) -> Void)?>(nil)

  /// Sets what happens with each message, on the thread that logs it; `nil` writes to standard error again.
  package static func set(_ newAction: (@Sendable (Message) -> Void)?) { action.withLock { $0 = newAction } }

  static func write(_ message: Message) {
    if let action = action.withLock({ $0 }) { return action(message) }
    let origin = [message.subsystem, message.category].filter { !$0.isEmpty }.joined(separator: ":")
    let line = "[\(origin)] \(message.type.name): \(message.text)\n"
    do { try FileHandle.standardError.write(contentsOf: Data(line.utf8)) } catch {
      // Standard error is closed: there is no place for messages.
    }
  }
}
