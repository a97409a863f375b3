import CoreVideo
import PixelAccess
import Platform
import ScreenBroadcast
import TestPatterns

/// Frames of the `proof` pattern, one buffer for each size.
package struct ProofFrames {
  private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange

  private var canvases: [PixelSize: (painter: PatternPainter, buffer: CVPixelBuffer)] = [:]

  package init() {}

  /// Frame `number` of a size, valid until the next frame of that size.
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

  /// What is wrong with frame `number`, to follow "delivered as" or "read as"; `nil` for a whole frame.
  package static func fault(in buffer: CVPixelBuffer, number: UInt64) -> String? {
    let verdict = ProofVerifier.verify(buffer)
    return verdict == .whole(frame: UInt32(truncatingIfNeeded: number)) ? nil : "frame \(number): \(verdict)"
  }

  /// What is wrong with the bytes of frame `number` in a ring; `nil` for a whole frame.
  package static func fault(
    in bytes: Span<UInt8>, number: UInt64, _ serializer: inout PixelBufferSerializer
  ) -> String? {
    do { return fault(in: try serializer.deserialize(bytes), number: number) } catch {
      return "frame \(number): \(error)"
    }
  }
}
