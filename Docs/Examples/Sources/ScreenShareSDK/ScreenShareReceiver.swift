import CoreVideo
import ExampleSupport
import Foundation

/// A frame of the screen, in the app.
public struct SharedFrame {
  /// The pixels, 420f.
  public let pixelBuffer: CVPixelBuffer
  /// How the device is held, as in `CGImagePropertyOrientation`.
  public let orientation: Int

  init?(_ header: FrameHeader, _ pixels: [UInt8]) {
    var created: CVPixelBuffer?
    let status = CVPixelBufferCreate(
      kCFAllocatorDefault, header.width, header.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil,
      &created)
    guard status == kCVReturnSuccess, let buffer = created else { return nil }
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    var rest = pixels[...]
    for plane in 0..<2 {
      guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else { return nil }
      for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
        let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
        let target = UnsafeMutableRawBufferPointer(start: base + row * bytesPerRow, count: header.width)
        target.copyBytes(from: rest.prefix(header.width))
        rest = rest.dropFirst(header.width)
      }
    }
    (pixelBuffer, orientation) = (buffer, header.orientation)
  }
}

/// The SDK's part in the app: receives the frames of a ``ScreenShareHandler``.
///
/// ```swift
/// let receiver = try ScreenShareReceiver(appGroup: "group.com.example.app")
/// for try await frame in receiver.frames() { show(frame.pixelBuffer) }
/// ```
public final class ScreenShareReceiver {
  private let listener: UnixSocket

  /// Listens for the extension.
  public init(appGroup: String) throws {
    listener = try UnixSocket.listening(at: try socketPath(appGroup: appGroup))
  }

  /// Returns the frames of the next broadcast. A frame that the app does not take in time is replaced by the next one. The
  /// broadcast ends when the iteration ends.
  public func frames() -> AsyncThrowingStream<SharedFrame, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      DispatchQueue.global().async { [listener] in
        do {
          let connection = try listener.accept()
          while let (header, pixels) = try connection.receiveFrame() {
            guard let frame = SharedFrame(header, pixels) else { continue }
            if case .terminated = continuation.yield(frame) { break }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }
}
