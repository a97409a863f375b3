/// The keys of what a stream attaches to a frame: of the dictionary in `CMSampleBufferGetSampleAttachmentsArray`. Models the
/// constants of SCStream.h.
///
/// ```swift
/// let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[SCStreamFrameInfo: Any]]
/// guard let status = attachments?.first?[.status] as? Int, status == SCFrameStatus.complete.rawValue else { return }
/// ```
public struct SCStreamFrameInfo: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let status = Self(rawValue: "SCStreamUpdateFrameStatus")
  /// When the frame was displayed: Mach's absolute time, as a number.
  public static let displayTime = Self(rawValue: "SCStreamUpdateFrameDisplayTime")
  /// The pixels of a point on the display, as a number.
  public static let scaleFactor = Self(rawValue: "SCStreamUpdateFrameDisplayResolution")
  public static let contentScale = Self(rawValue: "SCStreamUpdateFrameContentScale")
  public static let contentRect = Self(rawValue: "SCStreamUpdateFrameContentRect")
  public static let screenRect = Self(rawValue: "SCStreamUpdateFrameScreenRect")
  /// How the frame must be turned to be upright: a value of `CGImagePropertyOrientation`, as a number.
  public static let videoOrientation = Self(rawValue: "SCStreamUpdateFrameVideoOrientation")
}

public enum SCFrameStatus: Int, CaseIterable, Sendable {
  case complete, idle, blank, suspended, started, stopped
}
