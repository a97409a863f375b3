import ExampleSupport
import Foundation
import ReplayKit

/// A handler that encodes the screen as H.264, and sends each access unit after its length.
class SampleHandler: RPBroadcastSampleHandler {
  private var connection: UnixSocket?
  private var encoder: VideoEncoder?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    do {
      let socket = try ScreenShare.groupFolder().appendingPathComponent(ScreenShare.socketName)
      connection = try UnixSocket.connected(to: socket.path)
    } catch {
      finishBroadcastWithError(error)
    }
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video, let imageBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else {
      return
    }
    if encoder == nil {
      encoder = VideoEncoder(
        width: CVPixelBufferGetWidth(imageBuffer), height: CVPixelBufferGetHeight(imageBuffer))
      encoder?.onAccessUnit = { [weak self] in self?.send($0) }
    }
    encoder?.encode(sampleBuffer)
  }

  override func broadcastFinished() { encoder?.stop() }

  private func send(_ accessUnit: Data) {
    guard let connection else { return }
    do {
      try withUnsafeBytes(of: UInt32(accessUnit.count).bigEndian) { try connection.send($0) }
      try accessUnit.withUnsafeBytes { try connection.send($0) }
    } catch {
      // The app has left.
      self.connection = nil
      finishBroadcastGracefully(self)
    }
  }
}
