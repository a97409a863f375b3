import CommandLineSupport
import ContainingApp
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
        meaning: "The app launches the producer, as 'consumer start'; the screen shows an app."),
      LivePage.Control(
        usage: Self.stop, meaning: "The app ends the broadcast by the flag, as 'consumer stop'."),
    ]
    let phone = DeviceEvent.forms.map {
      LivePage.Control(usage: $0.usage, meaning: $0.meaning, expects: $0.expectation)
    }
    let starts = LivePage.Starts(
      devices: DeviceProfile.all.map(\.name), patterns: TestPattern.allCases.map(\.rawValue))
    let control = BroadcastControl(container: container) { _ in }
    return try LivePage(
      port: port, framesPerSecond: options.framesPerSecond, console: console,
      memory: memory, report: report, controls: app + phone, starts: starts,
      publishing: Self.publishing(options)
    ) { command in
      do throws(ProgramFailure) {
        switch command {
        case _ where command == Self.start || command.hasPrefix("\(Self.start) "):
          let view = TerminalWatchView(console: Console(messages: nil, errors: .error))
          var start = StartOptions()
          start.producerArguments = command.dropFirst(Self.start.count).split(separator: " ").map(String.init)
          if !start.producerArguments.contains(where: { $0.hasPrefix("--pattern=") }) {
            start.producerArguments.append("--pattern=\(options.frames.verify ? "proof" : "app")")
          }
          let launch = try start.launch(container, options.common, view)
          try await control.start(launch, within: Self.longestWait)
        case Self.stop: try await control.stop(within: Self.longestWait)
        default: try await Self.send(command, to: container)
        }
        return nil
      } catch {
        return error.message
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
        LivePage.Control(usage: $0.usage, meaning: $0.meaning, expects: $0.expectation)
      },
      publishing: Self.publishing(options)
    ) { command in
      do throws(UsageError) {
        return system.perform(try SystemEvent(text: command))
      } catch {
        return error.message
      }
    }
  }

  /// The endpoint of the options. Its token comes from the environment: command lines are in reports and in lists of processes.
  private static func publishing(_ options: ConsumerOptions) -> LivePage.Publishing? {
    options.frames.whip.map { address in
      let token = ProcessInfo.processInfo.environment["BROADCAST_WHIP_TOKEN"] ?? ""
      return LivePage.Publishing(address: address, token: token.isEmpty ? nil : token)
    }
  }

  private nonisolated static let start = "consumer start"
  private nonisolated static let stop = "consumer stop"
  private nonisolated static let longestWait = Duration.seconds(10)

  /// Sends an event to the broadcast, away from the main queue: the answer may take seconds.
  private nonisolated static func send(
    _ command: String, to container: AppGroupContainer
  ) async throws(ProgramFailure) {
    let event: DeviceEvent
    do throws(UsageError) { event = try DeviceEvent(text: command) } catch {
      throw ProgramFailure(.usage, error.message)
    }
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Result { () throws(ProgramFailure) in try event.send(to: container) })
      }
    }
    try result.get()
  }
}
