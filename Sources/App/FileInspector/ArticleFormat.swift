import CoreVideo
import PixelAccess
import ScreenBroadcast

/// The article's single slot: `Docs/Internals/FileFormat.md`, "The article's layout".
enum ArticleFormat: KnownFormat {
  static let name = "article"
  static let summary = "one mapped slot without synchronisation"

  private typealias Field = ArticleLayout.Field

  static func inspect(_ bytes: [UInt8]) -> Inspection? {
    guard let header = bytes.slice(0, Field.planes) else { return nil }
    let layout = ArticleLayout(header: header.span)
    var inspection = Inspection(self)
    guard !header.allSatisfy({ $0 == 0 }) else {
      guard bytes.count == ArticleLayout.mappingByteCount else { return nil }
      inspection.note = "A mapping of 10 MiB in which no frame has been written yet."
      inspection.whyNoPicture = "no frame has been written yet"
      return inspection
    }
    guard OSType.formatsSeen.contains(layout.pixelFormat) else { return nil }
    inspection.addOrientation(layout.orientation)
    let isShape = inspection.addShape(
      pixelFormat: layout.pixelFormat, width: layout.width, height: layout.height)
    inspection.add(.lumaBytesPerRow, layout.lumaBytesPerRow)
    inspection.add(.chromaBytesPerRow, layout.chromaBytesPerRow)
    guard isShape else { return inspection }
    let rows = [
      ("luma", layout.lumaBytesPerRow, layout.width),
      ("chroma", layout.chromaBytesPerRow, (layout.width + 1) / 2 * 2),
    ].map { name, count, least in
      inspection.expect(
        (least...16_384).contains(count),
        "\(name) has \(count) bytes a row, and \(layout.width) pixels need \(least) to 16384")
    }
    guard !rows.contains(false),
      inspection.expect(
        layout.byteCount <= bytes.count,
        "header and planes have \(layout.byteCount) bytes, and the file has \(bytes.count)")
    else { return inspection }
    if layout.height % 2 == 1 {
      inspection.note = "The height is odd, and the layout has half of it, rounded down, as rows of chroma."
    }
    inspection.addPicture(
      layout.planes, width: layout.width, height: layout.height, pixelFormat: layout.pixelFormat, from: bytes)
    return inspection
  }
}
