import ScreenShareSDK

/// The extension of an app that uses the SDK. It inherits everything except the frame rate.
class SampleHandler: ScreenShareHandler {
  override var framesPerSecond: Double { 20 }
}
