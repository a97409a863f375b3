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

/// Several views of one watch.
package final class WatchViews: WatchView {
  private let views: [any WatchView]

  package init(_ views: [any WatchView]) { self.views = views }

  package func show(_ message: WatchMessage) {
    for view in views { view.show(message) }
  }

  /// The first failure of a view.
  package var failure: ProgramFailure? { views.lazy.compactMap(\.failure).first }
}
