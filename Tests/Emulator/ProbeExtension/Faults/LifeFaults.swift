import ReplayKit

/// Refuses every start.
final class RefusingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) { fail("No.") }
}

/// Crashes at an end before the first frame.
final class HurriedHandler: RPBroadcastSampleHandler {
  private var hasFrame = false

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { hasFrame = true }

  override func broadcastFinished() { precondition(hasFrame, "There was no frame.") }
}

/// Leaves a file behind that prevents the next start.
final class LeavingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    if !create("in-use") { fail("A broadcast runs already.") }
  }
}

/// Removes the file that prevents the next start, but only at an end in order.
final class StaleHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    if !create("in-use") { fail("A broadcast runs already.") }
  }

  override func broadcastFinished() {
    do { try FileManager.default.removeItem(atPath: file("in-use")) } catch { fail("\(error)") }
  }
}

/// Has names for four broadcasts only.
final class CountingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    if !(1...4).contains(where: { create("slot-\($0)") }) { fail("No slot is free.") }
  }
}

/// Ends the broadcast at a pause.
final class PauseEndingHandler: RPBroadcastSampleHandler {
  override func broadcastPaused() { fail("Paused.") }
}

/// Ends the broadcast when it is resumed.
final class ResumeEndingHandler: RPBroadcastSampleHandler {
  override func broadcastResumed() { fail("Resumed.") }
}

/// Needs three seconds for an end during a pause.
final class PausedEndHandler: RPBroadcastSampleHandler {
  private var isPaused = false

  override func broadcastPaused() { isPaused = true }
  override func broadcastResumed() { isPaused = false }
  override func broadcastFinished() { if isPaused { Thread.sleep(forTimeInterval: 3) } }
}

/// Crashes when the system reports the app that the screen shows.
final class AnnotationHandler: RPBroadcastSampleHandler {
  override func broadcastAnnotated(withApplicationInfo applicationInfo: [AnyHashable: Any]) {
    preconditionFailure("An app.")
  }
}

/// Never ends a broadcast by an error.
final class EndlessHandler: RPBroadcastSampleHandler {
  override func finishBroadcastWithError(_ error: any Error) {}
}

/// Needs three seconds for its end.
final class LingeringHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() { Thread.sleep(forTimeInterval: 3) }
}

/// Leaves a new file behind at each start.
final class LitteringHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    _ = create("frames-\(UUID().uuidString)")
  }
}
