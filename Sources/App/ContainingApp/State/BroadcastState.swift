import Causes
import CommandLineSupport
import CoreVideo
import PhoneLink
import PixelAccess
import Platform
import ReplayKitCore
import RunReports
import ScreenBroadcast
import SharedMemory
import TestPatterns

/// The app's knowledge of the broadcast at one moment. It is copied and compared for every frame, so it must stay small.
package struct BroadcastState: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    /// No frame has arrived.
    case waiting
    case live
    /// The person paused the broadcast.
    case paused
    /// The process of the extension is stopped.
    case suspended(pid: Int32)
    /// The broadcast is over, with the text of its error if there is one.
    case ended(String?)
    /// The extension's process died without ending the broadcast, with a record if it was killed for its memory.
    case crashed(pid: Int32, kill: MemoryKill? = nil)

    /// Whether frames may arrive now.
    var isOn: Bool {
      switch self {
      case .live, .paused, .suspended: true
      case .waiting, .ended, .crashed: false
      }
    }
  }

  package var phase = Phase.waiting
  package var isActive = false
  package var statusChanges: UInt64 = 0
  package var format: FrameFormat?
  package var lastFrame: BroadcastFrame.ID?
  package var frames = BroadcastBufferContext.Statistics()
  /// The frames that the extension published in the current session, whether read or not.
  package var framesPublished: UInt64 = 0
  /// The frames that the extension received in the current session but could not publish.
  package var framesUnpublished: UInt64 = 0
  /// The frames of the screen that the extension did not receive in the latest broadcast.
  package var framesMissed: UInt64 = 0
  package var framesDropped: UInt64 { framesMissed &+ framesUnpublished }
  /// The frames that showed the proof pattern intact.
  package var framesVerified: UInt64 = 0
  /// The verified frames whose burned-in number was not new.
  package var framesShownAgain: UInt64 = 0
  /// The frames of the proof pattern with bytes of another frame, of another place, or of neither.
  package var framesTorn: UInt64 = 0
  /// The verified frames that do not show the proof pattern.
  package var framesWithoutProof: UInt64 = 0
  /// The reason why the first failed frame failed the verification.
  package var firstTear: String?
  /// The session and the burned-in number of the last verified frame.
  var lastVerified: VerifiedFrame?
  /// The number of polls of the timer.
  package var ticks: UInt64 = 0
  /// The number of polls that were skipped because the previous poll took too long.
  package var missedTicks: UInt64 = 0
  /// The time from the start of polling to the last poll, over all broadcasts.
  package var timePolled = Duration.zero
  /// The frames of a finished session that were read more than ``BroadcastBufferContext/staleAge`` after their publication.
  package var framesStale: UInt64 = 0
  /// The age of the latest frame on arrival.
  package var lastAge = Duration.zero
  /// The audio of each stream; `nil` before the first audio.
  package var appAudio: AudioState?
  package var microphone: AudioState?
  /// The fault of the audio so far, if audio is verified.
  package var audioFault: String?
  package var failure: BroadcastFailure?
  /// The last change of a capture within the app; `nil` for a broadcast.
  package var capture: CaptureChange?

  struct VerifiedFrame: Equatable {
    var session: UInt64
    var number: UInt32
  }

  /// Counts the result of a verification.
  package mutating func count(_ verdict: ProofVerdict, of session: UInt64) {
    guard case .whole(let number) = verdict else {
      if verdict == .notProof { framesWithoutProof += 1 } else { framesTorn += 1 }
      if firstTear == nil { firstTear = verdict.description }
      return
    }
    framesVerified += 1
    if let last = lastVerified, last.session == session, number <= last.number { framesShownAgain += 1 }
    lastVerified = VerifiedFrame(session: session, number: number)
  }
}

/// Stores the state of a provider, and changes it in single steps.
@MainActor
package final class BroadcastStateStore {
  package private(set) var state = BroadcastState()
  /// The delays of all frames. They are kept outside of the state, which is copied for every frame.
  package var delays = FrameDelays()
  /// Called after every change, on the main queue.
  package var onCommit: (_ old: BroadcastState, _ new: BroadcastState) -> Void = { _, _ in }

  package init() {}

  /// Changes the state in one step.
  package func commit(_ change: (inout BroadcastState) -> Void) {
    let old = state
    change(&state)
    if state != old { onCommit(old, state) }
  }
}

/// The reason why the app cannot follow a broadcast.
package enum BroadcastFailure: Error, Equatable, Sendable, CustomStringConvertible {
  case status(FileError)
  /// The lock cannot be read, so a crash would go unnoticed.
  case lock(FileError)
  case frames(BroadcastBufferContext.Failure)
  case audio(FileError)
  /// There is no memory for a frame.
  case picture(PixelBufferError)

  /// The failure of a watch that received no frame.
  package var programFailure: ProgramFailure {
    switch self {
    case .status(let error), .lock(let error), .audio(let error): ProgramFailure(error)
    case .frames(let error): ProgramFailure(errno: error.code, "\(error).")
    case .picture(let error): ProgramFailure(.internalError, "\(error).")
    }
  }

  /// The reason and the fix, as a sentence.
  package var description: String { programFailure.message }
}

/// The format of a frame. Sizes are in pixels.
package struct FrameFormat: Equatable, Sendable {
  package var width: Int
  package var height: Int
  package var orientation: CGImagePropertyOrientation
  package var pixelFormat: OSType

  package init(_ frame: BroadcastFrame) { self.init(frame.pixelBuffer, orientation: frame.orientation) }

  package init(_ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation) {
    width = CVPixelBufferGetWidth(pixelBuffer)
    height = CVPixelBufferGetHeight(pixelBuffer)
    self.orientation = orientation
    pixelFormat = CVPixelBufferGetPixelFormatType(pixelBuffer)
  }

  /// The size of an uncompressed frame without padding, in bits.
  var bitsPerFrame: Double { Double(BiPlanar.byteCount(width: width, height: height) * 8) }
}

/// The delays of a watch's frames. They are not part of the state, which is copied and compared for every frame.
package struct FrameDelays: Sendable {
  /// From the capture of a frame to its arrival in the app.
  package var ages = DelayHistogram()
  /// From the publication of a frame to the read that found it.
  package var handOffs = DelayHistogram()
  /// How much later than each frame the latest audio was recorded; negative if it was recorded earlier.
  package var avOffsets = DelayHistogram()

  package init() {}
}
