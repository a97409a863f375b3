import ScreenShareSDK

/// The extension of an app that uses the SDK: all is inherited, but for the frame rate.
class SampleHandler: ScreenShareHandler {
  override var framesPerSecond: Double { 20 }
}
