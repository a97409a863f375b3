import CommandLineSupport

/// A call of the handler has not returned for 1, 5, 10 … seconds, or is found to be blocked.
package struct CallEvent: FactBody, Equatable {
  package static let event = "call"
  /// The call, such as `processSampleBuffer(video)`, or `work on the main thread` if the main thread does not respond.
  package var call: String
  /// How long the call has been open, in seconds, without times in which the process was suspended.
  package var openSeconds: Double
  /// Whether a thread of the extension or an encoder worked in the last second.
  package var works: Bool
  /// Whether the call waits (before `broadcastFinished`: without a limit), and nothing worked for it in the last four seconds. Or,
  /// with `works`, whether it has computed on the main thread for two seconds of CPU time.
  package var isBlocked: Bool
  /// The call stack of a blocked call, from the handler's function to the function that waits or computes.
  package var stack: [String]?

  package init(
    call: String, openSeconds: Double, works: Bool = false, isBlocked: Bool, stack: [String]? = nil
  ) {
    self.call = call
    self.openSeconds = openSeconds
    self.works = works
    self.isBlocked = isBlocked
    self.stack = stack
  }

  /// Whether the call is reported to people. After a second it is only a fact for programs.
  package var isLong: Bool { openSeconds >= 5 }

  /// The event as a line for the user.
  package var text: String {
    let sleeps = stack?.last == "sleep"
    let place = (stack ?? []).dropLast(sleeps ? 1 : 0).joined(separator: " -> ")
    let verb = works ? "computes" : sleeps ? "sleeps" : "waits"
    return "\(call) has not returned for \(openSeconds.text(decimals: 0)) s"
      + (isBlocked
        ? ": it \(verb)\(place.isEmpty ? "" : " in \(place)")." : works ? ", and still works." : ".")
  }
}
