import Platform

// What a registered reader can do besides: keep a frame in place, and sleep until the next one.
extension FrameRingReader {
  /// Leases the newest frame, if it is newer than the one read last: the frame stays in place.
  ///
  /// All readers together can lease all slots but two, each for the writer's lease limit. The reader must be registered.
  /// - Returns: the lease; `nil` if there is no new frame, or if it cannot be leased now, because the writer has not
  ///   published since the reader registered or too many slots are leased. ``next(_:)`` can still read it.
  public func lease() throws(RingError) -> FrameLease? {
    guard let registration else { preconditionFailure("the reader is not registered") }
    // SYNC: acquire; the partner is the release store in SlotAllocator.acquire. From then on the writer reads the
    // readers' page before it acquires a slot, and `latest` below is at least as new as that.
    guard leasingEnabled.loadAcquiring() != 0 else { return nil }
    for _ in 0..<Self.attempts {
      // SYNC: acquire; the partner is the store of `latest` in SlotAllocator.publish.
      let word = latest.loadAcquiring()
      let (number, slot) = RingLayout.unpack(word)
      guard unsafe number > lastRead else {
        try checkForLoss()
        return nil
      }
      guard slot < layout.slotCount else { throw .damaged(path: path) }
      guard registration.leavesRoom(leasing: slot) else { return nil }
      // If the writer is in the slot, it publishes a newer frame soon, perhaps before the next attempt.
      guard registration.hold(slot, number: number) else { continue }
      let found: Candidate?
      do throws(RingError) { found = try candidate(in: word) } catch {
        registration.release(slot, number: number)
        throw error
      }
      if let found {
        // The writer is not in the slot and does not enter it.
        unsafe lastRead = number
        return FrameLease(
          found, ring: file, sequence: sequences[slot], endMark: endMark, registration: registration)
      }
      // It was there already, or has reclaimed the lease.
      registration.release(slot, number: number)
    }
    return nil
  }

  /// Sleeps until there is a frame newer than the one read last, until no frame follows in this file, or until
  /// `deadline`. May return early. The reader must be registered.
  /// - Returns: whether there is a newer frame.
  @discardableResult
  public func wait(until deadline: MonotonicTime, clock: any MonotonicClock = SystemClock()) -> Bool {
    guard let registration else { preconditionFailure("the reader is not registered") }
    registration.beginWaiting()
    // SYNC: sequentially consistent, as the change of `waiting` before it; the partners are the two operations of
    // SlotAllocator.publish in the other order. Either this sees the frame, or the writer sees the reader.
    let seen = latest.loadSequentiallyConsistent()
    if unsafe RingLayout.unpack(seen).number <= lastRead, seen & RingLayout.lastWord == 0 {
      // A writer that does not read the readers' page yet wakes no reader; it will with one of its next frames.
      // SYNC: acquire, as in `lease`; here only the length of the sleep depends on it.
      let limit =
        leasingEnabled.loadAcquiring() != 0
        ? deadline : min(deadline, clock.now + Self.unregisteredWait)
      latest.wait(while: seen, until: clock.systemTime(of: limit))
    }
    registration.endWaiting()
    return hasNewFrame
  }

  /// One frame at 60 fps.
  private static let unregisteredWait = Duration.seconds(1) / 60
}
