import CoreImage
import PixelAccess
import Testing
import UIKit
import VideoToolbox

@Suite struct UIImageTests {
  private func frame(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
    let buffer = try PixelBufferPool(
      width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ).makeBuffer()
    for plane in 0..<2 {
      buffer.writePlane(plane) { bytes, _ in for index in bytes.indices { bytes[index] = 100 } }
    }
    return buffer
  }

  @Test func encodesTheUprightImage() throws {
    let image = UIImage(ciImage: CIImage(cvPixelBuffer: try frame(32, 16)), scale: 1, orientation: .right)
    #expect(image.size == CGSize(width: 16, height: 32))
    let data = try #require(image.jpegData(compressionQuality: 0.8))
    let decoded = try #require(UIImage(data: data))
    #expect(decoded.size == CGSize(width: 16, height: 32))
  }

  @Test func aTransferSessionScales() throws {
    var session: VTPixelTransferSession?
    // UNSAFE: the out parameter is a local variable.
    #expect(unsafe VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &session) == noErr)
    let (source, target) = (try frame(32, 16), try frame(16, 8))
    target.writePlane(0) { bytes, _ in bytes[0] = 0 }
    #expect(VTPixelTransferSessionTransferImage(try #require(session), from: source, to: target) == noErr)
    #expect(target.readPlane(0) { bytes, _ in bytes[0] } == 100)
  }
}
