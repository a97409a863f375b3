/// The keys of the dictionary that a stream attaches to a frame, in `CMSampleBufferGetSampleAttachmentsArray`. Models
/// the constants in SCStream.h.
///
/// ```swift
/// let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[SCStreamFrameInfo: Any]]
/// guard let status = attachments?.first?[.status] as? Int, status == SCFrameStatus.complete.rawValue else { return }
/// ```
public struct SCStreamFrameInfo: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let status = Self(rawValue: "SCStreamUpdateFrameStatus")
  /// When the frame was displayed, as a number (Mach absolute time).
  public static let displayTime = Self(rawValue: "SCStreamUpdateFrameDisplayTime")
  /// The pixels per point on the display, as a number.
  public static let scaleFactor = Self(rawValue: "SCStreamUpdateFrameDisplayResolution")
  public static let contentScale = Self(rawValue: "SCStreamUpdateFrameContentScale")
  public static let contentRect = Self(rawValue: "SCStreamUpdateFrameContentRect")
  public static let screenRect = Self(rawValue: "SCStreamUpdateFrameScreenRect")
  /// The rotation that shows the frame upright, as a number (a value of `CGImagePropertyOrientation`).
  public static let videoOrientation = Self(rawValue: "SCStreamUpdateFrameVideoOrientation")
}

public enum SCFrameStatus: Int, CaseIterable, Sendable {
  case complete, idle, blank, suspended, started, stopped
}
