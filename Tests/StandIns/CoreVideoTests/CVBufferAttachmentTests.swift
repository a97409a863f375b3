import CoreVideo
import Testing

@Suite struct CVBufferAttachmentTests {
  private func buffer() throws -> CVPixelBuffer { try #require(makeBuffer(width: 8, height: 8).buffer) }

  @Test func aNewBufferHasNone() throws {
    let buffer = try buffer()
    #expect(CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) == nil)
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate)?.isEmpty == true)
    #expect(!CVBufferHasAttachment(buffer, kCVImageBufferYCbCrMatrixKey))
  }

  @Test func aValueIsReadWithItsMode() throws {
    let buffer = try buffer()
    let (key, matrix) = (kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    CVBufferSetAttachment(buffer, key, matrix, .shouldPropagate)
    var mode = CVAttachmentMode.shouldNotPropagate
    // Handlers on iOS write it like this. UNSAFE: the out parameters of this suite are local variables.
    let text = unsafe CVBufferCopyAttachment(buffer, key, &mode) as? String
    #expect(text == "ITU_R_709_2" && mode == .shouldPropagate)
    let value = CVBufferGetAttachment(buffer, key, nil)?.takeUnretainedValue()
    #expect(CFEqual(value, matrix) && !CFEqual(value, kCVImageBufferYCbCrMatrix_ITU_R_601_4))
    #expect(CVBufferHasAttachment(buffer, key))
  }

  @Test func numbersAreAttachmentsToo() throws {
    let buffer = try buffer()
    CVBufferSetAttachment(buffer, "gamma", 2.2 as NSNumber, .shouldNotPropagate)
    #expect((CVBufferCopyAttachment(buffer, "gamma", nil) as? NSNumber)?.doubleValue == 2.2)
  }

  @Test func aDictionaryHasTheAttachmentsOfOneMode() throws {
    let buffer = try buffer()
    CVBufferSetAttachments(buffer, ["a": "1", "b": "2"], .shouldPropagate)
    CVBufferSetAttachment(buffer, "c", "3", .shouldNotPropagate)
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate) as? [String: String] == ["a": "1", "b": "2"])
    #expect(CVBufferGetAttachments(buffer, .shouldNotPropagate) as? [String: String] == ["c": "3"])
  }

  @Test func attachmentsAreRemoved() throws {
    let buffer = try buffer()
    CVBufferSetAttachments(buffer, ["a": "1", "b": "2"], .shouldPropagate)
    CVBufferRemoveAttachment(buffer, "a")
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate) as? [String: String] == ["b": "2"])
    CVBufferRemoveAllAttachments(buffer)
    #expect(CVBufferCopyAttachments(buffer, .shouldPropagate)?.isEmpty == true)
  }

  @Test func onlyThoseThatPropagateAreCopied() throws {
    let (source, target) = (try buffer(), try buffer())
    CVBufferSetAttachment(source, "a", "1", .shouldPropagate)
    CVBufferSetAttachment(source, "b", "2", .shouldNotPropagate)
    CVBufferSetAttachment(target, "c", "3", .shouldNotPropagate)
    CVBufferPropagateAttachments(source, target)
    #expect(CVBufferCopyAttachments(target, .shouldPropagate) as? [String: String] == ["a": "1"])
    #expect(CVBufferCopyAttachments(target, .shouldNotPropagate) as? [String: String] == ["c": "3"])
  }

  @Test func aBufferOfAPoolBeginsWithoutAttachments() throws {
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: 8, kCVPixelBufferHeightKey: 8,
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
    let pool = try #require(makePool(attributes).pool)
    for _ in 0..<2 {
      let made = try take(pool)
      #expect(CVBufferCopyAttachments(made, .shouldPropagate)?.isEmpty == true)
      CVBufferSetAttachment(made, "a", "1", .shouldPropagate)
    }
  }
}
