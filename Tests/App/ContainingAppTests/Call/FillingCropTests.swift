import CoreVideo
import PixelAccess
import Testing

@testable import ContainingApp

@Suite struct FillingCropTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var frame: (Int, Int)
    var request: (Int, Int)
    /// x, y, width, height; `nil` when the frame passes unchanged.
    var crop: (Int, Int, Int, Int)?
    var output: (Int, Int) = (0, 0)
    var testDescription: String { "\(frame) to \(request)" }
  }

  static let cases = [
    // Screens of phones and tablets of the emulator, with the article's size.
    Case(frame: (750, 1334), request: (1080, 720), crop: (0, 104, 750, 1126), output: (720, 1080)),
    Case(frame: (1170, 2532), request: (1080, 720), crop: (0, 388, 1170, 1756), output: (720, 1080)),
    Case(frame: (1179, 2556), request: (1080, 720), crop: (0, 394, 1178, 1768), output: (720, 1080)),
    Case(frame: (1640, 2360), request: (1080, 720), crop: (32, 0, 1574, 2360), output: (720, 1080)),
    Case(frame: (2064, 2752), request: (1080, 720), crop: (114, 0, 1834, 2752), output: (720, 1080)),
    // The orientation of the frame matters, the orientation of the request does not.
    Case(frame: (1170, 2532), request: (720, 1080), crop: (0, 388, 1170, 1756), output: (720, 1080)),
    Case(frame: (2532, 1170), request: (720, 1080), crop: (388, 0, 1756, 1170), output: (1080, 720)),
    Case(frame: (1000, 1000), request: (400, 200), crop: (250, 0, 500, 1000), output: (200, 400)),
    // No adaptation, to within one chroma sample.
    Case(frame: (720, 1080), request: (1080, 720)),
    Case(frame: (1080, 720), request: (1080, 720)),
    Case(frame: (360, 540), request: (1080, 720)),
    Case(frame: (361, 541), request: (1080, 720)),
    // Smaller than requested in one direction or both: cropped, not scaled.
    Case(frame: (600, 1000), request: (1080, 720), crop: (0, 50, 600, 900), output: (600, 900)),
    Case(frame: (719, 3000), request: (1080, 720), crop: (0, 960, 718, 1078), output: (718, 1078)),
    // Only scaled, and odd sizes.
    Case(frame: (1440, 2160), request: (1080, 720), crop: (0, 0, 1440, 2160), output: (720, 1080)),
    Case(frame: (1441, 2161), request: (1080, 720), crop: (0, 0, 1441, 2161), output: (720, 1080)),
    Case(frame: (1001, 2001), request: (333, 333), crop: (0, 500, 1000, 1000), output: (333, 333)),
    Case(frame: (333, 1001), request: (333, 333), crop: (0, 334, 333, 333), output: (333, 333)),
    Case(frame: (3, 301), request: (100, 100), crop: (0, 148, 2, 2), output: (2, 2)),
    Case(frame: (1, 100), request: (100, 100), crop: (0, 48, 1, 2), output: (1, 2)),
  ]

  @Test(arguments: cases) func aFrameIsCroppedToFillTheSize(_ test: Case) throws {
    let (crop, size) = FillingCrop(width: test.request.0, height: test.request.1).part(
      ofWidth: test.frame.0, height: test.frame.1)
    let expected = test.crop ?? (0, 0, test.frame.0, test.frame.1)
    #expect((crop.x, crop.y, crop.width, crop.height) == expected)
    #expect(size == (test.crop == nil ? test.frame : test.output))
  }

  @Test func aPartIsWithinItsFrameAndIsNotCroppedAgain() throws {
    let filling = FillingCrop(width: 1080, height: 720)
    for width in stride(from: 3, through: 2000, by: 17) {
      for height in stride(from: 3, through: 3000, by: 31) {
        let (crop, size) = filling.part(ofWidth: width, height: height)
        try #require(crop.x >= 0 && crop.y >= 0 && crop.x + crop.width <= width)
        try #require(crop.y + crop.height <= height && crop.x % 2 == 0 && crop.y % 2 == 0)
        try #require(size.width <= crop.width && size.height <= crop.height)
        let again = filling.part(ofWidth: size.width, height: size.height)
        try #require(again.size == size, "\(width) × \(height)")
      }
    }
  }
}
