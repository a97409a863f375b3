import CoreImage
import PixelAccess
import TestSupport

/// Tests JPEG files with colour spaces other than YCbCr, and small files that are expensive to decode.
@Suite(.needs(.libjpeg)) struct JPEGTests {
  /// 16x16 pixels of a grey of 200.
  private static let grey =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    + "AQEBAQEBAQEBAQEBAQH/wAALCAAQABABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF"
    + "BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW"
    + "V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi"
    + "4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AP6QKKKK/9k="
  /// 16x16 pixels of cyan 0, magenta 200, yellow 100 and black 50, inverted, as Adobe's programs store them.
  private static let cmyk =
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    + "AQEBAQEBAQEBAQEB/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB"
    + "AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH"
    + "SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV"
    + "1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD+/iv5t6+2K/pooooooooooooor//Z"
  /// 16x16 pixels of red 220, green 40 and blue 90, without a conversion.
  private static let rgb =
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    + "AQEBAQEBAQEBAQEB/8AAEQgAEAAQA1IRAEcRAEIRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMC"
    + "BAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElK"
    + "U1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY"
    + "2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAwDUgBHAEIAAD8A/rgr+T+vzPooooooooor/9k="

  private static func data(_ text: String) throws -> Data { try #require(Data(base64Encoded: text)) }

  @Test(arguments: [(grey, [200, 200, 200]), (cmyk, [205, 44, 125]), (rgb, [220, 40, 90])])
  func decodesOtherColourSpaces(text: String, wanted: [Int]) throws {
    let pixels = try #require(CIImage(data: try Self.data(text))?.pixelBuffer)
    #expect(CVPixelBufferGetWidth(pixels) == 16 && CVPixelBufferGetHeight(pixels) == 16)
    let luma = pixels.readPlane(0) { bytes, _ in bytes[0] }
    let (cb, cr) = pixels.readPlane(1) { bytes, _ in (bytes[0], bytes[1]) }
    let colour = ColourConversion(.bt601, range: .full).rgb(luma: luma, cb: cb, cr: cr)
    let found = [colour.red, colour.green, colour.blue].map(Int.init)
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(found)")
  }

  /// Returns the position of a marker in a file.
  private static func place(_ marker: UInt8, in data: Data) throws -> Int {
    try #require(data.indices.dropLast().first { data[$0] == 0xFF && data[$0 + 1] == marker })
  }

  @Test func refusesMorePixelsThanTheBytesCanHold() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        var data = try Self.data(Self.grey)
        let size = try Self.place(0xC0, in: data) + 5
        data.replaceSubrange(size..<size + 4, with: [64, 0, 64, 0])
        #expect(CIImage(data: data) == nil)
        // A size that the same bytes can encode in one colour (256 × 256).
        data.replaceSubrange(size..<size + 4, with: [1, 0, 1, 0])
        #expect(CIImage(data: data) != nil)
      })
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("states more pixels"))
  }

  /// Each scan after the first refines the pixels. A fill byte may precede a marker.
  @Test(arguments: [99, 100], [Data(), Data([0xFF])])
  func refusesMoreThanAHundredScans(count: Int, filler: Data) throws {
    var data = try Self.data(Self.grey)
    data[try Self.place(0xC0, in: data) + 1] = 0xC2
    func scan(_ approximation: UInt8, _ bits: UInt8) -> Data {
      Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, approximation, bits])
    }
    let scans = (0..<count).reduce(scan(0x01, 0)) { scans, _ in scans + scan(0x10, 0x0F) }
    let header = data[2..<(try Self.place(0xDA, in: data))]
    let picture = CIImage(data: data[..<2] + filler + header + scans + [0xFF, 0xD9])
    #expect((picture != nil) == (count < 100))
  }

  /// A decoder stops after the scan that completes the picture.
  @Test func scansThatAreNotReadAreNotCounted() throws {
    let data = try Self.data(Self.grey)
    let (start, end) = (try Self.place(0xDA, in: data), try Self.place(0xD9, in: data))
    let scans = (0..<101).reduce(Data()) { scans, _ in scans + data[start..<end] }
    #expect(CIImage(data: data[..<start] + scans + data[end...]) != nil)
  }
}
