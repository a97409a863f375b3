import ExampleSupport
import Foundation
import ReplayKit
import os

private let logger = Logger(subsystem: "com.example.screenshare", category: "sdk")

/// The SDK's base class for the principal class of an extension. It sends frames to the ``ScreenShareReceiver`` of the app,
/// and ends the broadcast without an error when the app stops receiving.
open class ScreenShareHandler: RPBroadcastSampleHandler {
  /// The app group; the value of `ScreenShareAppGroup` in the extension's Info.plist.
  open var appGroup: String {
    Bundle.main.object(forInfoDictionaryKey: "ScreenShareAppGroup") as? String ?? ""
  }

  /// The highest number of frames per second that are sent.
  open var framesPerSecond: Double { 15 }

  private var connection: UnixSocket?
  private var nextTime = -Double.infinity

  open override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    do { connection = try UnixSocket.connected(to: try socketPath(appGroup: appGroup)) } catch {
      let text = "Start screen sharing in the app first: \(error)"
      finishBroadcastWithError(
        NSError(domain: RPRecordingErrorDomain, code: 10001, userInfo: [NSLocalizedDescriptionKey: text]))
    }
  }

  open override func broadcastFinished() { connection = nil }

  open override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds
    guard sampleBufferType == .video, time >= nextTime, let connection,
      let header = FrameHeader(sampleBuffer)
    else { return }
    nextTime = max(nextTime, time - 1 / framesPerSecond) + 1 / framesPerSecond
    do { try connection.send(sampleBuffer, header) } catch {
      logger.info("the app has stopped: \(String(describing: error), privacy: .public)")
      self.connection = nil
      finishBroadcastGracefully(self)
    }
  }
}

/// Returns the path of the socket of both sides, in the folder of the app group.
func socketPath(appGroup: String) throws -> String {
  guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
    throw MissingAppGroup(appGroup: appGroup)
  }
  return folder.appendingPathComponent("screen-share-sdk").path
}

/// The error if the app group is not in the entitlements, or if its name is invalid.
public struct MissingAppGroup: Error, CustomStringConvertible {
  let appGroup: String

  /// The sentence.
  public var description: String {
    "There is no app group '\(appGroup)'; check the entitlements and the Info.plist."
  }
}
