import CJPEG
import CoreVideo
import Foundation
import PixelAccess
import Synchronization

/// Encodes and decodes 420f frames with the system's libjpeg. The library is loaded at the first image.
package enum JPEG {
  /// Returns a frame as a JPEG image with the matrix BT.601; `nil` if it cannot be encoded. The reason is logged once.
  package static func encode(_ pixels: CVPixelBuffer, quality: Double) -> Data? {
    let percent = min(max(Int32(clamping: (quality * 100).rounded()), 1), 100)
    var bytes: UnsafeMutablePointer<UInt8>?
    var size = 0
    var change = pixels.colourMatrix.change(to: .bt601)
    // UNSAFE: the planes are locked for the call; libjpeg's memory is released by `Data`.
    let failure = unsafe pixels.withPlanes { unsafe cjpeg_encode(&$0, &change, percent, &bytes, &size) }
    guard unsafe isSuccess(failure), let bytes = unsafe bytes else { return nil }
    return unsafe Data(bytesNoCopy: bytes, count: size, deallocator: .free)
  }

  /// Returns the pixels of a JPEG; `nil` if it cannot be decoded. The reason is logged once.
  package static func decode(_ data: Data) -> CVPixelBuffer? {
    let bytes = [UInt8](data)
    var width: Int32 = 0
    var height: Int32 = 0
    // UNSAFE: the bytes are valid for each call, the planes are locked for it.
    return unsafe bytes.withUnsafeBufferPointer { bytes -> CVPixelBuffer? in
      guard
        unsafe isSuccess(cjpeg_read_size(bytes.baseAddress, bytes.count, &width, &height)),
        let pixels = CVPixelBuffer.make(width: Int(width), height: Int(height)),
        unsafe isSuccess(
          pixels.withPlanes { unsafe cjpeg_decode(bytes.baseAddress, bytes.count, &$0) })
      else { return nil }
      pixels.state(.bt601)
      return pixels
    }
  }

  /// Returns whether a call succeeded. A call that failed returns a message, which is logged once.
  private static func isSuccess(_ message: UnsafePointer<CChar>?) -> Bool {
    // UNSAFE: a constant string of the library.
    guard let message = unsafe message.map({ unsafe String(cString: $0) }) else { return true }
    ImageLog.report(message)
    return false
  }
}

/// The log of the image frameworks.
package enum ImageLog {
  private static let reported = Mutex<Set<String>>([])

  /// Logs a message once.
  package static func report(_ message: String) {
    if reported.withLock({ $0.insert(message).inserted }) { NSLog("%@", "Core Image: \(message).") }
  }
}
