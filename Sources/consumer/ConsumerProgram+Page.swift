import CommandLineSupport
import ContainingApp
import EmulatedDevice
import EmulatedSystem
import Foundation
import LivePage
import ScreenBroadcast
import TestPatterns

extension ConsumerProgram {
  /// The page of a watch, if the options want one: its buttons do what the app and the phone can do.
  func page(
    _ options: ConsumerOptions, _ container: AppGroupContainer, _ console: Console, memory: WatchMemory,
    report: WatchReport?
  ) throws(ProgramFailure) -> LivePage? {
    guard let port = options.frames.serve else { return nil }
    let app = [
      LivePage.Control(
        usage: Self.start,
        meaning: "The app launches the producer, as 'consumer start'."),
      LivePage.Control(
        usage: Self.stop, meaning: "The app ends the broadcast by the flag, as 'consumer stop'."),
    ]
    let phone = DeviceEvent.forms.map {
      LivePage.Control(usage: $0.usage, meaning: $0.meaning)
    }
    let starts = LivePage.Starts(
      devices: DeviceProfile.all.map(\.name), patterns: TestPattern.allCases.map(\.rawValue))
    let control = BroadcastControl(container: container) { _ in }
    return try LivePage(
      port: port, framesPerSecond: options.framesPerSecond, console: console,
      memory: memory, report: report, controls: app + phone, starts: starts,
      publishing: Self.publishing(options)
    ) { request throws(UsageError) in
      switch request {
      case .start(let device, let pattern):
        let pattern = pattern ?? (options.frames.verify ? TestPattern.proof : .app).rawValue
        let arguments = (device.map { ["--device=\($0)"] } ?? []) + ["--pattern=\(pattern)"]
        let line = options.common.line(Self.start, ["--"] + arguments)
        return LivePage.Command("\(Self.start) -- \(arguments.joined(separator: " "))", line: line) {
          await Self.problem { () throws(ProgramFailure) in
            let view = TerminalWatchView(console: Console(messages: nil, errors: .error))
            var start = StartOptions()
            start.producerArguments = arguments
            let launch = try start.launch(container, options.common, view)
            try await control.start(launch, within: Self.longestWait)
          }
        }
      case .control(Self.stop):
        return LivePage.Command(Self.stop, line: options.common.line(Self.stop)) {
          await Self.problem { () throws(ProgramFailure) in try await control.stop(within: Self.longestWait) }
        }
      case .control(let text):
        let event = try DeviceEvent(text: text)
        let line = options.common.line("producer control", [event.text])
        return LivePage.Command(event.text, line: line) {
          await Self.problem { () throws(ProgramFailure) in try await Self.send(event, to: container) }
        }
      }
    }
  }

  /// The page of a capture, whose buttons do what the system does to the app.
  func page<System: EventSystem>(
    _ options: ConsumerOptions, for system: System, _ console: Console, memory: WatchMemory,
    report: WatchReport?
  ) throws(ProgramFailure) -> LivePage? {
    guard let port = options.frames.serve else { return nil }
    return try LivePage(
      port: port, framesPerSecond: options.framesPerSecond, console: console,
      memory: memory, report: report,
      controls: System.eventForms.map {
        LivePage.Control(usage: $0.usage, meaning: $0.meaning)
      },
      publishing: Self.publishing(options)
    ) { request throws(UsageError) in
      guard case .control(let text) = request else { throw UsageError("The app starts a capture by itself.") }
      let event = try SystemEvent<System>(text: text)
      return LivePage.Command(event.text) { system.perform(event) }
    }
  }

  /// The endpoint of the options. Its token comes from the environment: command lines are in reports and in lists of processes.
  private static func publishing(_ options: ConsumerOptions) -> PublishEndpoint? {
    var endpoint = options.frames.whip
    let token = ProcessInfo.processInfo.environment["BROADCAST_WHIP_TOKEN"] ?? ""
    endpoint?.token = token.isEmpty ? nil : token
    return endpoint
  }

  private nonisolated static let start = "consumer start"
  private nonisolated static let stop = "consumer stop"
  private nonisolated static let longestWait = Duration.seconds(10)

  /// Why something did not happen; `nil` if it did.
  private static func problem(_ action: @MainActor () async throws(ProgramFailure) -> Void) async -> String? {
    do throws(ProgramFailure) { try await action() } catch { return error.message }
    return nil
  }

  /// Sends an event to the broadcast, away from the main queue: the answer may take seconds.
  private nonisolated static func send(
    _ event: DeviceEvent, to container: AppGroupContainer
  ) async throws(ProgramFailure) {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Result { () throws(ProgramFailure) in try event.send(to: container) })
      }
    }
    try result.get()
  }
}
