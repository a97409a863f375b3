import CoreVideo
import PixelAccess

/// Rows of repeated tags, see ``ProofTag``, as stored in every orientation. Text consists of the same tags, bright on dark.
struct ProofBackground: Background {
  var byteCount: Int { 0 }

  func paint(
    _ index: Int, frame: UInt64, time: Duration, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    for row in 0..<shape.height {
      let tag = ProofTag(frame: UInt32(truncatingIfNeeded: frame), plane: index, row: row)
      plane.repeatTag(
        index == 0 ? tag.luma(.plain) : tag.chroma, offset: row * shape.bytesPerRow,
        count: shape.width * (index + 1), phase: 0)
    }
  }

  func drawOverlay(
    lit: Bool, _ area: PixelRect, frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape
  ) {
    for row in area.rows {
      let tag = ProofTag(frame: UInt32(truncatingIfNeeded: frame), plane: 0, row: row)
      plane.repeatTag(
        tag.luma(lit ? .lit : .dark), offset: row * shape.bytesPerRow + area.x, count: area.width,
        phase: area.x)
    }
  }

  /// Does nothing: all chroma is almost neutral, and each byte must stay a tag.
  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape) {}
}
