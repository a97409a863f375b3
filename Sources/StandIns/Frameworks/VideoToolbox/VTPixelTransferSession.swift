import Foundation
import PixelAccess
import Synchronization

/// Supports only 420f and 420v. May be used on any thread.
public final class VTPixelTransferSession: Sendable {
  private let scaler = Mutex(NV12Scaler())
  private let trimming = Atomic(false)

  /// Whether the image is cropped to keep the aspect ratio.
  var isTrimming: Bool {
    // Relaxed: the flag protects no other memory.
    get { trimming.load(ordering: .relaxed) }
    set { trimming.store(newValue, ordering: .relaxed) }
  }

  func transfer(_ source: CVPixelBuffer, to destination: CVPixelBuffer) -> Bool {
    var part = PixelRect(
      x: 0, y: 0, width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source))
    if isTrimming { part = part.trimmed(to: destination) }
    source.lockForHardware()
    defer { CVPixelBufferUnlockBaseAddress(source, .readOnly) }
    guard scaler.withLock({ $0.scale(source, part: part, to: destination) }) else { return false }
    // The colours are not converted.
    CVBufferPropagateAttachments(source, destination)
    return true
  }
}

extension PixelRect {
  /// Returns the part around the centre with the aspect ratio of a buffer, at even positions for the chroma.
  fileprivate func trimmed(to destination: CVPixelBuffer) -> PixelRect {
    let (wide, high) = (CVPixelBufferGetWidth(destination), CVPixelBufferGetHeight(destination))
    let (width, height) = (
      min(self.width, self.height * wide / high), min(self.height, self.width * high / wide)
    )
    return PixelRect(
      x: (self.width - width) / 2 & ~1, y: (self.height - height) / 2 & ~1, width: width, height: height)
  }
}

@discardableResult
public func VTPixelTransferSessionCreate(
  allocator: CFAllocator?, pixelTransferSessionOut: UnsafeMutablePointer<VTPixelTransferSession?>
) -> OSStatus {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe pixelTransferSessionOut.pointee = VTPixelTransferSession()
  return 0
}

/// Both buffers must have the same format, 420f or 420v; otherwise it returns `kVTPixelTransferNotSupportedErr`. A
/// device converts. The samples keep their colours, so the copy gets the attachments that propagate.
@discardableResult
public func VTPixelTransferSessionTransferImage(
  _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer, to destinationBuffer: CVPixelBuffer
) -> OSStatus {
  session.transfer(sourceBuffer, to: destinationBuffer) ? 0 : kVTPixelTransferNotSupportedErr
}

/// Without effect: a session has only memory to release.
public func VTPixelTransferSessionInvalidate(_ session: VTPixelTransferSession) {}
