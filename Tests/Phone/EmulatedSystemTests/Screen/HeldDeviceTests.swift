import EmulatedDevice
import PixelAccess
import ReplayKit
import TestPatterns
import TestSupport

@testable import EmulatedSystem

/// Tests the pixels and attachments of samples for each way to hold a device, and for the versions of iOS.
@MainActor @Suite struct HeldDeviceTests {
  private func sample(
    _ orientation: CGImagePropertyOrientation = .up, _ pattern: TestPattern = .bars,
    _ ios: IOSVersion = .newest, matrix: ColourMatrix? = nil
  ) throws -> CMSampleBuffer {
    var content = try ScreenContent.pattern(
      pattern, size: PixelSize(width: 144, height: 320), pixelFormat: fullRange, framesPerSecond: 60,
      matrix: matrix ?? ScreenColours(ios).matrix)
    content.matrix = matrix
    let screen = try EmulatedScreen(
      content: content, pixelFormat: fullRange, orientation: orientation, ios: ios)
    var sample: CMSampleBuffer?
    _ = try screen.drawFrame(1, at: .zero) { made, _ in
      sample = made
      return true
    }
    return try #require(sample)
  }

  /// The bars are at the top of the upright image, from white to black; the grey scale below ends with white.
  @Test(arguments: [
    (CGImagePropertyOrientation.up, "top"), (.right, "right"), (.down, "bottom"), (.left, "left"),
    (.upMirrored, "top"), (.rightMirrored, "right"),
  ])
  func theOrientationNamesTheEdgeWithTheTopOfTheContent(
    _ orientation: CGImagePropertyOrientation, _ side: String
  ) throws {
    let sample = try sample(orientation)
    let value = CMGetAttachment(sample, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)
    #expect(value?.uint32Value == orientation.rawValue)
    let pixels = try #require(sample.imageBuffer)
    // The corners in clockwise order.
    let corners = [(3, 3), (140, 3), (140, 316), (3, 316)].map { x, y in
      pixels.readPlane(0) { bytes, shape in bytes[y * shape.bytesPerRow + x] }
    }
    let turns = try #require(["top", "right", "bottom", "left"].firstIndex(of: side))
    // White of 75 %, black, white, and black.
    #expect((0..<4).map { corners[(turns + $0) % 4] } == [191, 0, 255, 0])
  }

  @Test func framesHaveTheColoursOfTheVersion() throws {
    func colours(_ ios: Int, matrix: ColourMatrix? = nil) throws -> [String: String] {
      let version = try #require(IOSVersion("\(ios)"))
      let made = try sample(.up, .noise, version, matrix: matrix)
      let pixels = try #require(made.imageBuffer)
      return try #require(CVBufferCopyAttachments(pixels, .shouldPropagate) as? [String: String])
    }
    let matrix = kCVImageBufferYCbCrMatrixKey as String
    #expect(try colours(11) == [:])
    #expect(try colours(12) == [kCVImageBufferColorPrimariesKey: "ITU_R_709_2", matrix: "ITU_R_601_4"])
    #expect(
      try colours(26) == [
        kCVImageBufferColorPrimariesKey: "ITU_R_709_2", matrix: "ITU_R_709_2",
        kCVImageBufferTransferFunctionKey: "IEC_sRGB", kCVImageBufferChromaLocationTopFieldKey: "Left",
        kCVImageBufferChromaLocationBottomFieldKey: "Left",
      ])
    // A clip that states its matrix.
    #expect(try colours(26, matrix: .bt601)[matrix] == "ITU_R_601_4")
  }

  @Test func theFormatDescriptionHasTheColours() throws {
    let made = try sample()
    let description = try #require(made.formatDescription)
    let key = kCMFormatDescriptionExtension_YCbCrMatrix
    #expect(CMFormatDescriptionGetExtension(description, extensionKey: key) as? String == "ITU_R_709_2")
  }

  @Test func thePixelsHaveTheMatrixThatIsStated() throws {
    for (ios, matrix) in [(12, ColourMatrix.bt601), (26, .bt709)] {
      let version = try #require(IOSVersion("\(ios)"))
      let made = try sample(.up, .bars, version)
      let pixels = try #require(made.imageBuffer)
      // The second bar is yellow.
      let luma = pixels.readPlane(0) { bytes, _ in bytes[27] }
      let (cb, cr) = pixels.readPlane(1) { bytes, _ in (bytes[26], bytes[27]) }
      let rgb = ColourConversion(matrix, range: .full).rgb(luma: luma, cb: cb, cr: cr)
      #expect(abs(Int(rgb.red) - 191) <= 1 && abs(Int(rgb.green) - 191) <= 1 && rgb.blue <= 2, "\(ios)")
    }
  }
}
