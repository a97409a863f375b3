/// A requested event has happened, or was not possible.
package struct RequestEvent: FactBody {
  package static let event = "happened"
  /// The event as typed. `pause`, `resume`, `stop`, `error` and `crash` come only with a refusal.
  package var what: String
  /// Why the event was not possible; `nil` if it happened.
  package var refusal: String?
  /// The name of its button on a page.
  package var name: String?
  /// Whether a page requested the event. Only facts have this property and the next one.
  package var isFromPage: Bool?
  /// The causes that the event produces.
  package var effect: EventEffect?

  package init(what: String, refusal: String? = nil, effect: EventEffect? = nil) {
    self.what = what
    self.refusal = refusal
    self.effect = effect
  }
}

/// The causes that an event produces. An event without causes ends the effect of an earlier event with the same word.
package struct EventEffect: Codable, Equatable, Sendable {
  package var causes: Set<Cause.Kind>
  /// The duration of the effect in seconds; `nil` if it continues until another event ends it.
  package var seconds: Double?

  package init(_ causes: Set<Cause.Kind>, for duration: Duration? = nil) {
    (self.causes, seconds) = (causes, duration.map { $0 / .seconds(1) })
  }

  package static let none = Self([])

  package static func makes(_ causes: Cause.Kind..., for duration: Duration? = nil) -> Self {
    Self(Set(causes), for: duration)
  }
}
