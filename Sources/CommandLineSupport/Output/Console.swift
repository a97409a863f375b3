import Synchronization

/// What a person reads: lines, a live line that is drawn over itself on a terminal, and errors.
///
///     let console = Console(messages: .output, errors: .error)
///     console.live("60.0 fps")          // drawn again in place
///     console.say("The broadcast ended.")   // takes the live line's place
public final class Console: Sendable {
  private let messages: StandardStream?
  private let errors: StandardStream
  private let drawsLive: Bool
  private let liveIsShown = Mutex(false)

  /// A console whose messages go to a stream, or nowhere for `nil`; errors always have a stream.
  ///
  /// `drawsLive` says whether the live line can be drawn; by default when the messages go to a terminal.
  public init(messages: StandardStream?, errors: StandardStream, drawsLive: Bool? = nil) {
    self.messages = messages
    self.errors = errors
    self.drawsLive = drawsLive ?? messages?.isTerminal ?? false
  }

  /// Whether `live` draws: where it does not, say the same things in lines, less often.
  public var showsLive: Bool { drawsLive && messages != nil }

  /// How many characters of a live line are drawn; the rest is cut.
  public var liveWidth: Int { max(1, (messages?.terminalSize ?? .fallback).columns - 1) }

  /// Why no message can be printed any more, once none can.
  public var failure: ProgramFailure? { messages?.programFailure }

  /// Prints lines.
  public func say(_ text: String) {
    guard let messages else { return }
    // On a terminal a line may come to stand where another output drew: what is behind it goes.
    let end = showsLive ? "\(Self.clearToEnd)\n" : "\n"
    replaceLive { erase in messages.write("\(erase)\(text.replacing("\n", with: end))\(end)") }
  }

  /// Prints lines on the error stream.
  public func report(_ text: String) {
    replaceLive { erase in
      if !erase.isEmpty { messages?.write(erase) }
      errors.write("\(text)\n")
    }
  }

  /// Draws the live line, cut to the width of the terminal; not while the one before is still being written.
  public func live(_ text: String) {
    guard showsLive, let messages, !messages.isBusy else { return }
    let line = text.prefix(liveWidth)
    liveIsShown.withLock { isShown in
      messages.write("\r\(line)\(Self.clearToEnd)")
      isShown = true
    }
  }

  /// Leaves the live line where it is and goes on below it.
  public func keepLive() {
    liveIsShown.withLock { isShown in
      if isShown { messages?.write("\n") }
      isShown = false
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
