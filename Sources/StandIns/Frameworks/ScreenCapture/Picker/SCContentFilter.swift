/// The content that the person chose to capture. Models the class in SCStream.h of iOS 27, where only the picker creates filters.
public class SCContentFilter: NSObject {
  public let style: SCShareableContentStyle
  public let pointPixelScale: Float
  public let contentRect: CGRect
  public let isMicrophoneEnabled: Bool
  /// Always `false`: the emulated phone has no camera that the person could turn on.
  public let isCameraEnabled = false
  package let system: any ContentCaptureSystem

  /// Creates the filter for the person's choice. For the emulated system.
  package init(
    style: SCShareableContentStyle, pointPixelScale: Float, contentRect: CGRect, isMicrophoneEnabled: Bool,
    system: any ContentCaptureSystem
  ) {
    self.style = style
    self.pointPixelScale = pointPixelScale
    self.contentRect = contentRect
    self.isMicrophoneEnabled = isMicrophoneEnabled
    self.system = system
  }
}

/// Models the enumeration in SCShareableContent.h of iOS 27.
public enum SCShareableContentStyle: Int, Sendable {
  case none, window, display
}
