import CommandLineSupport
import EmulatedDevice

/// What events happen to.
@MainActor
package protocol EventSystem: AnyObject, Sendable {
  /// The forms of all events, in the order of `--help`.
  nonisolated static var eventForms: [SystemEvent<Self>.Form] { get }

  /// Makes an event happen now. Returns the reason of a refusal, else `nil`.
  func perform(_ event: SystemEvent<Self>) -> String?
}

extension EventSystem {
  package func perform(_ event: SystemEvent<Self>) -> String? {
    do throws(EventRefusal) { try event.happen(self) } catch { return error.reason }
    return nil
  }
}

/// Something that happens to a broadcast from outside: an action of the person, the system or another app, or a change
/// of the device or the handler.
///
/// ```swift
/// system.perform(try DeviceEvent(text: "rotate:left"))
/// ```
package typealias DeviceEvent = SystemEvent<BroadcastSystem>

/// Something that happens to an emulated system from outside. ``forms`` lists all events with what they do.
package struct SystemEvent<System: EventSystem>: Sendable {
  /// The event as it is typed: its word, and a value after a colon.
  package let text: String
  package let traits: Traits
  /// The time from the event to the end of the broadcast that it causes; `nil` if it causes none.
  package let endsAfter: Duration?
  let happen: @MainActor @Sendable (System) throws(Refusal) -> Void

  package typealias Refusal = EventRefusal
  package typealias Traits = EventTraits

  /// The forms of all events, in the order of `--help`.
  package static var forms: [Form] { System.eventForms }

  init(
    text: String, traits: Traits = [], endsAfter: Duration? = nil,
    happen: @escaping @MainActor @Sendable (System) throws(Refusal) -> Void
  ) {
    (self.text, self.traits, self.endsAfter, self.happen) = (text, traits, endsAfter, happen)
  }

  /// Whether the event ends the extension's process by SIGKILL.
  package var kills: Bool { endsAfter != nil && traits.contains(.needsProcess) }

  /// The kind of an event: its text form, and what it does.
  package struct Form: Sendable {
    /// The form as `--help` shows it: `rotate:NAME`.
    package let usage: String
    /// What the event does, as a sentence.
    package let meaning: String
    let word: String
    /// The expected value, to follow "expects"; `nil` for an event without a value.
    package let expectation: String?
    /// The event for a value; `nil` if this form does not take it.
    let read: @Sendable (String) throws(UsageError) -> SystemEvent?

    /// An event without a value, or with this one.
    init(
      _ text: String, _ meaning: String, _ traits: Traits = [], endsAfter: Duration? = nil,
      happen: @escaping @MainActor @Sendable (System) throws(Refusal) -> Void
    ) {
      (usage, self.meaning, expectation) = (text, meaning + traits.remark, nil)
      let (word, value) = SystemEvent.parts(of: text)
      self.word = word
      read = {
        $0 == value ? SystemEvent(text: text, traits: traits, endsAfter: endsAfter, happen: happen) : nil
      }
    }

    /// An event whose value is parsed with an error of its own.
    init(
      _ word: String, _ placeholder: String, expects expectation: String, _ meaning: String,
      read: @escaping @Sendable (String) throws(UsageError) -> SystemEvent?
    ) {
      (self.word, usage, self.meaning) = (word, "\(word):\(placeholder)", meaning)
      self.expectation = expectation
      self.read = read
    }

    init<Value: Sendable>(
      _ word: String, _ placeholder: String, _ value: OptionValue<Value>, _ meaning: String,
      _ traits: Traits = [], endsAfter: @escaping @Sendable (Value) -> Duration? = { _ in nil },
      happen: @escaping @MainActor @Sendable (System, Value) throws(Refusal) -> Void
    ) {
      (self.word, usage, self.meaning) = (word, "\(word):\(placeholder)", meaning + traits.remark)
      expectation = value.expectation
      read = { text throws(UsageError) in
        let read = try value.value(of: text, for: "'\(word):\(placeholder)'", after: "\(word):")
        return SystemEvent(
          text: "\(word):\(value.text(read))", traits: traits, endsAfter: endsAfter(read)
        ) { system throws(Refusal) in try happen(system, read) }
      }
    }
  }
}

extension SystemEvent: Equatable, ExpressibleByStringLiteral {
  /// Parses an event. The error says what is wrong and what is expected.
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
      throw UsageError(
        "There are \(forms.map { "'\($0.usage)'" }.joined(separator: " and ")), not \(text.quoted).")
    }
    throw UsageError("'\(form.usage)' takes no value, not \(text.quoted).")
  }

  /// Whether an event has the word of this text, with whatever value.
  static func knows(_ text: String) -> Bool { forms.contains { $0.word == parts(of: text).word } }

  /// The error for an unknown event, with those that are near or all of `usages`.
  static func unknown(_ text: String, among usages: [String]) -> UsageError {
    let word = parts(of: text).word
    let words = usages.map { parts(of: $0).word }
    let near =
      words.contains(String(word.prefix { $0 != " " }))
      ? word.replacing(" ", with: ":") : Spelling.nearest(to: word, among: words)
    return UsageError(
      "There is no event \(text.quoted)"
        + (near.map { "; did you mean '\($0)'?" } ?? "; there are \(usages.joined(separator: ", "))."))
  }

  /// The word of an event, and its value, empty without one.
  private static func parts(of text: String) -> (word: String, value: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : "")
  }

  /// An event that the program itself triggers. Traps if there is no such event.
  package init(stringLiteral text: String) {
    do { try self.init(text: text) } catch { preconditionFailure(error.message) }
  }

  package static func == (one: SystemEvent, other: SystemEvent) -> Bool { one.text == other.text }
}

/// What others must know of an event.
package struct EventTraits: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Its consequences are reported, not the event.
  static let unreported = Self(rawValue: 1)
  /// It happens to the process of the extension or of the app.
  package static let needsProcess = Self(rawValue: 2)
  /// The screen has another rate of frames for a time.
  package static let changesRate = Self(rawValue: 4)
  /// A trace that is replayed decides instead.
  package static let ofTrace = Self(rawValue: 8)
  /// At 0 s it happens before the first call of the handler, which it concerns too.
  static let goesFirst = Self(rawValue: 16)
  /// What a phone does then is not known.
  package static let isAssumed = Self(rawValue: 32)

  /// What follows the meaning of an event.
  var remark: String { contains(.isAssumed) ? " What a phone does is not known." : "" }
}
