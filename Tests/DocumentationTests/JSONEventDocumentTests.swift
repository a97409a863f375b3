import Causes
import CommandLineSupport
import CoreVideo
import EmulatedDevice
import Foundation
import LaunchedPrograms
import PhoneLink
import PixelAccess
import ReplayKit
import RunReports
import SharedMemory
import TestSupport
import Testing

@testable import BroadcastCheck
@testable import BroadcastExtension
@testable import ContainerDoctor
@testable import ContainingApp
@testable import EmulatedSystem
@testable import ScreenBroadcast

/// The tables of `Docs/JSONLines.md` name the events and keys that the programs write.
@Suite struct JSONEventDocumentTests {
  /// The type of the value of each key, by event. The keys of an inner object are `object.key`.
  private typealias Events = [String: [String: String]]

  @Test func theProducersEventsAreDocumentedKeyByKey() throws {
    var start = StartedEvent(fps: 60)
    (start.pid, start.session, start.container) = (1, "1", "/container")
    (start.width, start.height, start.pixelFormat) = (1170, 2532, "420f")
    (start.bytesPerRow, start.bitRate) = (1216, 1)
    var end = BroadcastEnd(.byExtension(NSError(domain: "domain", code: 1)), progress)
    (end.buffersHeld, end.heldSeconds) = (7, 1)
    (end.samplesHeld, end.samplesHeldSeconds) = (1, 1)
    (end.dialog, end.workSeconds) = ("Live streaming to App has stopped.", 1)
    var failed = verdict(.failed("What."))
    failed.cause = Cause(.slow, from: .zero, "What.")
    var second = SecondEvent(seconds: 1, framesDelivered: 60)
    (second.footprintBytes, second.limitBytes, second.sentBytes) = (1, 2, 3)
    let written = try events([
      start, PausedEvent(), ResumedEvent(), RequestEvent(what: "lock", refusal: "Why not."),
      second, MisuseEvent(.kept, held: HeldBuffers(count: 7)),
      SocketEvent(
        connection: 1, path: "/app", what: .closed, faults: "latency,latency=1", cause: "peer",
        upstreamBytes: 1, downstreamBytes: 2),
      SocketEvent(path: "192.0.2.1:80", what: .direct, faults: ""),
      CallEvent(call: "broadcastFinished", openSeconds: 5, isBlocked: true, stack: ["wait"]),
      NotificationEvent(name: "com.example"),
      LogEvent(subsystem: "com.example", category: "extension", level: "info", text: "What it says."),
      MemoryEvent(footprintBytes: 1, peakFootprintBytes: 2, budgetBytes: 3, mappedFileBytes: 4),
      recording, WroteEvent(file: "/file", bytes: 1, secondsAfterEnd: 0.3),
      end,
      ScenarioEvent(scenario),
      VerdictEvent(verdict(.passed(figures: ["x 1 (at most 2)"])), repeatCommand: ""),
      VerdictEvent(failed, repeatCommand: "broadcast check producer"),
      VerdictEvent(verdict(.doesNotApply("why not")), repeatCommand: ""),
      CheckedEvent([], duration: .seconds(1.5), seed: 1),
    ])
    #expect(try EventDocument().types(of: "producer") == written)
  }

  private var recording: RecordingEvent {
    var event = RecordingEvent(file: "/file", bytes: 1, status: .failed, failure: "Why.")
    (event.waited, event.sessionStart, event.apart) = (1, 1.5, 0.1)
    var track = RecordingEvent.Track()
    (track.stream, track.firstCapture, track.lastCapture, track.shift) = ("video", 1, 2, 0)
    track.delivered = RecordingEvent.Delivered()
    (event.video, event.audio, event.secondAudio) = (track, track, track)
    return event
  }

  @Test func theConsumersEventsAreDocumentedKeyByKey() throws {
    let stats = WatchStats(
      framesPerSecondIn: 60, framesPerSecondOut: 30, ageMs: 1, framesSkipped: 1, framesTorn: 0, format: nil,
      bitRate: 1, phase: .live, seconds: 1, appLevelDb: -18, micLevelDb: -96, avOffsetMs: -3.5,
      footprintBytes: 3,
      limitBytes: 4)
    var state = BroadcastState()
    (state.appAudio, state.microphone) = (AudioState(), AudioState())
    var delays = FrameDelays()
    delays.avOffsets.add(.nanoseconds(-1))
    var cause = Cause(
      .ended, "Team 1", from: .zero, to: .zero, evidence: ["A phone shows a dialog."], "It ended.")
    cause.request = "error:interrupted"
    var start = StartedEvent(fps: 60)
    (start.extension, start.device, start.arguments) = ("producer", "iphone-15", ["producer"])
    (start.width, start.height) = (886, 1918)
    var end = BroadcastEnd(reason: "extensionError")
    (end.errorDomain, end.errorCode, end.errorDescription) = ("domain", 1, "What.")
    let written = try events([
      ServingEvent(address: "http://127.0.0.1:1/"), StatusEvent(active: true, atNs: 1),
      FormatEvent(try format()), stats,
      AudioEvent(AudioChange(stream: .app, kind: .format, sampleRate: 44_100, channelCount: 2)),
      CrashedEvent(
        pid: 1,
        kill: MemoryKill(
          pid: 1, session: nil, atNs: 1, limitBytes: 1, footprintBytes: 2, peakFootprintBytes: 2)),
      ProducerSuspendedEvent(pid: 1), ProducerResumedEvent(pid: 1), AppSuspendedEvent(seconds: 2),
      CauseEvent(cause, repeat: "producer"), BegunEvent(start, at: .zero, pid: 1),
      BroadcastFinishedEvent(end, at: .zero),
      ControlEvent(
        "lock", name: "Lock", line: "producer control lock", problem: "Why.", by: .page, at: .zero),
      AppEvent(.background),
      CaptureEvent(CaptureChange(.refused, NSError(domain: "domain", code: 1))),
      ProblemEvent(description: "What is wrong."),
      AppSummary(state, delays),
      FindingEvent(finding, isFixable: true), DiagnosisEvent(diagnosis),
    ])
    #expect(try EventDocument().types(of: "consumer") == written)
  }

