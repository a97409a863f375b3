import ExampleSupport
import Foundation
import ReplayKit
import ScreenBroadcast

/// A handler in the style of apps that send frames over a socket, and post Darwin notifications at start and end.
class SampleHandler: RPBroadcastSampleHandler {
  private var connection: UnixSocket?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    guard
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Meeting.group)
    else { return finish("There is no app group \(Meeting.group)") }
    do {
      connection = try UnixSocket.connected(to: folder.appendingPathComponent(Meeting.socketName).path)
      post(Meeting.started)
    } catch {
      finish("The app does not listen: \(error)")
    }
  }

  override func broadcastFinished() {
    connection = nil
    post(Meeting.finished)
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video, let connection,
      let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer)
    else { return }
    let orientation = CMGetAttachment(
      sampleBuffer, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
    do { try send(pixelBuffer, orientation: orientation ?? 1, to: connection) } catch {
      finish("Screen sharing stopped")
    }
  }

  private func send(_ pixelBuffer: CVPixelBuffer, orientation: UInt32, to connection: UnixSocket) throws {
    CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
    let (width, height) = (CVPixelBufferGetWidth(pixelBuffer), CVPixelBufferGetHeight(pixelBuffer))
    try FrameHeader(width: width, height: height, orientation: orientation).bytes
      .withUnsafeBytes { try connection.send($0) }
    for plane in 0..<CVPixelBufferGetPlaneCount(pixelBuffer) {
      guard let base = CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, plane) else { continue }
      // A row in memory is longer than a row of the frame.
      let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(pixelBuffer, plane)
      let rowBytes = CVPixelBufferGetWidthOfPlane(pixelBuffer, plane) * (plane == 0 ? 1 : 2)
      for row in 0..<CVPixelBufferGetHeightOfPlane(pixelBuffer, plane) {
        try connection.send(UnsafeRawBufferPointer(start: base + row * bytesPerRow, count: rowBytes))
      }
    }
  }

  /// Ends the broadcast; the system shows the text in a dialog.
  private func finish(_ text: String) {
    connection = nil
    post(Meeting.finished)
    finishBroadcastWithError(
      NSError(domain: RPRecordingErrorDomain, code: 10001, userInfo: [NSLocalizedDescriptionKey: text]))
  }

  private func post(_ name: String) {
    CFNotificationCenterPostNotification(
      CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName(rawValue: name as CFString), nil, nil,
      true)
  }
}
