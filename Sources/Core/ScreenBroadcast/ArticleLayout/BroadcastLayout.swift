/// The layout of the frames in the file between extension and app. Both must use the same one.
public enum BroadcastLayout: String, CaseIterable, Sendable {
  /// Several slots with counters: a frame is never torn, and is read once.
  case ring
  /// The article's own: one slot without a guard, so that frames tear and repeat. For readers of other programs, and to
  /// see the effect.
  case article
}
