import CommandLineSupport

/// A call of the handler has not returned for a second, for five or for ten, or was found to be blocked.
package struct CallEvent: JSONEvent, Equatable {
  package static let event = "call"
  /// The method, such as `broadcastFinished` or `processSampleBuffer(video)`.
  package var call: String
  /// For how long it is open, without the time in which the process was stopped.
  package var openSeconds: Double
  /// Whether neither the call, nor another thread, nor an encoder has worked for it in the last four seconds.
  package var isBlocked: Bool
  /// Of a blocked call: the functions in which it waits, from the handler's own on.
  package var stack: [String]?

  /// One line for people.
  package var text: String {
    let place = (stack ?? []).joined(separator: " -> ")
    let state =
      !isBlocked
      ? openSeconds < 5 ? "" : ", and still works"
      : place.isEmpty ? ": it waits" : ": it waits in \(place)"
    return "\(call) has not returned for \(openSeconds.text(decimals: 0)) s\(state)."
  }
}
