import CommandLineSupport
import PhoneLink
import Platform
import ScreenBroadcast

extension DeviceEvent {
  /// The answer to an event that has happened. Any other answer is the sentence that refuses the event.
  package static let success = "done"

  /// The prefix of an event that a button of the page requested.
  private static let page = "page "

  /// Parses an event that another process sent with ``send(to:)``.
  package init(sent line: String) throws(UsageError) {
    try self.init(text: line.hasPrefix(Self.page) ? String(line.dropFirst(Self.page.count)) : line)
    isFromPage = line.hasPrefix(Self.page)
  }

  /// Sends the event to the process that runs the broadcast in `container`.
  package func send(to container: AppGroupContainer) throws(ProgramFailure) {
    let answer: LineService.Answer
    do {
      answer = try LineService.ask(
        (isFromPage ? Self.page : "") + text, folder: container.broadcastFolder,
        name: AppGroupContainer.controlSocketName)
    } catch {
      throw ProgramFailure(errno: error.code, "The broadcast cannot be reached: \(error).")
    }
    switch answer {
    case .line(Self.success): return
    case .line(let refusal): throw ProgramFailure(.notInOrder, refusal)
    // A process that the event crashes does not answer. An app that suspends itself has no sockets any more.
    case .closed where kills || isFromPage && traits.contains(.stopsApp): return
    case .closed:
      throw ProgramFailure(
        .nothingCame,
        "The broadcast in \(container.folder) did not answer: it ended, or has too many requests; try again."
      )
    case .noService:
      throw ProgramFailure(
        .nothingCame,
        "No broadcast runs in \(container.folder); start one in the same container and app group.")
    }
  }
}

/// An event of a broadcast, with its time.
package typealias ScheduledEvent = ScheduledSystemEvent<BroadcastSystem>

/// An event with its time.
package struct ScheduledSystemEvent<System: EventSystem>: Equatable, Sendable {
  /// The time since the launch of the extension, or since the start of the app.
  package var time: Duration
  package var event: SystemEvent<System>
  /// Whether the person requested the event. Otherwise it follows from another event.
  var isRequested = true

  package init(time: Duration, event: SystemEvent<System>) {
    self.time = time
    self.event = event
  }

  /// Parses `TIME EVENT`. The error names the invalid part and what is expected.
  package init(text: String) throws(UsageError) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else {
      let example = System.eventForms.first.map { " \($0.usage)" } ?? ""
      throw UsageError("--at expects a time and an event, as in '--at 2s\(example)', not \(text.quoted).")
    }
    guard let time = Duration(typed: words[0]), time <= CommonOptions.longest else {
      throw UsageError(
        "--at expects a time such as 2s, 500ms or 1m, up to \(CommonOptions.longest.decimalSeconds)s, "
          + "not \(words[0].quoted).")
    }
    self.init(time: time, event: try SystemEvent(text: words[1]))
  }
}
