/// How frames lie in the file between extension and app. Both must use the same one.
public enum BroadcastLayout: String, CaseIterable, Sendable {
  /// Several slots with counters: every frame arrives whole, and once.
  case ring
  /// The article's own: one slot that nothing guards, so that frames tear and repeat. To see that, and for readers
  /// of other programs.
  case article
}
