/// Something that shows a watch: a terminal, or lines for machines.
@MainActor
public protocol WatchView: AnyObject {
  /// Shows one thing.
  func show(_ output: WatchOutput)
}
