/// Suppresses duplicates: a reason is reported once, until a different reason or `nil` follows.
struct OncePerReason<Reason: Equatable> {
  private var last: Reason?

  /// Records the current reason (`nil`: no problem). Returns whether it differs from the previous one.
  mutating func changes(to reason: Reason?) -> Bool {
    defer { last = reason }
    return last != reason
  }
}
