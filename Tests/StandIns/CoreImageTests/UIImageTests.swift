import PixelAccess
import TestSupport
import UIKit
import VideoToolbox

@Suite struct UIImageTests {
  /// Returns a frame with a dark left half and a bright right half.
  private func frame(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
    let buffer = try PixelBufferPool(
      width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ).makeBuffer()
    buffer.writePlane(0) { bytes, shape in
      for index in bytes.indices { bytes[index] = index % shape.bytesPerRow < width / 2 ? 40 : 200 }
    }
    buffer.writePlane(1) { bytes, _ in for index in bytes.indices { bytes[index] = 128 } }
    return buffer
  }

  private func luma(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) -> Int {
    buffer.readPlane(0) { Int($0[y * $1.bytesPerRow + x]) }
  }

  @Test(.needs(.libjpeg)) func encodesTheUprightImage() throws {
    let image = UIImage(ciImage: CIImage(cvPixelBuffer: try frame(32, 16)), scale: 1, orientation: .right)
    #expect(image.size == CGSize(width: 16, height: 32))
    let data = try #require(image.jpegData(compressionQuality: 0.8))
    let decoded = try #require(UIImage(data: data))
    #expect(decoded.size == CGSize(width: 16, height: 32))
    // The stored image is rotated counter-clockwise: its left half is the upper half of the upright image.
    let pixels = try #require(decoded.ciImage?.pixelBuffer)
    for x in [2, 13] {
      #expect(abs(luma(pixels, x, 4) - 40) <= 8)
      #expect(abs(luma(pixels, x, 27) - 200) <= 8)
    }
  }

  @Test func theDeviceHasTheSameIdentifierInEachProcess() {
    #expect(UIDevice.current.identifierForVendor == UUID(uuidString: "B0ADCA57-0000-4000-8000-000000000001"))
  }

  @Test func aTransferSessionScales() throws {
    var session: VTPixelTransferSession?
    // UNSAFE: the out parameter is a local variable.
    #expect(unsafe VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &session) == noErr)
    let (source, target) = (try frame(32, 16), try frame(16, 8))
    #expect(VTPixelTransferSessionTransferImage(try #require(session), from: source, to: target) == noErr)
    for y in [0, 7] { #expect([0, 6, 9, 15].map { luma(target, $0, y) } == [40, 40, 200, 200]) }
  }
}
