import Causes
import CommandLineSupport
import EmulatedDevice

/// A system that events can be applied to.
@MainActor
package protocol EventSystem: AnyObject, Sendable {
  /// The forms of all events, in the order of `--help`.
  nonisolated static var eventForms: [SystemEvent<Self>.Form] { get }
  /// The device whose state events change.
  var device: Device { get }

  /// Performs an event now. Returns the reason if it is refused, otherwise `nil`.
  func perform(_ event: SystemEvent<Self>) -> String?
}

extension EventSystem {
  package func perform(_ event: SystemEvent<Self>) -> String? {
    do throws(EventRefusal) { try event.happen(self) } catch { return error.reason }
    return nil
  }
}

/// An event that happens to a broadcast from outside: an action of the person, the system or another app, or a change of
/// the device or the handler.
///
/// ```swift
/// system.perform(try DeviceEvent(text: "rotate:left"))
/// ```
package typealias DeviceEvent = SystemEvent<BroadcastSystem>

/// An event that happens to an emulated system from outside. ``forms`` lists all events with their effects.
package struct SystemEvent<System: EventSystem>: Sendable {
  /// The event as typed: its word, and its value after a colon.
  package let text: String
  /// The name of the event's button.
  package let name: String
  package var traits: Traits = []
  /// The time from the event to the end of the broadcast; `nil` if the event does not end it.
  package var endsAfter: Duration?
  /// The causes that the event produces.
  package var effect = EventEffect.none
  /// Whether a button of the page requested the event.
  package var isFromPage = false
  package let happen: @MainActor @Sendable (System) throws(Refusal) -> Void

  package typealias Refusal = EventRefusal
  package typealias Traits = EventTraits

  /// The forms of all events, in the order of `--help`.
  package static var forms: [Form] { System.eventForms }
  /// The page's buttons for all events.
  package static var actions: [PageAction] { forms.flatMap(\.actions) }

  /// Whether the event kills the extension's process with SIGKILL.
  package var kills: Bool { endsAfter != nil && traits.contains(.needsProcess) }

  /// The form of an event: its text and its effect.
  package struct Form: Sendable {
    /// The form in `--help`: `rotate:NAME`.
    package let usage: String
    /// The effect of the event, as a sentence.
    package let meaning: String
    let word: String
    /// The page's buttons for the event: one, or one for each kind of value.
    package private(set) var actions: [PageAction]
    /// Whether the event needs a value.
    let hasValue: Bool
    /// Returns the event for a value; `nil` if this form does not accept the value.
    let read: @Sendable (String) throws(UsageError) -> SystemEvent?

    /// Creates the form of an event without a value, or with a fixed one. The name defaults to the word.
    package init(
      _ text: String, named name: String? = nil, _ meaning: String, _ traits: Traits = [],
      endsAfter: Duration? = nil, effect: EventEffect = .none,
      happen: @escaping @MainActor @Sendable (System) throws(Refusal) -> Void
    ) {
      (usage, self.meaning, hasValue) = (text, meaning + traits.remark, false)
      let (word, value) = SystemEvent.parts(of: text)
      self.word = word
      let name = name ?? Self.name(of: word)
      actions = [
        PageAction(
          name, text, .phone, self.meaning, isCommon: traits.contains(.isCommon),
          ends: traits.contains(.stopsApp) ? .page : endsAfter == nil ? .nothing : .broadcast, text)
      ]
      read = {
        $0 == value
          ? SystemEvent(
            text: text, name: name, traits: traits, endsAfter: endsAfter, effect: effect, happen: happen)
          : nil
      }
    }

    /// Creates the form of an event whose value has a parser with its own error messages.
    init(
      _ word: String, _ placeholder: String, _ meaning: String, _ actions: [PageAction],
      read: @escaping @Sendable (String) throws(UsageError) -> SystemEvent?
    ) {
      (self.word, usage, self.meaning) = (word, "\(word):\(placeholder)", meaning)
      (self.actions, hasValue, self.read) = (actions, true, read)
    }

    /// Creates the form of an event with a value. A page shows `first` initially (default: the first choice).
    package init<Value: Sendable>(
      _ word: String, _ placeholder: String, _ value: OptionValue<Value>, named name: String? = nil,
      first: Value? = nil, _ meaning: String, _ traits: Traits = [],
      endsAfter: @escaping @Sendable (Value) -> Duration? = { _ in nil },
      effect: @escaping @Sendable (Value) -> EventEffect = { _ in .none },
      happen: @escaping @MainActor @Sendable (System, Value) throws(Refusal) -> Void
    ) {
      let (name, usage) = (name ?? Self.name(of: word), "\(word):\(placeholder)")
      self.word = word
      self.usage = usage
      self.meaning = meaning + traits.remark
      hasValue = true
      let example = first ?? value.field.choices?.first.flatMap(value.read)
      let label =
        placeholder == "N"
        ? "Number"
        : placeholder.contains(where: \.isLowercase) ? placeholder : Self.name(of: placeholder.lowercased())
      actions = [
        PageAction(
          name, word, .phone, self.meaning, isCommon: traits.contains(.isCommon),
          ends: example.flatMap(endsAfter) == nil ? .nothing : .broadcast,
          "\(word):{0}", [value.field.labelled(label, first.map(value.text))])
      ]
      read = { text throws(UsageError) in
        let read = try value.value(of: text, for: "'\(usage)'", after: "\(word):")
        return SystemEvent(
          text: "\(word):\(value.text(read))", name: name, traits: traits, endsAfter: endsAfter(read),
          effect: effect(read)
        ) { system throws(Refusal) in try happen(system, read) }
      }
    }

    private static func name(of word: String) -> String { word.replacing("-", with: " ").firstUpper }

    /// Returns the form under another heading than the phone's.
    package func under(_ group: PageAction.Group) -> Self {
      var form = self
      for index in actions.indices { form.actions[index].group = group }
      return form
    }
  }
}

