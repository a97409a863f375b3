import CoreVideo
import PixelAccess
import Platform
import ScreenBroadcast
import TestPatterns

/// Draws frames of the `proof` pattern, with one buffer for each size.
package struct ProofFrames {
  private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange

  private var canvases: [PixelSize: (painter: PatternPainter, buffer: CVPixelBuffer)] = [:]

  package init() {}

  /// Returns frame `number` of a size. It is valid until the next frame of that size.
  package mutating func frame(_ size: PixelSize, number: UInt64 = 1) throws -> CVPixelBuffer {
    let canvas =
      try canvases[size]
      ?? (
        PatternPainter(
          .proof, width: size.width, height: size.height, pixelFormat: Self.format, framesPerSecond: 60),
        PixelBufferPool(width: size.width, height: size.height, pixelFormat: Self.format).makeBuffer()
      )
    canvases[size] = canvas
    try canvas.painter.paint(frame: number, into: canvas.buffer)
    return canvas.buffer
  }

  /// Returns the fault of frame `number`, to follow "delivered as" or "read as"; `nil` if the frame is intact.
  package static func fault(in buffer: CVPixelBuffer, number: UInt64) -> String? {
    let verdict = ProofVerifier.verify(buffer)
    return verdict == .whole(frame: UInt32(truncatingIfNeeded: number)) ? nil : "frame \(number): \(verdict)"
  }

  /// Returns the fault of frame `number` in the bytes of a ring; `nil` if the frame is intact.
  package static func fault(
    in bytes: Span<UInt8>, number: UInt64, _ serializer: inout PixelBufferSerializer
  ) -> String? {
    do { return fault(in: try serializer.deserialize(bytes), number: number) } catch {
      return "frame \(number): \(error)"
    }
  }
}
