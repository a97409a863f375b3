import CoreVideo
import PixelAccess

/// Rows of repeated tags, see ``ProofTag``. Text consists of the same tags, bright on dark.
struct ProofBackground: Background {
  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    for row in 0..<shape.height {
      let tag = ProofTag(frame: UInt32(truncatingIfNeeded: frame), plane: 0, row: row)
      plane.repeatTag(tag.luma(.plain), offset: row * shape.bytesPerRow, count: shape.width, phase: 0)
    }
  }

  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    for row in 0..<shape.height {
      let tag = ProofTag(frame: UInt32(truncatingIfNeeded: frame), plane: 1, row: row)
      plane.repeatTag(tag.chroma, offset: row * shape.bytesPerRow, count: shape.width * 2, phase: 0)
    }
  }

  func drawOverlay(
    lit: Bool, columns: Range<Int>, row: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>,
    shape: PlaneShape
  ) {
    let tag = ProofTag(frame: UInt32(truncatingIfNeeded: frame), plane: 0, row: row)
    plane.repeatTag(
      tag.luma(lit ? .lit : .dark), offset: row * shape.bytesPerRow + columns.lowerBound,
      count: columns.count, phase: columns.lowerBound)
  }

  /// Does nothing: all chroma is almost neutral, and each byte must stay a tag.
  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape) {}
}
