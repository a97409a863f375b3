import CommandLineSupport

/// A view of a watch: a terminal, or JSON lines.
@MainActor
package protocol WatchView: AnyObject {
  func show(_ message: WatchMessage)

  /// Why nothing can be shown any more, usually because the reader has exited; `nil` while it goes well.
  var failure: ProgramFailure? { get }
}

extension WatchView {
  package var failure: ProgramFailure? { nil }
}
