import Dispatch
import ReplayKit

/// Blocks forever in its last call.
final class BlockedEndHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() { waitForUpload(DispatchSemaphore(value: 0)) }

  private func waitForUpload(_ upload: DispatchSemaphore) {
    upload.wait()
    print("The upload has ended.")
  }
}

/// Blocks forever in its first call.
final class BlockedStartHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    DispatchSemaphore(value: 0).wait()
    print("The app has answered.")
  }
}

/// Blocks the main thread forever, 0.3 s after the start.
final class MainBlockingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { DispatchSemaphore(value: 0).wait() }
  }
}

/// Computes on the main thread for good.
final class MainComputingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) {
      var number = 1.0
      while number > 0 { number = number.truncatingRemainder(dividingBy: 7) + 1 }
    }
  }
}

/// Sleeps for a minute in the call with its tenth frame.
final class SleepingHandler: RPBroadcastSampleHandler {
  private var frames = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    frames += type == .video ? 1 : 0
    if frames == 10 { Thread.sleep(forTimeInterval: 60) }
  }
}

/// Deadlocks with the main thread: waits for it while holding a lock that the main thread waits for.
final class DeadlockHandler: RPBroadcastSampleHandler {
  private let lock = NSLock()
  private var frames = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    frames += type == .video ? 1 : 0
    guard frames == 3 else { return }
    lock.withLock {
      let isWaiting = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { [lock] in
        isWaiting.signal()
        lock.withLock {}
      }
      isWaiting.wait()
      DispatchQueue.main.sync {}
    }
  }
}

/// Computes for six seconds in its last call, on another thread.
final class ComputingHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() {
    DispatchQueue.global().sync {
      let end = ContinuousClock.now + .seconds(6)
      while ContinuousClock.now < end {}
    }
  }
}

/// Waits in its last call for an encoder that works for six seconds.
final class EncodingHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() {
    let program = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + "/ffmpeg")
    do {
      try FileManager.default.createDirectory(
        at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("#!/bin/sh\nwhile [ -e \"$0\" ]; do :; done\n".utf8).write(to: program)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
      let process = try Process.run(program, arguments: [])
      Thread.sleep(forTimeInterval: 6)
      try FileManager.default.removeItem(at: program.deletingLastPathComponent())
      process.waitUntilExit()
    } catch { fatalError("\(error)") }
  }
}
