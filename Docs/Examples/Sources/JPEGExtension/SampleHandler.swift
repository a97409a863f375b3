import ReplayKit
import os

private let logger = Logger(subsystem: "com.example.screenshare", category: "extension")

/// A handler in the style of video-conference apps: it sends every third frame as JPEG, at half size, in HTTP messages over
/// a Unix socket in the app group's folder. The handler's files are unchanged from Xcode, without code for Linux.
class SampleHandler: RPBroadcastSampleHandler {
  private var connection: FrameConnection?
  private var uploader: FrameUploader?
  private var frameCount = 0

  private var socketPath: String {
    let group = Bundle.main.object(forInfoDictionaryKey: "AppGroupIdentifier") as? String
    let folder = FileManager.default.containerURL(
      forSecurityApplicationGroupIdentifier: group ?? "group.com.example.screenshare.dev")
    return folder?.appendingPathComponent("screen_fd").path ?? ""
  }

  override init() {
    super.init()
    guard let connection = FrameConnection(path: socketPath) else { return }
    connection.didClose = { [weak self] error in
      guard let self else { return }
      if let error {
        self.finishBroadcastWithError(error)
      } else {
        let reason = [NSLocalizedFailureReasonErrorKey: "Screen sharing stopped"]
        self.finishBroadcastWithError(NSError(domain: RPRecordingErrorDomain, code: 10001, userInfo: reason))
      }
    }
    self.connection = connection
    uploader = FrameUploader(connection: connection)
  }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    frameCount = 0
    openConnection()
  }

  override func broadcastFinished() { connection?.close() }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    switch sampleBufferType {
    case .video:
      frameCount += 1
      if frameCount % 3 == 0 { uploader?.send(sampleBuffer) }
    default: break
    }
  }

  /// Opens the connection, and retries until the app listens.
  private func openConnection() {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "connect"))
    timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in
      guard self?.connection?.open() == true else { return }
      logger.info("connected after \(self?.frameCount ?? 0, privacy: .public) frames")
      timer.cancel()
    }
    timer.resume()
  }
}
