import CoreVideo
import PixelAccess

/// A single mapped slot that begins with the display time and states no strides.
///
/// `0 UInt64 time ns`, `8 UInt32 format`, `12 UInt32 width`, `16 UInt32 height`, `20 UInt32 orientation`, `24` planes.
enum TimedMappingFormat: KnownFormat {
  static let name = "timed-mapping"
  static let summary = "one mapped slot with the display time and without strides"

  private static let planes = 24

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    let pixelFormat = bytes.uint32(at: 8)
    guard bytes.count >= planes, OSType.formatsSeen.contains(pixelFormat) else { return nil }
    let time = bytes.uint64(at: 0)
    let (width, height) = (Int(bytes.uint32(at: 12)), Int(bytes.uint32(at: 16)))
    var inspection = Inspection(self)
    inspection.add(.captureTimeNs, time)
    inspection.expect(time > 0, "the display time is 0")
    let isShape = inspection.addShape(pixelFormat: pixelFormat, width: width, height: height)
    inspection.addOrientation(bytes.uint32(at: 20))
    guard isShape else { return inspection }
    let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    let (room, rows) = (bytes.count - planes, height + chromaHeight)
    var stride = room / rows
    if room % rows == 0, (2 * chromaWidth...16_384).contains(stride) {
      inspection.note = "The format states no strides; the file's length makes \(stride) bytes a row."
    } else {
      stride = (2 * chromaWidth + 63) / 64 * 64
      inspection.note =
        "The format states no strides; \(stride) bytes a row are assumed, as devices align them to 64."
    }
    inspection.add(.lumaBytesPerRow, stride)
    inspection.add(.chromaBytesPerRow, stride)
    guard
      inspection.expect(
        stride * rows <= room,
        "\(rows) rows of \(stride) bytes are \(stride * rows), and \(room) follow the header")
    else { return inspection }
    let luma = PlaneShape(width: width, height: height, bytesPerRow: stride)
    let chroma = PlaneShape(width: chromaWidth, height: chromaHeight, bytesPerRow: stride)
    inspection.addPicture(
      [
        LentPlane(offset: planes, shape: luma),
        LentPlane(offset: planes + stride * height, shape: chroma),
      ], width: width, height: height, pixelFormat: pixelFormat, from: bytes)
    return inspection
  }
}
