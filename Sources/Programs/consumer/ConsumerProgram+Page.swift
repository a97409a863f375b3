import AppProgram
import CommandLineSupport
import ContainingApp
import EmulatedDevice
import EmulatedSystem
import Foundation
import LivePage
import ScreenBroadcast
import TestPatterns

extension ConsumerProgram {
  /// Creates the page of a watch if the options request one. Its buttons control the app and the phone.
  func page(
    _ options: ConsumerOptions, _ container: AppGroupContainer, _ program: WatchProgram, report: WatchReport?
  ) throws(ProgramFailure) -> LivePage? {
    let pattern = options.showing.frames.verify ? TestPattern.proof : .app
    let app = [
      PageAction(
        "Start", Self.start, .phone, "The app launches the producer.", isCommon: true,
        "\(Self.start) -- --device={0} --pattern={1}",
        [
          .choice(DeviceProfile.all.map(\.name)).labelled("Device", DeviceProfile.standard.name),
          .choice(TestPattern.allCases.map(\.rawValue)).labelled("Pattern", pattern.rawValue),
        ]),
      PageAction(
        "Stop", Self.stop, .phone, "The app clears the flag, and the extension ends the broadcast.",
        isCommon: true, ends: .broadcast,
        Self.stop),
    ]
    let control = BroadcastControl(container: container) { _ in }
    return try program.page(
      app + DeviceEvent.actions, report: report,
      run: PageRun(
        group: options.common.group, serve: program.commandLine, options: options.common.line(""),
        device: Device.current.profile.name, verifies: options.showing.frames.verify)
    ) { text throws(UsageError) in
      if text == Self.stop {
        return LivePage.Command(text, name: "Stop", line: options.common.line(Self.stop)) {
          await Self.problem { () throws(ProgramFailure) in try await control.stop(within: Self.longestWait) }
        }
      }
      if text == Self.again {
        return LivePage.Command(text, name: "Start again") {
          await Self.problem { () throws(ProgramFailure) in
            guard let last = report?.begun, let program = last.program, let arguments = last.arguments else {
              throw ProgramFailure(.nothingCame, "The app has seen no broadcast that it could start again.")
            }
            var start = StartOptions()
            let isNeighbour = URL(fileURLWithPath: program).lastPathComponent == "producer"
            (start.producer, start.producerArguments) = (isNeighbour ? nil : program, arguments)
            try await control.start(start.launch(container, options.common), within: Self.longestWait)
          }
        }
      }
      if text.hasPrefix(Self.start) {
        let arguments = try Self.arguments(of: text)
        return LivePage.Command(
          text, name: "Start", line: options.common.line(Self.start, ["--"] + arguments)
        ) {
          await Self.problem { () throws(ProgramFailure) in
            var start = StartOptions()
            start.producerArguments = arguments
            try await control.start(
              start.launch(container, options.common), within: Self.longestWait)
          }
        }
      }
      var event = try DeviceEvent(text: text)
      event.isFromPage = true
      let line = options.common.line("producer control", [event.text])
      return LivePage.Command(event.text, name: event.name, line: line) { [event] in
        await Self.problem { () throws(ProgramFailure) in try await Self.send(event, to: container) }
      }
    }
  }

  private nonisolated static let start = "consumer start"
  private nonisolated static let again = "consumer start again"
  private nonisolated static let stop = "consumer stop"
  private nonisolated static let longestWait = Duration.seconds(10)

  /// Returns the producer's arguments for a start by a page. A page can choose a device and a pattern, but no file and no
  /// program.
  nonisolated static func arguments(of start: String) throws(UsageError) -> [String] {
    let lists = [
      "--device": DeviceProfile.all.map(\.name), "--pattern": TestPattern.allCases.map(\.rawValue),
    ]
    let words = start.dropFirst(Self.start.count).split(separator: " ").map(String.init)
    let arguments = words.first == "--" ? Array(words.dropFirst()) : words
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, lists[parts[0]]?.contains(parts[1]) == true else {
        throw UsageError(
          "The page starts a producer only with a --device and a --pattern of its lists, not with "
            + "\(argument.quoted).")
      }
    }
    return arguments
  }

  /// Runs `action`, and returns why it failed; `nil` if it succeeded.
  private static func problem(_ action: @MainActor () async throws(ProgramFailure) -> Void) async -> String? {
    do throws(ProgramFailure) { try await action() } catch { return error.message }
    return nil
  }

  /// Sends an event to the broadcast, not on the main queue, because the answer may take seconds.
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
