/// The reason that was reported last: each is reported once, until another one or none.
struct ReportedReason<Reason: Equatable> {
  private var last: Reason?

  /// Records the present reason, `nil` for none. Returns whether it differs from the last one.
  mutating func changes(to reason: Reason?) -> Bool {
    defer { last = reason }
    return last != reason
  }
}
