/// Which pictures are taken at a tick of the screen: one, unless it stands still, skips, or holds back for a burst.
struct ScreenPacer {
  /// Pictures that were not taken although they were due.
  private(set) var skipped: UInt64 = 0
  private var stillUntil: UInt64 = 0
  private var skipsLeft = 0
  private var burstSize = 0
  private var held: [UInt64] = []

  /// Takes nothing until `time`.
  mutating func standStill(until time: UInt64) { stillUntil = time }

  /// Does not take the next `count`.
  mutating func skip(_ count: Int) { skipsLeft = count }

  /// Takes the next `count` all at once, when the last of them is due.
  mutating func holdBack(_ count: Int) { burstSize = count }

  /// Does not take what is held back: a pause comes between.
  mutating func giveUpHeld() {
    skipped += UInt64(held.count)
    (held, burstSize) = ([], 0)
  }

  /// When the pictures were due that are taken now, in the order they were.
  mutating func take(at time: UInt64) -> [UInt64] {
    guard time >= stillUntil else { return [] }
    guard skipsLeft == 0 else {
      skipsLeft -= 1
      skipped += 1
      return []
    }
    held.append(time)
    guard held.count >= burstSize else { return [] }
    defer { (held, burstSize) = ([], 0) }
    return held
  }
}
