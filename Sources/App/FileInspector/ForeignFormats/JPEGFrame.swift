/// The size of a JPEG, read without decoding it.
struct JPEGFrame: Equatable {
  var width: Int
  var height: Int

  /// Reads the markers up to the frame header; `nil` if there is none, or the bytes do not begin and end as a JPEG.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4, bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    else { return nil }
    var at = bytes.startIndex + 2
    while at + 9 <= bytes.endIndex, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      // Frame headers are C0 to CF, except C4, C8 and CC, which are tables and extensions.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        height = Int(bytes[at + 5]) << 8 | Int(bytes[at + 6])
        width = Int(bytes[at + 7]) << 8 | Int(bytes[at + 8])
        return
      }
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, marker != 0xDA, marker != 0xD9 else { return nil }
      at += 2 + length
    }
    return nil
  }
}
