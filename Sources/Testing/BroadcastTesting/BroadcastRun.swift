import CommandLineSupport
import EmulatedSystem
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

  /// Runs the steps of a start. An error becomes a failure with the timeline.
  func starting(_ body: () async throws -> Void) async throws {
    let reason: String
    do { return try await body() } catch let error as TestBroadcast.Failure { throw error } catch {
      reason =
        switch error {
        case let error as UsageError: error.message
        case let error as ProgramFailure: error.message
        default: "\(error)"
        }
    }
    throw failure(.cannotStart, reason.hasSuffix(".") ? reason : reason + ".")
  }

  /// Returns the failure for a broadcast that the handler ended in `broadcastStarted`.
  func refusal(_ end: BroadcastEnd) -> TestBroadcast.Failure {
    let error = end.error.map { "\($0.domain), code \($0.code): \($0.text)" } ?? end.reason
    return failure(.handlerRefused(end), "The handler ended the broadcast in broadcastStarted: \(error)")
  }

  /// Parses an event. An error becomes a failure with the timeline.
  func event(_ text: String) throws -> DeviceEvent {
    do throws(UsageError) { return try DeviceEvent(text: text) } catch {
      throw failure(.eventRefused, error.message)
    }
  }

  nonisolated var container: AppGroupContainer {
    get throws { try AppGroupContainer(root: folder.path, group: setup.group) }
  }

  /// Applies a fault. An error becomes a failure with the timeline.
  func make(_ fault: () throws -> Void) throws {
    do { try fault() } catch { throw failure(.faultImpossible, "\(error)") }
  }
}

/// The parameters of a broadcast under test.
struct BroadcastSetup: Sendable {
  let screen: TestScreen
  let appAudio: TestAudio?
  let microphone: TestAudio?
  let setupInfo: [String: String]
  let group: String
  let seed: UInt64

  /// The corresponding options of `producer`.
  var arguments: [String] {
    let audio = [("--app-audio", appAudio), ("--mic", microphone)].compactMap { option, source in
      source.map { "\(option)=\($0.rawValue)" }
    }
    return screen.arguments + audio
      + setupInfo.sorted { $0.key < $1.key }.map { "--setup-info=\($0.key)=\($0.value)" }
  }
}
