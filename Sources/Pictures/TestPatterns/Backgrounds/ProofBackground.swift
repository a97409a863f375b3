import CoreVideo
import PixelAccess

/// Rows of repeated tags (see ``ProofTag``). They are not rotated with the device. Text consists of the same tags, bright on
/// dark.
struct ProofBackground: Background {
  var byteCount: Int { 0 }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    plane.paintProof(
      frame, PixelRect(x: 0, y: 0, width: shape.width * (index + 1), height: shape.height), plane: index,
      every: shape.bytesPerRow)
  }

  func drawOverlay(
    lit: Bool, _ area: PixelRect, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    plane.paintProof(frame, area, plane: 0, every: shape.bytesPerRow, level: lit ? .lit : .dark)
  }

  /// Does nothing, because all chroma is almost neutral, and each byte must remain part of a tag.
  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape) {}
}
