/// What a person can make happen, as a page offers it: a button with a name and typed fields.
package struct PageAction: Encodable, Equatable, Sendable {
  /// The heading of actions that belong together.
  package enum Group: String, Encodable, Sendable {
    case phone = "Phone"
    case app = "App"
    case frames = "Frames"
    case sound = "Sound"
    case memoryAndTime = "Memory and time"
    case connection = "Connection"
    case end = "End"
  }

  /// What an action ends. With the app the page ends, or stands still.
  package enum End: String, Encodable, Sendable { case nothing, broadcast, page }

  /// A value that a person gives.
  package struct Field: Encodable, Equatable, Sendable {
    package enum Kind: String, Encodable, Sendable { case choice, number, size, text }

    package var kind: Kind
    package var label = ""
    package var choices: [String]?
    package var unit: String?
    package var least: Double?
    package var most: Double?
    /// The value at first, as it is typed; `nil` for the first choice.
    package var value: String?

    package static let text = Self(kind: .text)

    package static func choice(_ choices: [String]) -> Self { Self(kind: .choice, choices: choices) }

    package static func number(_ range: ClosedRange<Double>, unit: String? = nil) -> Self {
      Self(kind: .number, unit: unit, least: range.lowerBound, most: range.upperBound)
    }

    /// The same field with a label, and with a value at first.
    package func labelled(_ label: String, _ value: String? = nil) -> Self {
      var field = self
      (field.label, field.value) = (label, value ?? self.value)
      return field
    }
  }

  package var name: String
  /// What is typed without values.
  package var word: String
  package var group: Group
  /// What it does, as a sentence.
  package var meaning: String
  /// Whether it is among the first that a person wants.
  package var often = false
  package var ends = End.nothing
  /// The command, in which `{0}`, `{1}` and so on stand for the values of the fields.
  package var text: String
  package var fields: [Field]

  package init(
    _ name: String, _ word: String, _ group: Group, _ meaning: String, often: Bool = false,
    ends: End = .nothing, _ text: String, _ fields: [Field] = []
  ) {
    (self.name, self.word, self.group, self.meaning) = (name, word, group, meaning)
    (self.often, self.ends, self.text, self.fields) = (often, ends, text, fields)
  }
}
