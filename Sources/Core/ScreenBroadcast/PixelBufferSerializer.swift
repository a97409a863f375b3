import CoreVideo
import PixelAccess
import Platform
import SharedMemory

/// Serializes a pixel buffer to bytes, and deserializes it.
///
/// ```swift
/// let header = try PixelBufferSerializer.Header(of: pixelBuffer)
/// try ring.publish(byteCount: header.byteCount, …) { header.write(pixelBuffer, into: &$0) }
///
/// var serializer = PixelBufferSerializer()
/// let copy = try serializer.deserialize(bytes)
/// ```
/// The bytes are a header of 64 bytes and then the planes, each on a 64-byte boundary, with their rows as in memory. The header
/// has the pixel format, width and height, the colour matrix, and the offset, bytes per row and rows of both planes. Planes are
/// copied directly from the pixel buffer into the mapped slot, and from the slot into a pixel buffer.
/// `Docs/Internals/FileFormat.md` has the table.
public struct PixelBufferSerializer {
  /// Offsets in the header. All fields are little-endian 32-bit numbers.
  enum Field {
    static let pixelFormat = 0
    static let width = 4
    static let height = 8
    static let planeCount = 12
    static let planes = 16
    static let planeStride = 16
    static let planeOffset = 0
    static let planeBytesPerRow = 4
    static let planeRows = 8
    static let matrix = 48
    static let byteCount = 64
  }

  /// The maximum width and height, in pixels.
  public static let maximumDimension = 8192
  /// The maximum bytes per row: the widest frame with the largest alignment in use.
  static let maximumBytesPerRow = 16_384
  static let formats = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ]

  private var pool = AdaptivePixelBufferPool()

  /// Creates a serializer. Its buffers share a pool as long as size and format stay the same.
  public init() {}

  /// Returns the byte count of a frame of this size whose rows are aligned to 64 bytes, as on devices.
  public static func serializedSize(width: Int, height: Int) -> Int {
    let bytesPerRow = aligned(width)
    return Field.byteCount + aligned(bytesPerRow * height) + aligned((width + 1) / 2 * 2) * ((height + 1) / 2)
  }

  /// Returns the byte count of a serialized pixel buffer.
  public static func serializedSize(of pixelBuffer: CVPixelBuffer) throws(Failure) -> Int {
    try Header(of: pixelBuffer).byteCount
  }

  /// Writes a pixel buffer into `bytes`. Throws ``Failure/tooSmall(byteCount:needed:)`` if there are fewer bytes than
  /// ``serializedSize(of:)``.
  public func serialize(_ pixelBuffer: CVPixelBuffer, into bytes: inout MutableSpan<UInt8>) throws(Failure) {
    let header = try Header(of: pixelBuffer)
    guard header.byteCount <= bytes.count else {
      throw .tooSmall(byteCount: bytes.count, needed: header.byteCount)
    }
    header.write(pixelBuffer, into: &bytes)
  }

  /// Returns the bytes per row of luma and chroma in the header of `bytes`. Validates the header as ``deserialize(_:)`` does.
  package static func bytesPerRow(in bytes: Span<UInt8>) throws(Failure) -> [Int] {
    try Header(reading: bytes).planes.map(\.shape.bytesPerRow)
  }

  /// Creates a pixel buffer from untrusted bytes: every field is validated before it is used. Throws
  /// ``Failure/malformed(field:)`` if a field contradicts the others, and ``Failure/noBuffer(_:)`` if there is no memory.
  public mutating func deserialize(_ bytes: Span<UInt8>) throws(Failure) -> CVPixelBuffer {
    let header = try Header(reading: bytes)
    do throws(PixelBufferError) {
      let pixelBuffer = try pool.makeBuffer(
        width: header.width, height: header.height, pixelFormat: header.pixelFormat)
      pixelBuffer.copyPlanes(header.planes, from: bytes)
      if let matrix = header.matrix { pixelBuffer.state(matrix) }
      return pixelBuffer
    } catch {
      throw .noBuffer(error)
    }
  }

  /// Returns the result of ``deserialize(_:)``, for a closure that cannot throw.
  package mutating func result(of bytes: Span<UInt8>) -> Result<CVPixelBuffer, Failure> {
    do throws(Failure) { return .success(try deserialize(bytes)) } catch { return .failure(error) }
  }

  private static func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
}

extension PixelBufferSerializer {
  /// An error that prevents the conversion of a pixel buffer.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The pixel format is neither 420f nor 420v.
    case unsupportedFormat(OSType)
    /// A side is longer than 8192 pixels, or the rows have more padding than any alignment in use.
    case unsupportedSize(width: Int, height: Int)
    /// The span to write to is too small.
    case tooSmall(byteCount: Int, needed: Int)
    /// The bytes are not a pixel buffer, because this field contradicts the others.
    case malformed(field: String)
    /// There is no memory for the copy.
    case noBuffer(PixelBufferError)

