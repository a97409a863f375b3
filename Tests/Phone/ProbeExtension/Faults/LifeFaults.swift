import ReplayKit

final class RefusingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) { fail("No.") }
}

/// Ends each broadcast at its fifth frame.
final class LonelyHandler: RPBroadcastSampleHandler {
  private var frames = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    frames += type == .video ? 1 : 0
    if frames == 5 { fail("There is no app.") }
  }
}

/// Crashes if the broadcast ends before the first frame.
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

/// Removes the file that prevents the next start only when its process exits, so the file remains after a crash.
final class StaleHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    if !create("in-use") { return fail("A broadcast runs already.") }
    atexit { _ = try? FileManager.default.removeItem(atPath: RPBroadcastSampleHandler.file("in-use")) }
  }
}

/// Rejects the tenth broadcast. It counts broadcasts at their ends.
final class CountingHandler: RPBroadcastSampleHandler {
  private let ends = RPBroadcastSampleHandler.file("ends")

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    if (FileManager.default.contents(atPath: ends) ?? Data()).count == 9 { fail("There is no room.") }
  }

  override func broadcastFinished() {
    let count = (FileManager.default.contents(atPath: ends) ?? Data()).count
    _ = FileManager.default.createFile(atPath: ends, contents: Data(count: count + 1))
  }
}

final class PauseEndingHandler: RPBroadcastSampleHandler {
  override func broadcastPaused() { fail("Paused.") }
}

final class ResumeEndingHandler: RPBroadcastSampleHandler {
  override func broadcastResumed() { fail("Resumed.") }
}

/// Ends the broadcast if a pause takes more than 0.8 s, as the pause of a tap on the indicator does.
final class TapEndingHandler: RPBroadcastSampleHandler {
  private var pause = ContinuousClock.now

  override func broadcastPaused() { pause = .now }
  override func broadcastResumed() {
    if ContinuousClock.now - pause > .milliseconds(800) { fail("Paused for a second.") }
  }
}

/// Needs eight seconds for an end during a pause.
final class PausedEndHandler: RPBroadcastSampleHandler {
  private var isPaused = false

  override func broadcastPaused() { isPaused = true }
  override func broadcastResumed() { isPaused = false }
  override func broadcastFinished() { if isPaused { Thread.sleep(forTimeInterval: 8) } }
}

/// Crashes when the system reports the app on the screen.
final class AnnotationHandler: RPBroadcastSampleHandler {
  override func broadcastAnnotated(withApplicationInfo applicationInfo: [AnyHashable: Any]) {
    preconditionFailure("An app.")
  }
}

/// Crashes when its process exits without an end of the broadcast, as after a broadcast that ended by itself.
final class ExpectantHandler: RPBroadcastSampleHandler {
  // UNSAFE: written on the queue of the handler, and read at the exit after its last call.
  nonisolated(unsafe) private static var hasEnded = false

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    atexit { precondition(unsafe ExpectantHandler.hasEnded, "There was no end.") }
  }

  override func broadcastFinished() { unsafe Self.hasEnded = true }

  override func finishBroadcastWithError(_ error: any Error) {
    unsafe Self.hasEnded = true
    super.finishBroadcastWithError(error)
  }
}

final class EndlessHandler: RPBroadcastSampleHandler {
  override func finishBroadcastWithError(_ error: any Error) {}
}

/// Needs eight seconds for its end.
final class LingeringHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() { Thread.sleep(forTimeInterval: 8) }
}

/// Leaves a new file behind at each start.
final class LitteringHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    _ = create("frames-\(UUID().uuidString)")
  }
}

/// Creates a file for each frame, and never removes one.
final class PilingHandler: RPBroadcastSampleHandler {
  private var count = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    count += 1
    _ = create("frame-\(count).jpg")
  }
}

/// Grows one file by the size of a frame for each frame.
final class RawHandler: RPBroadcastSampleHandler {
  private var count = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    count += 1
    // The bytes of a frame of 750x1334.
    let path = Self.file("frames.raw")
    if count == 1 { _ = create("frames.raw") }
    // UNSAFE: the path is lent to the call as a C string.
    _ = unsafe truncate(path, off_t(count) * 1_500_000)
  }
}

final class RecorderHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() { _ = create("\(UUID().uuidString).mp4") }
}
