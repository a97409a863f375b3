import ScreenBroadcast
import TestSupport

final class StatusObserver: BroadcastStatusSubscriber {
  let changes = Recorder<Bool>()
  let failures = Recorder<FileError>()
  let recoveries = Recorder<Bool>()

  func onRecovery() { recoveries.add(true) }
  func onChange(status: Bool) { changes.add(status) }
  func onFailure(_ failure: FileError) { failures.add(failure) }
}

final class FrameObserver: BroadcastBufferContextSubscriber {
  let frames = Recorder<BroadcastFrame>()
  let failures = Recorder<BroadcastBufferContext.Failure>()

  var numbers: [UInt64] { frames.values.map(\.id.number) }

  func onFrame(_ frame: BroadcastFrame) { frames.add(frame) }
  func onFailure(_ failure: BroadcastBufferContext.Failure) { failures.add(failure) }
}

final class CrashObserver: BroadcastCrashSubscriber {
  let crashes = Recorder<Int32>()
  let lockFailures = Recorder<FileError?>()

  func onCrash(pid: Int32) { crashes.add(pid) }
  func onLock(failure: FileError?) { lockFailures.add(failure) }
}
