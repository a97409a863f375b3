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
  private let liveIsShown = Mutex(false)

  /// Without `messages` only errors are printed; without `errors` none are. The live line is drawn by default if they go to a terminal.
  package init(messages: StandardStream?, errors: StandardStream?, drawsLive: Bool? = nil) {
    self.messages = messages
    self.errors = errors
    self.drawsLive = drawsLive ?? messages?.isTerminal ?? false
  }

  /// Whether ``live(_:)`` draws. If not, print the same in lines, less often.
  package var showsLive: Bool { drawsLive && messages != nil }

  /// The characters that fit a line of the terminal.
  package var liveWidth: Int { max(1, (messages?.terminalSize ?? .fallback).columns - 1) }

  /// The failure of the messages' stream, after a write failed.
  package var failure: ProgramFailure? { messages?.programFailure }

  package func say(_ text: String) {
    guard let messages else { return }
    // Another output may have drawn on this line of the terminal: clear the rest of it.
    let end = showsLive ? "\(Self.clearToEnd)\n" : "\n"
    replaceLive { erase in messages.write("\(erase)\(text.printable.replacing("\n", with: end))\(end)") }
  }

  /// Prints lines on the error stream.
  package func report(_ text: String) {
    replaceLive { erase in
      if !erase.isEmpty { messages?.write(erase) }
      errors?.write("\(text.printable)\n")
    }
  }

  /// Draws the live line, cut to the width of the terminal, unless an earlier write is still in progress.
  package func live(_ text: String) {
    guard showsLive, let messages, !messages.isBusy else { return }
    let line = text.prefix(liveWidth)
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
