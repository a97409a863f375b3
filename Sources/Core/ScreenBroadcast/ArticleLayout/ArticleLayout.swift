import CoreVideo
import PixelAccess
import Platform
import SharedMemory

/// The header of a frame in the article's layout, which precedes the planes.
///
/// It has no magic number, version, frame number or time, and does not show whether the frame is being written.
package struct ArticleLayout: Equatable, Sendable {
  /// Offsets in the file. All fields are little-endian 32-bit numbers.
  package enum Field {
    /// A `CGImagePropertyOrientation`, signed.
    package static let orientation = 0
    /// The four-character code.
    package static let pixelFormat = 4
    /// Pixels, signed.
    package static let width = 8
    /// Pixels, signed.
    package static let height = 12
    /// Bytes, including padding, signed.
    package static let lumaBytesPerRow = 16
    /// Bytes, including padding, signed.
    package static let chromaBytesPerRow = 20
    /// The first byte of luma; chroma follows without a gap.
    package static let planes = 24
  }

  /// The size of the mapping in bytes: 10 MiB for frames of any size.
  package static let mappingByteCount = 10 << 20

  /// The `CGImagePropertyOrientation` as it is in the file, not validated.
  package var orientation: Int32
  package var pixelFormat: OSType
  /// The width in pixels (1…8192).
  package var width: Int
  /// The height in pixels (1…8192).
  package var height: Int
  package var lumaBytesPerRow: Int
  package var chromaBytesPerRow: Int

  /// The rows of chroma in the file: half of the height, rounded *down*, as in the article.
  package var chromaRows: Int { height / 2 }
  package var chromaOffset: Int { Field.planes + lumaBytesPerRow * height }
  package var byteCount: Int { chromaOffset + chromaBytesPerRow * chromaRows }

  package init(
    of pixelBuffer: CVPixelBuffer, orientation: UInt32
  ) throws(PixelBufferSerializer.Failure) {
    self.orientation = Int32(bitPattern: orientation)
    pixelFormat = CVPixelBufferGetPixelFormatType(pixelBuffer)
    width = CVPixelBufferGetWidth(pixelBuffer)
    height = CVPixelBufferGetHeight(pixelBuffer)
    guard PixelBufferSerializer.formats.contains(pixelFormat), pixelBuffer.planeCount == 2 else {
      throw .unsupportedFormat(pixelFormat)
    }
    lumaBytesPerRow = pixelBuffer.planeShape(0).bytesPerRow
    chromaBytesPerRow = pixelBuffer.planeShape(1).bytesPerRow
    try check()
    guard pixelBuffer.planeShape(0).height == height, pixelBuffer.planeShape(1).height >= chromaRows else {
      throw .malformed(field: "the rows of a plane")
    }
  }

  /// Parses the header of untrusted bytes and checks it for contradictions; `nil` if no frame was written yet.
  ///
  /// The bytes may change while they are read, so each is read once. Fields have 32 bits and the arithmetic 64, so nothing can
  /// overflow.
  package static func reading(_ bytes: Span<UInt8>) throws(PixelBufferSerializer.Failure) -> ArticleLayout? {
    guard bytes.count >= Field.planes else { throw .malformed(field: "the length") }
    let header = (0..<Field.planes).map { bytes[$0] }
    if header.allSatisfy({ $0 == 0 }) { return nil }
    let layout = ArticleLayout(header: header.span)
    guard PixelBufferSerializer.formats.contains(layout.pixelFormat) else {
      throw .unsupportedFormat(layout.pixelFormat)
    }
    try layout.check()
    guard layout.byteCount <= bytes.count else { throw .malformed(field: "the offset of the planes") }
    return layout
  }

  /// Reads the fields of a header of at least 24 bytes without validating them.
  package init(header: Span<UInt8>) {
    func field(_ offset: Int) -> Int { Int(header.loadLittleEndian(at: offset, as: Int32.self)) }
    orientation = header.loadLittleEndian(at: Field.orientation)
    pixelFormat = header.loadLittleEndian(at: Field.pixelFormat)
    width = field(Field.width)
    height = field(Field.height)
    lumaBytesPerRow = field(Field.lumaBytesPerRow)
    chromaBytesPerRow = field(Field.chromaBytesPerRow)
  }

  private func check() throws(PixelBufferSerializer.Failure) {
    let dimensions = 1...PixelBufferSerializer.maximumDimension
    guard dimensions.contains(width) else { throw .malformed(field: "the width") }
    guard dimensions.contains(height) else { throw .malformed(field: "the height") }
    guard (width...PixelBufferSerializer.maximumBytesPerRow).contains(lumaBytesPerRow) else {
      throw .malformed(field: "the bytes per row of plane 0")
    }
    guard ((width + 1) / 2 * 2...PixelBufferSerializer.maximumBytesPerRow).contains(chromaBytesPerRow) else {
      throw .malformed(field: "the bytes per row of plane 1")
    }
  }

  /// Writes this header, field by field in the order of the file, and then the planes of its `pixelBuffer`.
  func write(_ pixelBuffer: CVPixelBuffer, into bytes: inout MutableSpan<UInt8>) {
    bytes.storeLittleEndian(orientation, at: Field.orientation)
    bytes.storeLittleEndian(pixelFormat, at: Field.pixelFormat)
    bytes.storeLittleEndian(Int32(width), at: Field.width)
    bytes.storeLittleEndian(Int32(height), at: Field.height)
    bytes.storeLittleEndian(Int32(lumaBytesPerRow), at: Field.lumaBytesPerRow)
    bytes.storeLittleEndian(Int32(chromaBytesPerRow), at: Field.chromaBytesPerRow)
    for (index, plane) in planes.enumerated() {
      pixelBuffer.readPlane(index) { source, _ in
        bytes.copy(source.extracting(0..<plane.shape.byteCount), to: plane.offset)
      }
    }
  }

  package var planes: [PlacedPlane] {
    [
      PlacedPlane(
        offset: Field.planes, shape: PlaneShape(width: width, height: height, bytesPerRow: lumaBytesPerRow)),
      PlacedPlane(
        offset: chromaOffset,
        shape: PlaneShape(width: (width + 1) / 2, height: chromaRows, bytesPerRow: chromaBytesPerRow)),
    ]
  }
}
