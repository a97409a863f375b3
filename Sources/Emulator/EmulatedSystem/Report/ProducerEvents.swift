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

struct PausedEvent: JSONEvent { static let event = "paused" }

struct ResumedEvent: JSONEvent { static let event = "resumed" }

/// A requested event has happened, or was refused.
package struct DeviceEventReport: JSONEvent {
  package static let event = "happened"
  package var what: String
  /// The reason of the refusal; `nil` if the event happened.
  package var refusal: String?

  package init(what: String, refusal: String? = nil) {
    self.what = what
    self.refusal = refusal
  }
}

/// The handler has misused a sample in this way for the first time.
struct MisuseEvent: JSONEvent {
  static let event = "misuse"
  var kind: String
  var description: String
  var buffersHeld: Int?
  var heldSeconds: Double?

  init(_ misuse: HandlerMisuse, held: HeldBuffers?) {
    (kind, description) = (misuse.rawValue, misuse.description)
    (buffersHeld, heldSeconds) = (held?.count, held.map { $0.longest / .seconds(1) })
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
    misuses = report.misuses.values.reduce(0, +)
    (buffersHeld, heldSeconds) = (report.held?.count, report.held.map { $0.longest / .seconds(1) })
    samplesHeld = report.samplesHeld.count
    samplesHeldSeconds = samplesHeld > 0 ? report.samplesHeld.longest / .seconds(1) : nil
    handlerMs = DelayHistogram.Percentiles(report.handlerTimes)
    (seconds, framesPerSecond) = (progress.seconds, progress.framesPerSecond)
  }
}

/// The handler's calls were compared with an expected trace.
package struct TraceEvent: JSONEvent {
  package static let event = "trace"
  var expected: String
  var lines: Int
  var differences: Int
  var arrivalMs: DelayHistogram.Percentiles
  var lateArrivals: Int

  package init(_ comparison: TraceComparison, expected: String) {
    (self.expected, lines) = (expected, comparison.lineCount)
    (differences, lateArrivals) = (comparison.differenceCount, comparison.lateCount)
    arrivalMs = DelayHistogram.Percentiles(comparison.arrivals)
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
