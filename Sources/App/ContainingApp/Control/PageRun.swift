import Foundation

/// The run of the app, for a page: what tells it from an earlier run, and what starts it again.
package struct PageRun: Encodable, Sendable {
  /// New for each start of the app.
  package let id = UUID().uuidString
  package let pid = ProcessInfo.processInfo.processIdentifier
  /// The name of the app group; `nil` for a capture, which shares nothing.
  package var group: String?
  /// The command line that starts the app again.
  package var serve: String
  /// What follows a command in a terminal, so that it is one of this container; `nil` for a capture, which has none.
  package var options: String?
  /// The device of a capture, or the one that a broadcast has without another choice.
  package var device: String
  /// Whether frames are checked against the proof pattern.
  package var verifies: Bool

  package init(group: String?, serve: String, options: String?, device: String, verifies: Bool) {
    (self.group, self.serve, self.options, self.device) = (group, serve, options, device)
    self.verifies = verifies
  }
}
