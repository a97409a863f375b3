import PixelAccess
import Testing

@testable import WebRTC

/// Another program computed the expected sizes from the description of libwebrtc's rule, with exact fractions.
@Suite struct OutputFormatTests {
  static let requests: [(Int32, Int32)] = [
    (720, 1280), (1080, 720), (540, 960), (360, 640), (1920, 1080), (320, 240),
  ]

  /// The sizes of frames, and the output size for each of the requests.
  static let table = [
    ((750, 1334), [[558, 996], [500, 752], [374, 666], [276, 498], [750, 1334], [186, 250]]),
    ((828, 1792), [[618, 1104], [552, 828], [414, 736], [306, 552], [828, 1472], [206, 276]]),
    ((886, 1918), [[660, 1182], [660, 1002], [442, 788], [330, 594], [886, 1576], [220, 296]]),
    ((408, 886), [[408, 726], [408, 612], [408, 726], [306, 546], [408, 726], [204, 272]]),
    ((1170, 2532), [[584, 1040], [520, 784], [438, 780], [292, 520], [876, 1560], [194, 260]]),
    ((1179, 2556), [[588, 1048], [588, 884], [438, 786], [294, 524], [882, 1572], [196, 262]]),
    ((2560, 1440), [[1280, 720], [960, 640], [960, 540], [640, 360], [1920, 1080], [320, 240]]),
  ]

  @Test(arguments: table) func aFrameGetsTheSizeThatAPhoneSends(frame: (Int, Int), sizes: [[Int]]) throws {
    for (request, size) in zip(Self.requests, sizes) {
      let (width, height) = request
      // The request has no orientation, so the output has the orientation of the frame.
      for format in [OutputFormat(width: width, height: height), OutputFormat(width: height, height: width)] {
        let adaptation = try #require(format.adaptation(width: frame.0, height: frame.1))
        #expect([adaptation.width, adaptation.height] == size, "\(request)")
      }
      let turned = try #require(
        OutputFormat(width: width, height: height).adaptation(width: frame.1, height: frame.0))
      #expect([turned.height, turned.width] == size, "\(request), turned")
    }
  }

  @Test(
    arguments: [
      ((1170, 2532), (720, 1280), [1, 226, 1168, 2080]), ((886, 1918), (720, 1280), [3, 171, 880, 1576]),
      ((1170, 2532), (1080, 720), [0, 384, 1170, 1764]), ((1000, 1000), (400, 200), [244, 4, 512, 992]),
      // Both sides of the part are multiples of nine, so it can be scaled by 2/3 twice.
      ((990, 1980), (300, 600), [0, 0, 990, 1980]), ((900, 1800), (450, 900), [0, 0, 900, 1800]),
    ] as [((Int, Int), (Int32, Int32), [Int])])
  func theMiddleIsKept(frame: (Int, Int), request: (Int32, Int32), crop: [Int]) throws {
    let adaptation = try #require(
      OutputFormat(width: request.0, height: request.1).adaptation(width: frame.0, height: frame.1))
    #expect([adaptation.crop.x, adaptation.crop.y, adaptation.crop.width, adaptation.crop.height] == crop)
  }

  @Test func aSizeThatTheAppMadeIsPassedOn() throws {
    for width in stride(from: 16, through: 8192, by: 178) {
      for height in stride(from: 16, through: 8192, by: 202) {
        let format = OutputFormat(width: Int32(width), height: Int32(height))
        let adaptation = try #require(format.adaptation(width: width, height: height))
        try #require(adaptation.width == width && adaptation.height == height, "\(width) × \(height)")
      }
    }
  }

  @Test(arguments: [(1179, 2556, 1178, 2556), (1170, 2532, 1170, 2532), (3, 5, 2, 4), (9001, 7, 9000, 6)])
  func withoutARequestASizeBecomesEven(width: Int, height: Int, evenWidth: Int, evenHeight: Int) {
    let adaptation = OutputFormat().adaptation(width: width, height: height)
    #expect(adaptation.map { [$0.width, $0.height] } == [evenWidth, evenHeight])
  }

  @Test(arguments: [(0, 720), (1080, 0), (-1, 720), (0, 0)] as [(Int32, Int32)])
  func aSizeOfZeroDropsEveryFrame(width: Int32, height: Int32) {
    #expect(OutputFormat(width: width, height: height).dropsAll)
    #expect(OutputFormat(width: width, height: height).adaptation(width: 720, height: 1280) == nil)
  }

  @Test func impossibleSizesDoNotTrap() {
    #expect(
      OutputFormat(width: .max, height: .max).adaptation(width: 16_384, height: 16_384)?.width == 16_384)
    #expect(OutputFormat(width: 1, height: 1).adaptation(width: 16_384, height: 1) == nil)
    #expect(OutputFormat().adaptation(width: 1, height: 8) == nil)
    let longest = Int(Int32.max) / 9 * 9
    #expect(OutputFormat(width: 1, height: 1).adaptation(width: longest, height: longest) == nil)
    #expect(OutputFormat(width: .min, height: .min).adaptation(width: 7, height: 7)?.width == 6)
  }
}
