import CoreMedia
import ReplayKit

extension CMSampleBuffer {
  /// How the device was held, as ReplayKit notes it with a picture: a number of `CGImagePropertyOrientation`. `nil`
  /// where nothing is noted.
  package var orientationNumber: UInt32? {
    CMGetAttachment(self, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
  }

  /// When it was taken, in nanoseconds of the monotonic clock; 0 for a time before that, and for none.
  package var captureTime: UInt64 {
    let time = CMTimeConvertScale(
      CMSampleBufferGetPresentationTimeStamp(self), timescale: 1_000_000_000, method: .default)
    return UInt64(clamping: time.value)
  }
}