  @Test func theKeysOfAnErrorAreOptionalAndAbsentWithoutAnError() throws {
    let written = try #require(events([BroadcastEnd(.bySystem, progress)])["finished"])
    let optional = try Document("Docs/JSONLines.md").rows.filter { row in
      row.cells.count == 4 && row.section == "producer" && row.cells[2].hasSuffix("?")
    }.map { $0.cells[1] }
    #expect(!optional.isEmpty)
    let all = try #require(EventDocument().types(of: "producer")["finished"])
    #expect(Set(written.keys) == Set(all.keys).subtracting(optional))
  }

  @Test func everyKindOfFindingIsDocumentedWithItsSeverityAndExitCode() throws {
    let rows = try Document("Docs/CommandLine.md").rows.filter { $0.subsection == "doctor" }.map(\.cells)
      .filter { $0[0] != "kind" && !$0[0].hasPrefix("---") }
    #expect(
      rows.map { Array($0[..<2]) }
        == Finding.Kind.allCases.map { kind in
          let code = kind.exitCode == .ok ? "" : " \(kind.exitCode.rawValue)"
          return [kind.rawValue + (kind.isFixable ? " *" : ""), kind.severity.rawValue + code]
        })
    let words = [
      (true, .alive(pid: 1)), (false, .alive(pid: 1)), (true, .died(pid: 1)), (true, .unheld),
      (false, .unheld),
      (nil, .unheld),
    ].map { (flag: Bool?, holder: ProcessLock.Holder) in
      Diagnosis(container: "/container", flag: flag, holder: holder, findings: []).broadcastWord
    }
    let row = try Document("Docs/JSONLines.md").rows.first {
      $0.cells.count == 4 && $0.cells[1] == "broadcast"
    }
    let meaning = try #require(row?.cells.last)
    #expect(Set(words).count == 6)
    for word in words { #expect(meaning.contains(word)) }
  }

  private var scenario: Scenario {
    Scenario(
      name: "name", checks: "What.", tags: ["tag"], onDevice: "What.", see: "WhatGoesWrong.md: Tearing")
  }
  private func verdict(_ result: ScenarioVerdict.Result) -> ScenarioVerdict {
    ScenarioVerdict(scenario: scenario, result: result, duration: .seconds(1.5), kept: .folder("/kept/name"))
  }

  private var finding: Finding {
    var finding = Finding(.staleFlag, "/container/preferences", "what is wrong", remedy: "the way out")
    finding.fixFailure = "why not"
    return finding
  }
  private var diagnosis: Diagnosis {
    Diagnosis(container: "/container", flag: true, holder: .died(pid: 1), findings: [finding])
  }

  @Test func everyReasonAndPhaseIsDocumented() throws {
    let noBuffer = ScreenContentError.noBuffer(
      PixelBufferError(
        code: kCVReturnAllocationFailed, width: 16, height: 16,
        pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
    let endings: [BroadcastEnding] = [
      .byExtension(NSError(domain: SampleHandler.errorDomain, code: 1)), .gracefullyByExtension,
      .byExtension(NSError(domain: "domain", code: 2, userInfo: [NSUnderlyingErrorKey: noBuffer])),
      .bySystem, .endOfContent, .durationReached, .framesReached, .contentFailed(noBuffer),
    ]
    let document = try Document("Docs/JSONLines.md")
    let reasons = document.rows.filter { $0.cells.count == 3 }
      .map { $0.cells[0] }.filter { $0 != "reason" && !$0.hasPrefix("---") }
    #expect(reasons == endings.map(\.reason))

    let phases: [BroadcastState.Phase] = [
      .waiting, .live, .paused, .suspended(pid: 1), .ended(nil), .crashed(pid: 1),
    ]
    let row = document.rows.first { $0.cells.contains("phase") }
    let meaning = try #require(row?.cells.last)
    for phase in phases { #expect(meaning.contains(phase.word)) }

    let change = document.rows.first { $0.cells.count == 4 && $0.cells[0] == "capture" }
    let changes = try #require(change?.cells.last)
    for kind in CaptureChange.Kind.allCases { #expect(changes.contains(kind.rawValue)) }
  }

  private let progress = BroadcastProgress(
    total: SecondEvent(seconds: 4.5, framesDelivered: 1), framesSpan: .seconds(4))

  /// The events as the programs write them, parsed from JSON lines.
  private func events(_ samples: [any JSONEvent]) throws -> Events {
    var events: Events = [:]
    for sample in samples {
      let collected = CollectedStream()
      try JSONLines(to: collected.stream).write(sample)
      let event = try ProgramEvent(line: Data(try collected.text().utf8))
      // Some keys of an event exclude each other.
      events[event.name, default: [:]].merge(event.values.mapValues(\.typeName)) { $1 }
    }
    return events
  }

  private func format() throws -> FrameFormat {
    let pool = try PixelBufferPool(
      width: 16, height: 16, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    return FrameFormat(
      BroadcastFrame(
        pixelBuffer: try pool.makeBuffer(), orientation: .up, captureTime: 1, publishTime: 2, receiveTime: 2,
        id: BroadcastFrame.ID(session: 1, number: 1)))
  }
}
