import CoreVideo
import PixelAccess
import ScreenBroadcast

/// The article's single slot: `Docs/FileFormat.md`, "The article's layout".
enum ArticleFormat: KnownFormat {
  static let name = "article"
  static let summary = "one mapped slot without synchronisation"

  private typealias Field = ArticleLayout.Field

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard let header = bytes.slice(0, Field.planes).map(Array.init),
      let pixelFormat = bytes.number(at: Field.pixelFormat, as: OSType.self)
    else { return nil }
    let isEmpty = header.allSatisfy { $0 == 0 }
    guard
      isEmpty
        ? bytes.count == ArticleLayout.mappingByteCount : OSType.formatsSeen.contains(pixelFormat)
    else { return nil }
    var inspection = Inspection(self)
    guard !isEmpty else {
      inspection.note = "A mapping of 10 MiB in which no frame has been written yet."
      inspection.whyNoPicture = "no frame has been written yet"
      return inspection
    }
    let layout = ArticleLayout(header: header.span)
    inspection.addOrientation(layout.orientation)
    let isShape = inspection.addShape(
      pixelFormat: layout.pixelFormat, width: layout.width, height: layout.height)
    inspection.add(.lumaBytesPerRow, layout.lumaBytesPerRow)
    inspection.add(.chromaBytesPerRow, layout.chromaBytesPerRow)
    guard isShape else { return inspection }
    let isLuma = inspection.expect(
      (layout.width...16_384).contains(layout.lumaBytesPerRow),
      "luma has \(layout.lumaBytesPerRow) bytes a row, and \(layout.width) pixels need \(layout.width) to 16384"
    )
    let pairs = (layout.width + 1) / 2 * 2
    let isChroma = inspection.expect(
      (pairs...16_384).contains(layout.chromaBytesPerRow),
      "chroma has \(layout.chromaBytesPerRow) bytes a row, and \(layout.width) pixels need \(pairs) to 16384")
    guard isLuma, isChroma,
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
