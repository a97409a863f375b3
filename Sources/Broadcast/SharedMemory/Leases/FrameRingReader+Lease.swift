import Platform

// What a reader that is registered may do besides: hold a frame in place, and sleep until the next one.
extension FrameRingReader {
  /// Takes the newest frame, if it is newer than the last one read, and holds it in place.
  ///
  /// Any number of slots but two can be leased at a time, by all readers together, and for as long as the
  /// writer's lease limit says. The reader must be registered.
  /// - Returns: the lease; `nil` when there is no new frame, or none that can be leased now: the writer has not
  ///   published since the reader registered, or too many slots are leased. ``next(_:)`` reads it all the same.
  public func lease() throws(RingError) -> FrameLease? {
    guard let registration else { preconditionFailure("the reader is not registered") }
    // SYNC: acquire; partner is the release store in SlotAllocator.take. From there on the writer takes no slot
    // without a look at the readers' page, and `latest` below is at least as new as that.
    guard honoured.loadAcquiring() != 0 else { return nil }
    for _ in 0..<Self.attempts {
      // SYNC: acquire; partner is the store of `latest` in SlotAllocator.publish.
      let (number, slot) = RingLayout.unpack(latest.loadAcquiring())
      guard number > lastRead else {
        try checkForLoss()
        return nil
      }
      guard slot < layout.slotCount else { throw .damaged(path: path) }
      guard registration.leavesRoom(leasing: slot) else { return nil }
      // The writer in the slot has not told of a newer frame yet, or has by the next attempt.
      guard registration.hold(slot, number: number) else { continue }
      // SYNC: acquire; partner is the writer's release store. The writer is not in the slot and does not come.
      if sequences[slot].loadAcquiring() == RingLayout.complete(number) {
        guard let candidate = candidate(number, in: slot) else {
          // A header that contradicts its frame, unless the writer has taken the lease back already.
          let isDamaged = isWhole(slot: slot, number: number)
          registration.release(slot, number: number)
          if isDamaged { throw .damaged(path: path) }
          overtaken += 1
          continue
        }
        lastRead = number
        return FrameLease(candidate, ring: file, sequence: sequences[slot], registration: registration)
      }
      registration.release(slot, number: number)
      try countOvertaken(number)
    }
    return nil
  }

  /// Sleeps until there is a frame newer than the last one read, until no frame will follow in this file, or until
  /// `deadline`. May return early. The reader must be registered.
  /// - Returns: whether there is a newer frame.
  @discardableResult
  public func wait(until deadline: MonotonicTime) -> Bool {
    guard let registration else { preconditionFailure("the reader is not registered") }
    registration.beginWaiting()
    // SYNC: sequentially consistent, as the change of `waiting` before it; partners are the two in
    // SlotAllocator.publish in the other order. Either this sees the frame, or the writer sees the reader.
    let seen = latest.loadSequentiallyConsistent()
    if RingLayout.unpack(seen).number <= lastRead, seen & RingLayout.lastWord == 0 {
      // A writer that does not look at the readers' page yet wakes nobody; it will with one of its next frames.
      let soon =
        honoured.loadAcquiring() != 0
        ? deadline : min(deadline, SystemClock().now + Self.unhonouredWait)
      latest.wait(while: seen, until: soon)
    }
    registration.endWaiting()
    return hasNewFrame
  }

  /// One frame at 60 fps.
  private static let unhonouredWait = Duration.seconds(1) / 60
}
