/// The keys of what a stream attaches to a frame: of the dictionary in `CMSampleBufferGetSampleAttachmentsArray`. Models the
/// constants of SCStream.h.
///
/// ```swift
/// let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[SCStreamFrameInfo: Any]]
/// guard let status = attachments?.first?[.status] as? Int, status == SCFrameStatus.complete.rawValue else { return }
/// ```
public struct SCStreamFrameInfo: RawRepresentable, Hashable, Sendable {
  /// The key as it is in the dictionary.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let status = Self(rawValue: "SCStreamUpdateFrameStatus")
  /// When the frame was displayed: Mach's absolute time, as a number.
  public static let displayTime = Self(rawValue: "SCStreamUpdateFrameDisplayTime")
  /// The pixels of a point on the display, as a number.
  public static let scaleFactor = Self(rawValue: "SCStreamUpdateFrameDisplayResolution")
  /// How much the content is scaled from its size in pixels, as a number.
  public static let contentScale = Self(rawValue: "SCStreamUpdateFrameContentScale")
  /// Where the content is in the frame, in points: a dictionary of `CGRect`.
  public static let contentRect = Self(rawValue: "SCStreamUpdateFrameContentRect")
  /// Where the content is on the screen, in points: a dictionary of `CGRect`.
  public static let screenRect = Self(rawValue: "SCStreamUpdateFrameScreenRect")
  /// How the frame must be turned to be upright: a value of `CGImagePropertyOrientation`, as a number.
  public static let videoOrientation = Self(rawValue: "SCStreamUpdateFrameVideoOrientation")
}

/// What a sample of the screen says. Models the enumeration of SCStream.h.
public enum SCFrameStatus: Int, CaseIterable, Sendable {
  /// The sample has a new frame.
  case complete
  /// The screen has not changed.
  case idle
  /// The screen shows nothing.
  case blank
  /// The stream delivers no frames for now.
  case suspended
  /// The first sample of the stream.
  case started
  /// The last sample of the stream.
  case stopped
}
