/// The layout of the frames in the file between extension and app. Both must use the same layout.
public enum BroadcastLayout: String, CaseIterable, Sendable {
  /// Several slots with counters. A frame is never torn, and is read once.
  case ring
  /// The article's layout: a single slot without protection, so that frames can be torn and repeat. For readers of other
  /// programs, and to demonstrate the effect.
  case article
}
