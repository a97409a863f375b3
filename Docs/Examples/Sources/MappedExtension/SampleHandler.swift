import ExampleSupport
import Foundation
import ReplayKit

/// A handler in the style of apps that share frames in mapped memory: it writes each frame into a file of the app group,
/// and posts a Darwin notification for it.
class SampleHandler: RPBroadcastSampleHandler {
  private let notifications = DarwinNotifications()
  private var file: FrameFile?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    do {
      let path = try ScreenShare.groupFolder().appendingPathComponent("frame.map").path
      file = try FrameFile(creating: path, pixels: 1920 * 1080)
    } catch {
      return finish("The frames cannot be shared: \(error)")
    }
    DispatchQueue.main.async { [self] in
      notifications.observe(.stopRequested) { [weak self] in
        guard let self else { return }
        DarwinNotifications.post(.finished)
        finishBroadcastGracefully(self)
      }
      DarwinNotifications.post(.started)
    }
  }

  override func broadcastFinished() { DarwinNotifications.post(.finished) }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video, let file, let header = FrameHeader(sampleBuffer) else { return }
    guard file.write(sampleBuffer, header) else {
      return finish("A frame of \(header.width)x\(header.height) is larger than the shared file")
    }
    DarwinNotifications.post(.frameWritten)
  }

  private func finish(_ text: String) {
    file = nil
    DarwinNotifications.post(.finished)
    finishBroadcastWithError(
      NSError(domain: RPRecordingErrorDomain, code: 10001, userInfo: [NSLocalizedDescriptionKey: text]))
  }
}
