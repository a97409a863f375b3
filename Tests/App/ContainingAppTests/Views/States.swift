import ReplayKit
import TestSupport

@testable import ContainingApp
@testable import ScreenBroadcast

func makeBroadcastFrame(
  _ number: UInt64 = 1, session: UInt64 = 1, width: Int = 1170, height: Int = 2532,
  orientation: CGImagePropertyOrientation = .up, at time: UInt64 = 0
) throws -> BroadcastFrame {
  BroadcastFrame(
    pixelBuffer: try makeFilledPicture(width, height), orientation: orientation,
    captureTime: MonotonicTime(nanoseconds: time),
    publishTime: MonotonicTime(nanoseconds: time), receiveTime: MonotonicTime(nanoseconds: time),
    id: BroadcastFrame.ID(session: session, number: number))
}

func makeState(_ change: (inout BroadcastState) -> Void) -> BroadcastState {
  var state = BroadcastState()
  change(&state)
  return state
}

func makeStats(
  phase: BroadcastState.Phase = .live, seconds: Double = 65, frame: BroadcastFrame? = nil,
  skipped: UInt64 = 299, torn: UInt64 = 0
) -> WatchStats {
  WatchStats(
    framesPerSecondIn: 60, framesPerSecondOut: 29.96, ageMs: 5.25, framesSkipped: skipped, framesTorn: torn,
    format: frame.map { FrameFormat($0) }, bitRate: 1_066_478_400, phase: phase, seconds: seconds)
}
