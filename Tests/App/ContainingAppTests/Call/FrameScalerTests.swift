import PixelAccess
import TestSupport
import WebRTC

@testable import ContainingApp

@MainActor @Suite struct FrameScalerTests {
  private func buffer(_ picture: CVPixelBuffer, scaled: Bool = true) -> RTCCVPixelBuffer {
    scaled
      ? RTCCVPixelBuffer(
        pixelBuffer: picture, adaptedWidth: 20, adaptedHeight: 10, cropWidth: 40, cropHeight: 20, cropX: 8,
        cropY: 6)
      : RTCCVPixelBuffer(pixelBuffer: picture)
  }

  @Test func thePixelsAreThePartAtItsSizeWithItsColour() throws {
    let picture = try makeFilledPicture(64, 64)
    picture.writePlane(0) { bytes, shape in
      for row in 0..<64 { bytes.fill(row * shape.bytesPerRow..<row * shape.bytesPerRow + 8, with: 0) }
    }
    picture.state(.bt601)
    var scaler = FrameScaler()
    let pixels = scaler.pixels(of: buffer(picture))
    #expect(CVPixelBufferGetWidth(pixels) == 20 && CVPixelBufferGetHeight(pixels) == 10)
    #expect(rows(pixels, plane: 0).allSatisfy { $0.prefix(20).allSatisfy { $0 == 200 } })
    #expect(pixels.statedMatrix == .bt601)
  }

  @Test func aWholePictureIsNotCopied() throws {
    let picture = try makeFilledPicture(64, 64)
    var scaler = FrameScaler()
    #expect(scaler.pixels(of: buffer(picture, scaled: false)) === picture)
  }

  @Test func memoryIsReusedOnceItsFrameIsReleased() throws {
    var scaler = FrameScaler()
    var addresses = Set<Int>()
    for _ in 0..<4 {
      let pixels = scaler.pixels(of: buffer(try makeFilledPicture(64, 64)))
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      // UNSAFE: only the address is used; nothing is read.
      addresses.insert(unsafe Int(bitPattern: CVPixelBufferGetBaseAddressOfPlane(pixels, 0)))
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    }
    #expect(addresses.count == 1)
  }
}
