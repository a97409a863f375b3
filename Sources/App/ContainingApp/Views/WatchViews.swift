import CommandLineSupport

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
