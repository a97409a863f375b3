import Foundation
import Synchronization

/// The output for the user: lines, a live line that a terminal redraws in place, and errors.
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

  /// Creates a console. If `messages` is `nil`, only errors are printed; if `errors` is `nil`, errors are not. By default the
  /// live line is drawn if `messages` is a terminal.
  ///
  /// - Parameter hasColours: whether the live line has colours (default: on a terminal, unless the environment disables them).
  package init(
    messages: StandardStream?, errors: StandardStream?, drawsLive: Bool? = nil, hasColours: Bool? = nil
  ) {
    self.messages = messages
    self.errors = errors
    let isTerminal = messages?.isTerminal ?? false
    self.drawsLive = drawsLive ?? isTerminal
    self.hasColours = hasColours ?? (isTerminal && Self.allowsColours(ProcessInfo.processInfo.environment))
  }

  /// Whether the environment allows colours: `NO_COLOR` is empty or missing, and `TERM` is not `dumb`.
  static func allowsColours(_ environment: [String: String]) -> Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Whether ``live(_:)`` draws. If not, print the same text as lines, less often.
  package var showsLive: Bool { drawsLive && messages != nil }

  /// The number of characters that fit on a line of the terminal.
  package var liveWidth: Int { max(1, (messages?.terminalWidth ?? 80) - 1) }

  /// The failure of the message stream after a failed write.
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

  /// Draws the live line, truncated to the width of the terminal, unless an earlier write is still in progress.
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

/// A part of the live line, with its colour.
package struct LivePart: Equatable, Sendable {
  /// A terminal colour; the raw value is its SGR code.
  package enum Colour: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
  }

  package var text: String
  /// The colour; `nil` for the terminal's default colour.
  package var colour: Colour?

  package init(_ text: String, _ colour: Colour? = nil) {
    self.text = text
    self.colour = colour
  }

  /// Creates a statistic, shown in red if it is beyond its limit.
  package init(_ text: String, isBeyondLimit: Bool) { self.init(text, isBeyondLimit ? .red : nil) }
}

extension [LivePart] {
  package var text: String { map(\.text).joined() }
}
