import CommandLineSupport

/// The handler has written a message with `Logger` or `os_log`. `Docs/CommandLine.md` has the meaning of every key.
package struct LogEvent: JSONEvent {
  package static let event = "log"
  package var subsystem: String
  package var category: String
  package var level: String
  package var text: String

  package init(subsystem: String, category: String, level: String, text: String) {
    (self.subsystem, self.category, self.level, self.text) = (subsystem, category, level, text)
  }
}
