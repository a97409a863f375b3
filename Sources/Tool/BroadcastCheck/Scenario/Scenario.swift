import EmulatedSystem
import LaunchedPrograms

/// A scenario: the events for an extension and its app, and the expected results.
///
/// `Docs/Check.md` describes the file format.
package struct Scenario: Equatable, Sendable {
  package var name: String
  /// The path of the scenario's file, as shown in verdicts and errors.
  package var file = ""
  /// The property that the scenario checks, in one sentence.
  package var checks: String
  package var tags: [String] = []
  /// The seed of the random times.
  package var seed: UInt64 = 1
  /// The feature of the handler or its app without which the scenario is not judged.
  package var needs: Need?
  /// Whether the scenario is part of the program. The lines about the app's output then apply to `consumer` only.
  package var isBuiltIn = false
  /// Whether the scenario measures times, so that no other scenario may run in parallel.
  package var runsAlone = false
  /// The behaviour of a device when the scenario fails, in one sentence.
  package var onDevice: String
  /// The page and the section about the failure, such as `WhatGoesWrong.md: Tearing`.
  package var see: String?
  /// The issues that do not fail the scenario.
  package var expectedIssues: Set<Issue> = []
  package var actions: [Action] = []

  /// Whether a line starts, ends or changes the app.
  var leadsApp: Bool {
    actions.contains { action in
      switch action.step {
      case .launch(.app, _), .control(.app, _, _), .live, .stopByApp: true
      case .launch, .control, .event, .expect: false
      }
    }
  }

  /// Creates a scenario from the steps of the lines after the first one.
  package init(_ name: String, checks: String, onDevice: String, steps: [Step]) {
    (self.name, file, self.checks, self.onDevice) = (name, name, checks, onDevice)
    actions = steps.enumerated().map { Action(line: $0.offset + 2, time: nil, step: $0.element) }
  }

  /// A requirement of a scenario.
  package enum Need: String, CaseIterable, Sendable {
    /// Any app (`app`), or the article's app (`consumer`).
    case app, consumer
    /// A handler that connects to a socket, or uses Darwin notifications.
    case socket, notifications
    /// An app that writes pictures to a folder.
    case pictures
    /// The article's app, a connection of the handler, or an app as for `pictures`.
    case output
    /// An app that captures audio or frames (`stream`), or an app that captures frames (`frames`).
    case stream, frames
  }

  /// The problems that fail every scenario that does not expect them.
  package enum Issue: String, CaseIterable, Sendable {
    /// The extension's process ended before the broadcast ended, or an app ended by itself with an error.
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
    /// The number of the line in the file.
    package var line: Int
    /// The time since the newest start of the extension, drawn at random from this range; `nil` to act at once.
    package var time: ClosedRange<Duration>?
    package var step: Step
  }

  /// The step of an action.
  package enum Step: Equatable, Sendable {
    case launch(LaunchedBroadcast.Side, arguments: [String])
    case control(LaunchedBroadcast.Side, ProcessStep, within: Duration)
    /// The app asks the extension to end, as `consumer stop` does.
    case stopByApp
    /// An app lifecycle event. In the background, the app is suspended after `suspendsAfter`.
    case live(PhoneApp.Event, suspendsAfter: Duration)
    case event(DeviceEvent)
    case expect(Expectation)

    /// Whether the handler may lose its connections because of the step.
    var disturbsConnections: Bool {
      switch self {
      case .event(let event): event.text.hasPrefix("socket:")
      case .launch(.app, _), .control(.app, _, _), .live: true
      case .launch, .control, .stopByApp, .expect: false
      }
    }
  }

  /// A step that concerns a process.
  package enum ProcessStep: String, CaseIterable, Sendable {
    /// Waits until the process has ended.
    case wait
    /// Sends SIGTERM to the process, and waits until it has ended.
    case end
    /// Sends SIGKILL, SIGSTOP or SIGCONT.
    case kill, suspend, `continue`
  }
}

/// The reason why a scenario cannot be read, with file, line and key.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ place: String, key: String? = nil, _ problem: String) {
    description = "\(place): \(key.map { "'\($0)' " } ?? "")\(problem)"
  }
}
