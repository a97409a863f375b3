import CoreVideo
import PixelAccess
import TestSupport

@Suite struct ColourMatrixTests {
  @Test func theAttachmentDecides() throws {
    let picture = try makeFilledPicture(4, 4)
    #expect(picture.statedMatrix == nil && picture.colourMatrix == .bt709)
    for (value, matrix) in [
      (kCVImageBufferYCbCrMatrix_ITU_R_601_4, ColourMatrix.bt601),
      (kCVImageBufferYCbCrMatrix_ITU_R_709_2, .bt709),
    ] {
      CVBufferSetAttachment(picture, kCVImageBufferYCbCrMatrixKey, value, .shouldPropagate)
      #expect(picture.statedMatrix == matrix && picture.colourMatrix == matrix)
    }
    CVBufferSetAttachment(
      picture, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_2020, .shouldPropagate)
    #expect(picture.statedMatrix == nil && picture.colourMatrix == .bt709)
  }

  @Test(arguments: [(ColourMatrix.bt709, ColourMatrix.bt601), (.bt601, .bt709)])
  func aChangeOfTheMatrixKeepsTheColours(from: ColourMatrix, to: ColourMatrix) throws {
    let (change, before, after) = (
      from.change(to: to), ColourConversion(from, range: .full), ColourConversion(to, range: .full)
    )
    for luma in stride(from: UInt8(80), through: 180, by: 20) {
      for cb in stride(from: UInt8(100), through: 156, by: 7) {
        for cr in stride(from: UInt8(100), through: 156, by: 7) {
          let sample = change.apply(luma: luma, cb: cb, cr: cr)
          let (was, now) = (
            before.rgb(luma: luma, cb: cb, cr: cr), after.rgb(luma: sample.luma, cb: sample.cb, cr: sample.cr)
          )
          for (was, now) in [(was.red, now.red), (was.green, now.green), (was.blue, now.blue)] {
            #expect(abs(Int(was) - Int(now)) <= 2, "\(luma), \(cb), \(cr)")
          }
        }
      }
    }
  }

  @Test func aConvertedPictureStatesItsMatrix() throws {
    let picture = try makePatternedPicture(6, 6) { plane, _, column in
      plane == 0 ? 120 : column % 2 == 0 ? 90 : 200
    }
    picture.convert(to: .bt709)
    #expect(picture.statedMatrix == nil)
    picture.convert(to: .bt601)
    let wanted = ColourMatrix.bt709.change(to: .bt601).apply(luma: 120, cb: 90, cr: 200)
    #expect(picture.statedMatrix == .bt601)
    #expect(samples(picture, plane: 0).allSatisfy { $0 == wanted.luma })
    #expect(samples(picture, plane: 1).prefix(2) == [wanted.cb, wanted.cr])
  }
}
