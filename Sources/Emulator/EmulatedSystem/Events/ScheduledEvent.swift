import CommandLineSupport

package struct ScheduledEvent: Equatable, Sendable {
  /// The time since the launch of the extension.
  package var time: Duration
  package var event: DeviceEvent

  package init(time: Duration, event: DeviceEvent) {
    self.time = time
    self.event = event
  }

  /// Parses `TIME EVENT`. The error says what is wrong and what is expected.
  package init(text: String) throws(UsageError) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else {
      throw UsageError("--at expects a time and an event, as in '--at 2s pause', not \(text.quoted).")
    }
    guard let time = Duration(typed: words[0]), time <= CommonOptions.longest else {
      throw UsageError(
        "--at expects a time such as 2s, 500ms or 1m, up to \(CommonOptions.longest.decimalSeconds)s, "
          + "not \(words[0].quoted).")
    }
    self.init(time: time, event: try DeviceEvent(text: words[1]))
  }
}
