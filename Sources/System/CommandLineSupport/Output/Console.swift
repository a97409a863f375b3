import Foundation
import Synchronization

/// The output for a person: lines, a live line that a terminal redraws in place, and errors.
///
///     let console = Console(messages: .output, errors: .error)
///     console.live("60.0 fps")              // redrawn in place
///     console.say("The broadcast ended.")   // replaces the live line
package final class Console: Sendable {
  private let messages: StandardStream?
  private let errors: StandardStream?
  private let drawsLive: Bool
  private let hasColours: Bool
  private let liveIsShown = Mutex(false)

  /// Without `messages` only errors are printed; without `errors` none are. The live line is drawn by default if they go to a terminal.
  ///
  /// - Parameter hasColours: whether the live line has them; by default on a terminal, unless the environment refuses them.
  package init(
    messages: StandardStream?, errors: StandardStream?, drawsLive: Bool? = nil, hasColours: Bool? = nil
  ) {
    self.messages = messages
    self.errors = errors
    let isTerminal = messages?.isTerminal ?? false
    self.drawsLive = drawsLive ?? isTerminal
    self.hasColours = hasColours ?? (isTerminal && Self.allowsColours(ProcessInfo.processInfo.environment))
  }

  /// Whether neither `NO_COLOR`, if it is not empty, nor a `TERM` of `dumb` refuses colours.
  static func allowsColours(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Whether ``live(_:)`` draws. If not, print the same in lines, less often.
  package var showsLive: Bool { drawsLive && messages != nil }

  /// The characters that fit a line of the terminal.
  package var liveWidth: Int { max(1, (messages?.terminalWidth ?? 80) - 1) }

  /// The failure of the messages' stream, after a write failed.
  package var failure: ProgramFailure? { messages?.programFailure }

  package func say(_ text: String) {
    guard let messages else { return }
    // Another output may have drawn on this line of the terminal: clear the rest of it.
    let end = showsLive ? "\(Self.clearToEnd)\n" : "\n"
    replaceLive { erase in messages.write("\(erase)\(text.printable.replacing("\n", with: end))\(end)") }
  }

  package func report(_ text: String) {
    replaceLive { erase in
      if !erase.isEmpty { messages?.write(erase) }
      errors?.write("\(text.printable)\n")
    }
  }

  /// Draws the live line, cut to the width of the terminal, unless an earlier write is still in progress.
  package func live(_ text: String) { live([LivePart(text)]) }

  package func live(_ parts: [LivePart]) {
    guard showsLive, let messages, !messages.isBusy else { return }
    var room = liveWidth
    let line = parts.map { part in
      let text = String(part.text.prefix(room))
      room -= text.count
      guard hasColours, let colour = part.colour, !text.isEmpty else { return text }
      return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }.joined()
    liveIsShown.withLock { isShown in
      messages.write("\r\(line)\(Self.clearToEnd)")
      isShown = true
    }
  }

  private static let clearToEnd = "\u{1B}[K"

  private func replaceLive(_ print: (_ erase: String) -> Void) {
    liveIsShown.withLock { isShown in
      print(isShown ? "\r\(Self.clearToEnd)" : "")
      isShown = false
    }
  }
}

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
