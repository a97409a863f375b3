/// What the person chose to capture. Models the class of SCStream.h as iOS 27 has it: the picker alone makes filters.
public class SCContentFilter: NSObject {
  public let style: SCShareableContentStyle
  public let pointPixelScale: Float
  public let contentRect: CGRect
  public let isMicrophoneEnabled: Bool
  /// Whether the person turned the camera on: never, the emulated phone has none.
  public let isCameraEnabled = false
  package let system: any ContentCaptureSystem

  /// Creates the filter of a choice, for the emulated system.
  package init(
    style: SCShareableContentStyle, pointPixelScale: Float, contentRect: CGRect, isMicrophoneEnabled: Bool,
    system: any ContentCaptureSystem
  ) {
    (self.style, self.pointPixelScale, self.contentRect) = (style, pointPixelScale, contentRect)
    (self.isMicrophoneEnabled, self.system) = (isMicrophoneEnabled, system)
  }
}

/// A kind of content. Models the enumeration of SCShareableContent.h as iOS 27 has it.
public enum SCShareableContentStyle: Int, Sendable {
  case none, window, display
}
