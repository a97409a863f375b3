import Foundation
import ReplayKit

extension RPRecordingErrorCode {
  /// The error of this code as ReplayKit hands it on; the system's dialog shows its text.
  var error: NSError {
    NSError(
      domain: RPRecordingErrorDomain, code: rawValue,
      userInfo: [NSLocalizedDescriptionKey: "The broadcast ended: \(self)"])
  }
}
