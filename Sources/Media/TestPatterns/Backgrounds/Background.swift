import PixelAccess

/// What a test pattern shows behind the burned-in text. Draws every visible byte of a plane.
protocol Background: Sendable {
  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)
  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape)

  /// Draws part of a luma row dark or bright, for the text and the mark.
  func drawOverlay(
    lit: Bool, columns: Range<Int>, row: Int, frame: UInt64, into plane: inout MutableSpan<UInt8>,
    shape: PlaneShape)

  /// Draws the chroma rows behind a dark area of the luma plane, so that it has no colour cast. The area begins
  /// on even coordinates, and ends on such or at the edge of the picture.
  func neutralise(_ area: PixelRect, in plane: inout MutableSpan<UInt8>, shape: PlaneShape)
}
