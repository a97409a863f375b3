import Foundation
import Synchronization
import Testing

/// Collects the broadcasts of a test, so that a failure of the test can show them.
final class FailureRecord: Sendable {
  @TaskLocal static var current: FailureRecord?

  private let state = Mutex((runs: [any BroadcastRun](), hasIssues: false))

  func add(_ run: any BroadcastRun) { state.withLock { $0.runs.append(run) } }

  func noteIssue() { state.withLock { $0.hasIssues = true } }

  var hasIssues: Bool { state.withLock { $0.hasIssues } }

  var runs: [any BroadcastRun] { state.withLock { $0.runs } }
}

/// Shows the timeline of a test's broadcasts with each failure of the test. Attaches the complete event log and the app's
/// last frame.
///
/// ```swift
/// @Test(.broadcastTimeline) func theAppSeesEachRotation() async throws { … }
/// ```
/// `swift test --attachments-path FOLDER` writes the attachments.
public struct BroadcastTimelineTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the trait of a suite applies to its tests: always.
  public var isRecursive: Bool { true }

  /// Runs a test and records its broadcasts.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let record = FailureRecord()
    let issues = IssueHandlingTrait.compactMapIssues { issue in
      var issue = issue
      record.noteIssue()
      issue.comments += record.runs.map { Comment(rawValue: "\($0.log.timeline)") }
      return issue
    }
    try await FailureRecord.$current.withValue(record) {
      try await issues.provideScope(for: test, testCase: testCase) {
        do { try await function() } catch {
          record.noteIssue()
          await Self.attach(record)
          throw error
        }
        if record.hasIssues { await Self.attach(record) }
      }
    }
  }

  @MainActor
  private static func attach(_ record: FailureRecord) async {
    for (index, run) in record.runs.enumerated() {
      let number = record.runs.count == 1 ? "" : "-\(index + 1)"
      Attachment.record(run.log.timeline.jsonLines, named: "events\(number).jsonl")
      do {
        if let frame = try await run.lastFrame() {
          Attachment.record([UInt8](frame), named: "last-frame\(number).png")
        }
      } catch {
        run.log.problem("The last frame cannot be attached: \(error)", from: .test)
      }
    }
  }
}

extension Trait where Self == BroadcastTimelineTrait {
  /// Shows the timeline of the test's broadcasts with each of its failures.
  public static var broadcastTimeline: Self { BroadcastTimelineTrait() }
}
