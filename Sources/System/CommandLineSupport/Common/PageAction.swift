/// An action that a page offers to a person: a button with a name and typed fields.
package struct PageAction: Encodable, Equatable, Sendable {
  /// The heading of related actions.
  package enum Group: String, Encodable, Sendable {
    case phone = "Phone"
    case app = "App"
    case frames = "Frames"
    case sound = "Sound"
    case memoryAndTime = "Memory and time"
    case connection = "Connection"
    case end = "End"
  }

  /// What an action ends. An action on the app ends or freezes the page too.
  package enum End: String, Encodable, Sendable { case nothing, broadcast, page }

  /// An input field of an action.
  package struct Field: Encodable, Equatable, Sendable {
    package enum Kind: String, Encodable, Sendable { case choice, number, size, text }

    package var kind: Kind
    package var label = ""
    package var choices: [String]?
    package var unit: String?
    package var least: Double?
    package var most: Double?
    /// The initial value, as typed; `nil` for the first choice.
    package var value: String?

    package static let text = Self(kind: .text)

    package static func choice(_ choices: [String]) -> Self { Self(kind: .choice, choices: choices) }

    package static func number(_ range: ClosedRange<Double>, unit: String? = nil) -> Self {
      Self(kind: .number, unit: unit, least: range.lowerBound, most: range.upperBound)
    }

    /// Returns a copy of the field with a label and an initial value.
    package func labelled(_ label: String, _ value: String? = nil) -> Self {
      var field = self
      (field.label, field.value) = (label, value ?? self.value)
      return field
    }
  }

  package var name: String
  /// The command without values.
  package var word: String
  package var group: Group
  /// The effect of the action, as a sentence.
  package var meaning: String
  /// Whether the action is one of the most used.
  package var isCommon = false
  package var ends = End.nothing
  /// The command, with the placeholders `{0}`, `{1}` and so on for the values of the fields.
  package var text: String
  package var fields: [Field]

  package init(
    _ name: String, _ word: String, _ group: Group, _ meaning: String, isCommon: Bool = false,
    ends: End = .nothing, _ text: String, _ fields: [Field] = []
  ) {
    self.name = name
    self.word = word
    self.group = group
    self.meaning = meaning
    self.isCommon = isCommon
    self.ends = ends
    self.text = text
    self.fields = fields
  }
}
