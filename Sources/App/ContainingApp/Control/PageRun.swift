import Foundation

/// The run of the app, as described to a page: its identity, and how to start it again.
package struct PageRun: Encodable, Sendable {
  /// A new identifier for each start of the app.
  package let id = UUID().uuidString
  package let pid = ProcessInfo.processInfo.processIdentifier
  /// The name of the app group; `nil` for a capture, which shares nothing.
  package var group: String?
  /// The command line that starts the app again.
  package var serve: String
  /// The options that a command in a terminal needs to use this container; `nil` for a capture, which has no container.
  package var options: String?
  /// The device of a capture, or the default device of a broadcast.
  package var device: String
  /// Whether frames are checked against the proof pattern.
  package var verifies: Bool

  package init(group: String?, serve: String, options: String?, device: String, verifies: Bool) {
    self.group = group
    self.serve = serve
    self.options = options
    self.device = device
    self.verifies = verifies
  }
}
