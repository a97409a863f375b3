import ExampleSupport
import Foundation
import ReplayKit

/// A handler in the style of apps that send frames over a socket, and post Darwin notifications at start and end.
class SampleHandler: RPBroadcastSampleHandler {
  private var connection: UnixSocket?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    do {
      let socket = try ScreenShare.groupFolder().appendingPathComponent(ScreenShare.socketName)
      connection = try UnixSocket.connected(to: socket.path)
      DarwinNotifications.post(.started)
    } catch {
      finish("The app does not listen: \(error)")
    }
  }

  override func broadcastFinished() {
    connection = nil
    DarwinNotifications.post(.finished)
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video, let connection, let header = FrameHeader(sampleBuffer) else { return }
    do { try connection.send(sampleBuffer, header) } catch {
      finish("Screen sharing stopped")
    }
  }

  /// Ends the broadcast; the system shows the text in a dialog.
  private func finish(_ text: String) {
    connection = nil
    DarwinNotifications.post(.finished)
    finishBroadcastWithError(
      NSError(domain: RPRecordingErrorDomain, code: 10001, userInfo: [NSLocalizedDescriptionKey: text]))
  }
}
