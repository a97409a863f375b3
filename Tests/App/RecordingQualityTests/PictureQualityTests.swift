import CoreVideo
import Foundation
import TestSupport
import Testing

@testable import RecordingQuality

@Suite struct PictureQualityTests {
  @Test func anEqualPictureHasTheHighestValues() throws {
    let picture = try makePatternedPicture(33, 19) { UInt8($0 * 90 + $1 + $2) }
    let quality = PictureQuality(of: picture, reference: picture)
    #expect(quality.psnr == 48 && quality.ssim == 1)
  }

  /// The mean square error of a picture that is 10 darker everywhere is 100.
  @Test func thePSNRFollowsFromTheMeanSquareError() throws {
    let picture = try makeFilledPicture(32, 32, luma: 100, chroma: 90)
    let darker = try makeFilledPicture(32, 32, luma: 90, chroma: 80)
    let quality = PictureQuality(of: darker, reference: picture)
    #expect(abs(quality.psnr - 10 * log10(255 * 255 / 100)) < 1e-9)
    // Without variance the structural similarity is that of the means, here with c1 = (0.01 · 255)².
    func similarity(_ a: Double, _ b: Double) -> Double { (2 * a * b + 6.5025) / (a * a + b * b + 6.5025) }
    let expected = 0.8 * similarity(100, 90) + 0.2 * similarity(90, 80)
    #expect(abs(quality.ssim - expected) < 1e-5)
  }

  @Test func eachSampleCountsOnceInPicturesOfOddSize() throws {
    for (width, height) in [(17, 17), (21, 18), (18, 23)] {
      let picture = try makeFilledPicture(width, height)
      for (plane, row, column) in [
        (0, height - 1, width - 1), (1, (height - 1) / 2, (width + 1) / 2 * 2 - 1),
      ] {
        let other = try makePatternedPicture(width, height) {
          $0 == plane && $1 == row && $2 == column ? 0 : $0 == 0 ? 200 : 60
        }
        let samples = Double(width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2))
        let error = plane == 0 ? 200.0 * 200 : 60.0 * 60
        let psnr = PictureQuality(of: other, reference: picture).psnr
        #expect(abs(psnr - min(48, 10 * log10(255 * 255 * samples / error))) < 1e-9)
      }
    }
  }
}
