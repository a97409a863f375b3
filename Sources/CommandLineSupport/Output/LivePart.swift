/// A part of the live line, with the colour that a terminal shows it in.
package struct LivePart: Equatable, Sendable {
  /// A colour; the raw value is the code that turns it on.
  package enum Colour: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
  }

  package var text: String
  /// `nil` for that of the terminal.
  package var colour: Colour?

  package init(_ text: String, _ colour: Colour? = nil) { (self.text, self.colour) = (text, colour) }

  /// A figure, which is red beyond its limit.
  package init(_ text: String, isBeyondLimit: Bool) { self.init(text, isBeyondLimit ? .red : nil) }
}

extension [LivePart] {
  package var text: String { map(\.text).joined() }
}
