import EmulatedSystem
import LaunchedPrograms

/// A scenario: what happens to an extension and its app, and what the result must be.
///
/// `Docs/Check.md` describes its file.
package struct Scenario: Equatable, Sendable {
  package var name: String
  /// Its file, as verdicts and errors name it.
  package var file = ""
  /// What it checks, in one sentence.
  package var checks: String
  package var tags: [String] = []
  /// The seed of its random times.
  package var seed: UInt64 = 1
  /// What it has no meaning without.
  package var needs: Need?
  /// Whether it is part of the program. Its lines about the output of the app are then those of `consumer`.
  package var isBuiltIn = false
  /// Whether it measures times, so that no other scenario may run beside it.
  package var runsAlone = false
  /// What a device does when the scenario fails, in one sentence.
  package var onDevice: String
  /// The page and the section about the failure, such as `WhatGoesWrong.md: Tearing`.
  package var see: String?
  /// The issues that belong to the scenario, and do not fail it.
  package var expectedIssues: Set<Issue> = []
  package var actions: [Action] = []

  /// Whether it has lines that start, end or change the app.
  var leadsApp: Bool {
    actions.contains { action in
      switch action.step {
      case .launch(.app, _), .control(.app, _, _), .live, .stopByApp: true
      case .launch, .control, .event, .expect: false
      }
    }
  }

  /// A scenario with steps that are the lines after the first one of a file.
  package init(_ name: String, checks: String, onDevice: String, steps: [Step]) {
    (self.name, file, self.checks, self.onDevice) = (name, name, checks, onDevice)
    actions = steps.enumerated().map { Action(line: $0.offset + 2, time: nil, step: $0.element) }
  }

  /// What a scenario needs.
  package enum Need: String, CaseIterable, Sendable {
    /// An app, or the article's.
    case app, consumer
    /// A handler that connects to a socket, or uses Darwin notifications.
    case socket, notifications
    /// An app that puts pictures into a folder.
    case pictures
    /// The article's app, a connection of the handler, or such pictures.
    case output
    /// An app that captures audio or frames, or frames.
    case stream, frames
  }

  /// What fails every scenario that does not expect it.
  package enum Issue: String, CaseIterable, Sendable {
    /// The extension's process ended without the end of the broadcast, or an app of its own accord with an error.
    case crash
    /// The handler ended the broadcast with an error.
    case error
    /// A process did not start or end in time.
    case hang
    /// An event was not possible.
    case refusal
  }

  /// One line of a scenario.
  package struct Action: Equatable, Sendable {
    /// The line in its file.
    package var line: Int
    /// The time since the newest start of the extension, drawn between two bounds; `nil` for at once.
    package var time: ClosedRange<Duration>?
    package var step: Step
  }

  /// What an action does.
  package enum Step: Equatable, Sendable {
    case launch(LaunchedBroadcast.Side, arguments: [String])
    case control(LaunchedBroadcast.Side, ProcessStep, within: Duration)
    /// The app asks the extension to end, as `consumer stop` does.
    case stopByApp
    /// A change in the life of the app; in the background it is suspended after a time.
    case live(PhoneApp.Event, suspendsAfter: Duration)
    case event(DeviceEvent)
    case expect(Expectation)

    /// Whether the handler may lose its connections by it.
    var disturbsConnections: Bool {
      switch self {
      case .event(let event): event.text.hasPrefix("socket:")
      case .launch(.app, _), .control(.app, _, _), .live: true
      case .launch, .control, .stopByApp, .expect: false
      }
    }
  }

  /// What a scenario does with a process.
  package enum ProcessStep: String, CaseIterable, Sendable {
    /// Waits until the process has ended.
    case wait
    /// Ends the process by SIGTERM, and waits until it has ended.
    case end
    /// SIGKILL, SIGSTOP and SIGCONT.
    case kill, suspend, `continue`
  }
}

/// Why a scenario cannot be read: file, line and key, and what is wrong there.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ place: String, key: String? = nil, _ problem: String) {
    description = "\(place): \(key.map { "'\($0)' " } ?? "")\(problem)"
  }
}
