import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast

/// A way to run a broadcast under test.
@MainActor
protocol BroadcastRun: AnyObject, Sendable {
  nonisolated var log: EventLog { get }
  nonisolated var folder: TemporaryFolder { get }
  nonisolated var setup: BroadcastSetup { get }

  func start() async throws
  func run(for duration: Duration) async throws
  func asApp<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value
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

  nonisolated var container: AppGroupContainer {
    get throws { try AppGroupContainer(root: folder.path, group: setup.group) }
  }

  /// Makes a fault. The failure of one that is not possible has the timeline.
  func make(_ fault: () throws -> Void) throws {
    do { try fault() } catch { throw failure(.faultImpossible, "\(error)") }
  }
}

/// What a broadcast under test consists of.
struct BroadcastSetup: Sendable {
  let screen: TestScreen
  let appAudio: TestAudio?
  let microphone: TestAudio?
  let setupInfo: [String: String]
  let group: String
  let seed: UInt64

  /// The options of `producer` for it.
  var arguments: [String] {
    let audio = [("--app-audio", appAudio), ("--mic", microphone)].compactMap { option, source in
      source.map { "\(option)=\($0.rawValue)" }
    }
    return screen.arguments + audio
      + setupInfo.sorted { $0.key < $1.key }.map { "--setup-info=\($0.key)=\($0.value)" }
  }
}