    /// A sentence with the problem and the fix.
    public var description: String {
      switch self {
      case .unsupportedFormat(let format):
        "the pixel format \(format.fourCharacters) is not supported; use 420f or 420v"
      case .unsupportedSize(let width, let height):
        "a frame of \(width)x\(height) is not supported; each side may have \(maximumDimension) pixels"
      case .tooSmall(let byteCount, let needed):
        "the frame needs \(needed) bytes and there is room for \(byteCount)"
      case .malformed(let field): "the bytes are not a pixel buffer: \(field) is impossible"
      case .noBuffer(let error): error.description
      }
    }
  }

  /// The 64 bytes before the planes: size and format of a frame, and the locations of its planes.
  public struct Header: Equatable {
    var pixelFormat: OSType
    var width: Int
    var height: Int
    var luma: PlacedPlane
    var chroma: PlacedPlane
    /// The matrix that the pixel buffer declares.
    var matrix: ColourMatrix?

    /// Returns the code of a matrix as in ITU-T H.273; 0 if none is declared.
    private static func code(_ matrix: ColourMatrix?) -> UInt32 {
      switch matrix {
      case nil: 0
      case .bt709: 1
      case .bt601: 6
      }
    }

    var planes: [PlacedPlane] { [luma, chroma] }
    /// The byte count of the frame, including the header.
    public var byteCount: Int { max(luma.end, chroma.end) }

    /// Creates the header of a pixel buffer. Throws if its format or size is not supported.
    public init(of pixelBuffer: CVPixelBuffer) throws(Failure) {
      pixelFormat = CVPixelBufferGetPixelFormatType(pixelBuffer)
      width = CVPixelBufferGetWidth(pixelBuffer)
      height = CVPixelBufferGetHeight(pixelBuffer)
      guard formats.contains(pixelFormat) else { throw .unsupportedFormat(pixelFormat) }
      luma = PlacedPlane(offset: Field.byteCount, shape: pixelBuffer.planeShape(0))
      chroma = PlacedPlane(offset: aligned(luma.end), shape: pixelBuffer.planeShape(1))
      matrix = pixelBuffer.statedMatrix
      guard max(width, height) <= maximumDimension,
        max(luma.shape.bytesPerRow, chroma.shape.bytesPerRow) <= maximumBytesPerRow
      else { throw .unsupportedSize(width: width, height: height) }
      try checkPlanes()
    }

    /// Parses the header of untrusted bytes and checks it for contradictions. Fields have 32 bits and the arithmetic 64, so
    /// nothing can overflow.
    init(reading bytes: Span<UInt8>) throws(Failure) {
      guard bytes.count >= Field.byteCount else { throw .malformed(field: "the length") }
      func field(_ offset: Int) -> Int { Int(bytes.loadLittleEndian(at: offset, as: UInt32.self)) }
      pixelFormat = OSType(field(Field.pixelFormat))
      width = field(Field.width)
      height = field(Field.height)
      guard formats.contains(pixelFormat) else { throw .unsupportedFormat(pixelFormat) }
      guard (1...maximumDimension).contains(width) else { throw .malformed(field: "the width") }
      guard (1...maximumDimension).contains(height) else { throw .malformed(field: "the height") }
      guard field(Field.planeCount) == 2 else { throw .malformed(field: "the number of planes") }
      func plane(_ start: Int, width: Int) -> PlacedPlane {
        let shape = PlaneShape(
          width: width, height: field(start + Field.planeRows),
          bytesPerRow: field(start + Field.planeBytesPerRow))
        return PlacedPlane(offset: field(start + Field.planeOffset), shape: shape)
      }
      luma = plane(Field.planes, width: width)
      chroma = plane(Field.planes + Field.planeStride, width: (width + 1) / 2)
      try checkPlanes()
      guard luma.offset >= Field.byteCount, luma.end <= bytes.count else {
        throw .malformed(field: "the offset of plane 0")
      }
      guard chroma.offset >= Field.byteCount, chroma.end <= bytes.count else {
        throw .malformed(field: "the offset of plane 1")
      }
      let code = UInt32(field(Field.matrix))
      matrix = ColourMatrix.allCases.first { Self.code($0) == code }
      guard Self.code(matrix) == code else { throw .malformed(field: "the matrix") }
    }

    /// Checks that the planes fit a frame of this size. Needed before writing too, because a buffer over memory of its creator
    /// may have any planes.
    private func checkPlanes() throws(Failure) {
      func check(_ plane: PlacedPlane, _ index: Int, rows: Int, rowBytes: Int) throws(Failure) {
        guard plane.shape.height == rows else { throw .malformed(field: "the rows of plane \(index)") }
        guard (rowBytes...maximumBytesPerRow).contains(plane.shape.bytesPerRow) else {
          throw .malformed(field: "the bytes per row of plane \(index)")
        }
      }
      try check(luma, 0, rows: height, rowBytes: width)
      try check(chroma, 1, rows: (height + 1) / 2, rowBytes: (width + 1) / 2 * 2)
    }

    /// Writes this header and the planes of its pixel buffer. Traps if `bytes` has fewer than ``byteCount`` bytes.
    public func write(_ pixelBuffer: CVPixelBuffer, into bytes: inout MutableSpan<UInt8>) {
      bytes.storeLittleEndian(pixelFormat, at: Field.pixelFormat)
      bytes.storeLittleEndian(UInt32(width), at: Field.width)
      bytes.storeLittleEndian(UInt32(height), at: Field.height)
      bytes.storeLittleEndian(UInt32(planes.count), at: Field.planeCount)
      bytes.storeLittleEndian(Self.code(matrix), at: Field.matrix)
      for (index, plane) in planes.enumerated() {
        let start = Field.planes + index * Field.planeStride
        bytes.storeLittleEndian(UInt32(plane.offset), at: start + Field.planeOffset)
        bytes.storeLittleEndian(UInt32(plane.shape.bytesPerRow), at: start + Field.planeBytesPerRow)
        bytes.storeLittleEndian(UInt32(plane.shape.height), at: start + Field.planeRows)
        bytes.storeLittleEndian(UInt32(0), at: start + 12)
        pixelBuffer.readPlane(index) { source, _ in bytes.copy(source, to: plane.offset) }
      }
    }
  }
}
