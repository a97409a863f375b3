import Causes
import CommandLineSupport
import Foundation
import PixelAccess
import Platform
import RunReports
import SharedMemory

// Docs/JSONLines.md has the meaning and the unit of every key.

struct StartedEvent: JSONEvent {
  static let event = "started"
  var pid: Int32
  var session: String?
  var container: String
  var width: Int
  var height: Int
  var pixelFormat: String
  var bytesPerRow: Int
  var fps: Double
  var bitRate: Double

  init(_ arithmetic: RawVideoArithmetic, session: RingSession?, container: String) {
    pid = ProcessInfo.processInfo.processIdentifier
    self.session = session.map { String($0.id, radix: 16) }
    self.container = container
    (width, height, bytesPerRow) = (arithmetic.width, arithmetic.height, arithmetic.bytesPerRow)
    pixelFormat = arithmetic.pixelFormat.fourCharacters
    (fps, bitRate) = (arithmetic.framesPerSecond, arithmetic.bitRate)
  }
}

extension MisuseEvent {
  init(_ misuse: HandlerMisuse, held: HeldBuffers?) {
    self.init(
      kind: misuse.rawValue, description: misuse.description, buffersHeld: held?.count,
      heldSeconds: held.map { $0.longest / .seconds(1) })
  }
}

extension SecondFact {
  /// What was between two points of a broadcast.
  init(from earlier: BroadcastReport.Progress?, to now: BroadcastReport.Progress, isPaused: Bool) {
    self.init(
      seconds: (now.elapsed - (earlier?.elapsed ?? .zero)) / .seconds(1),
      framesDelivered: now.framesProduced - (earlier?.framesProduced ?? 0))
    func new(_ count: KeyPath<BroadcastReport.Drops, UInt64>) -> UInt64 {
      now.dropped[keyPath: count] - (earlier?.dropped[keyPath: count] ?? 0)
    }
    (framesBehind, framesHeld) = (new(\.behind), new(\.held))
    (framesLeftOut, framesLate) = (new(\.leftOut), new(\.late))
    func milliseconds(_ time: KeyPath<BroadcastReport.Progress, Duration>) -> Double {
      max(.zero, now[keyPath: time] - (earlier?[keyPath: time] ?? .zero)) / .milliseconds(1)
    }
    (handlerMs, machineMs, screenMs) = (
      milliseconds(\.handlerTime), milliseconds(\.machineDelay), milliseconds(\.screenDelay)
    )
    // Only a call of this time can be a new longest.
    if now.longestCall > earlier?.longestCall ?? .zero { handlerMsMax = now.longestCall / .milliseconds(1) }
    self.isPaused = isPaused
    // The end of a broadcast is older than what is counted meanwhile.
    sentBytes = now.sentBytes.map { $0.minus(earlier?.sentBytes ?? 0) }
  }
}

extension FinishedFact {
  init(_ event: FinishedEvent) {
    self.init(reason: event.reason)
    (errorDomain, errorCode, errorDescription) = (event.errorDomain, event.errorCode, event.errorDescription)
    (dialog, workSeconds) = (event.dialog, event.workSeconds)
    (samplesHeld, samplesHeldSeconds) = (event.samplesHeld, event.samplesHeldSeconds)
  }
}

package struct FinishedEvent: JSONEvent, Decodable {
  package static let event = "finished"
  package var reason: String
  package var errorDomain: String?
  package var errorCode: Int?
  package var errorDescription: String?
  var dialog: String?
  var workSeconds: Double?
  package var framesProduced: UInt64
  package var framesDropped: UInt64
  package var framesRead: UInt64
  var lateTicks: UInt64
  package var audioDropped: UInt64
  package var misuses: UInt64
  var buffersHeld: Int?
  var heldSeconds: Double?
  package var samplesHeld: UInt64
  var samplesHeldSeconds: Double?
  var handlerMs: DelayHistogram.Percentiles
  package var seconds: Double
  package var framesPerSecond: Double

  package init(_ report: BroadcastReport) {
    reason = report.ending.reason
    if case .byExtension(let error) = report.ending {
      errorDomain = error.domain
      errorCode = error.code
      errorDescription = error.localizedDescription
    }
    (dialog, workSeconds) = (report.dialog, report.workAfterEnd.map { $0 / .seconds(1) })
    let progress = report.progress
    (framesProduced, framesDropped) = (progress.framesProduced, progress.framesDropped)
    (lateTicks, audioDropped) = (progress.lateTicks, progress.audioDropped)
    (framesRead, misuses) = (report.framesRead, report.misuses.values.reduce(0, +))
    (buffersHeld, heldSeconds) = (report.held?.count, report.held.map { $0.longest / .seconds(1) })
    samplesHeld = report.samplesHeld.count
    samplesHeldSeconds = samplesHeld > 0 ? report.samplesHeld.longest / .seconds(1) : nil
    handlerMs = DelayHistogram.Percentiles(report.handlerTimes)
    (seconds, framesPerSecond) = (progress.seconds, progress.framesPerSecond)
  }
}

/// The memory of the extension as iOS counts it.
struct MemoryEvent: JSONEvent {
  static let event = "memory"
  var footprintBytes: UInt64
  var peakFootprintBytes: UInt64
  var budgetBytes: UInt64
  var mappedFileBytes: UInt64
}
