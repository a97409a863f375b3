import CommandLineSupport

/// Something that shows a watch: a terminal, or lines for machines.
@MainActor
package protocol WatchView: AnyObject {
  /// Shows one thing.
  func show(_ output: WatchOutput)

  /// Why nothing can be shown any more, once nothing can.
  var failure: ProgramFailure? { get }
}

extension WatchView {
  /// Nothing fails.
  package var failure: ProgramFailure? { nil }
}