extension Array {
  /// Returns the forms under one heading.
  package func under<System>(_ group: PageAction.Group) -> Self where Element == SystemEvent<System>.Form {
    map { $0.under(group) }
  }
}

extension SystemEvent: Equatable, ExpressibleByStringLiteral {
  /// Parses an event. The error names the invalid part and what is expected.
  package init(text: String) throws(UsageError) {
    let (word, value) = Self.parts(of: text)
    let forms = Self.forms.filter { $0.word == word }
    guard let form = forms.first else {
      throw Self.unknown(text, among: Self.forms.map(\.usage))
    }
    for form in forms {
      guard let event = try form.read(value) else { continue }
      self = event
      return
    }
    guard forms.count == 1 else {
      let usages = forms.map(\.usage)
      let near = Spelling.nearest(to: text, among: usages).map { "; did you mean '\($0)'?" } ?? "."
      throw UsageError("The events are \(usages.quotedList("and")), not \(text.quoted)\(near)")
    }
    throw UsageError("'\(form.usage)' takes no value, not \(text.quoted).")
  }

  /// Whether there is an event with the word of this text, whatever its value.
  package static func knows(_ text: String) -> Bool { forms.contains { $0.word == parts(of: text).word } }

  /// Returns the error for an unknown event. It suggests similar events, or lists all of `usages`.
  package static func unknown(_ text: String, among usages: [String]) -> UsageError {
    let word = parts(of: text).word
    let words = usages.map { parts(of: $0).word }
    let near =
      words.contains(String(word.prefix { $0 != " " }))
      ? word.replacing(" ", with: ":") : Spelling.nearest(to: word, among: words)
    return UsageError(
      "There is no event \(text.quoted)"
        + (near.map { "; did you mean '\($0)'?" } ?? "; the events are \(usages.joined(separator: ", "))."))
  }

  /// Splits an event into its word and its value (empty if there is none).
  private static func parts(of text: String) -> (word: String, value: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : "")
  }

  /// Creates an event that the program itself triggers. Traps if there is no such event.
  package init(stringLiteral text: String) {
    do { try self.init(text: text) } catch { preconditionFailure(error.message) }
  }

  package static func == (one: SystemEvent, other: SystemEvent) -> Bool { one.text == other.text }
}

/// Properties of an event that other components need.
package struct EventTraits: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The consequences of the event are reported, but not the event.
  static let unreported = Self(rawValue: 1)
  /// The event affects the process of the extension or of the app.
  package static let needsProcess = Self(rawValue: 2)
  /// The event is refused while a trace is replayed, because the trace determines this.
  package static let ofTrace = Self(rawValue: 8)
  /// At 0 s the event happens before the first call of the handler, because it affects that call too.
  static let beforeStart = Self(rawValue: 16)
  /// The event is one of the page's common buttons.
  static let isCommon = Self(rawValue: 64)
  /// The event ends or suspends the app, and with it the app's page.
  package static let stopsApp = Self(rawValue: 128)
  /// It is not known how a phone behaves at this event.
  package static let isAssumed = Self(rawValue: 32)

  /// The remark after the meaning of an event.
  var remark: String { contains(.isAssumed) ? " The behaviour of a phone is not known." : "" }
}
