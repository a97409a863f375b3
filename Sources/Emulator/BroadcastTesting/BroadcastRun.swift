import Foundation
import Platform
import ScreenBroadcast

/// A way to run a broadcast under test.
@MainActor
protocol BroadcastRun: AnyObject, Sendable {
  nonisolated var log: EventLog { get }
  nonisolated var folder: ContainerFolder { get }

  func start() async throws
  func run(for duration: Duration) async throws
  func perform(_ event: String) async throws
  func perform(_ fault: BroadcastFault) async throws
  func finished(within limit: Duration) async throws -> BroadcastEnd
  func summary() async throws -> AppSummary
  func lastFrame() async throws -> Data?
}

extension BroadcastRun {
  func failure(_ reason: TestBroadcast.Failure.Reason, _ text: String) -> TestBroadcast.Failure {
    TestBroadcast.Failure(reason, text, log)
  }

  /// Sets the flag as another process would.
  func setFlag(_ value: Bool) throws {
    let container = try AppGroupContainer(root: folder.root, group: folder.group)
    try KeyValueFile(container: container).set(value, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
  }
}

/// What a broadcast under test consists of.
struct BroadcastSetup: Sendable {
  let screen: TestScreen
  let appAudio: TestAudio
  let microphone: TestAudio
  let setupInfo: [String: String]
  let group: String
  let seed: UInt64

  /// The options of `producer` for it.
  var arguments: [String] {
    screen.arguments + ["--app-audio=\(appAudio.argument)", "--mic=\(microphone.argument)"]
      + setupInfo.sorted { $0.key < $1.key }.map { "--setup-info=\($0.key)=\($0.value)" }
  }
}
