import TestSupport

@testable import Platform

@Suite struct FileErrorTests {
  private static let path = "/somewhere/frames.ring"
  private static let reasons: [FileError.Reason] = [
    .call("open", Errno(rawValue: EACCES)), .notAFolder, .notAPlainFile, .symbolicLink, .foreignOwner(1001),
    .empty, .busy, .tooManyMappings, .openToOthers, .moved, .damaged, .cutShort, .notAPropertyList,
    .unwritableValue, .notARing("a frame ring"),
    .otherVersion("a frame ring", found: 99, reads: 5),
  ]

  @Test(arguments: reasons) func everySentenceNamesThePathAndTheWayOut(reason: FileError.Reason) {
    let error = FileError(reason, Self.path)
    #expect(error.description.contains(Self.path))
    #expect(error.description.contains(";") || error.description.contains(","))
    #expect(error.code > 0 && !error.isMissing)
  }

  @Test(arguments: [ENOSPC, EDQUOT, EACCES, EPERM, EROFS, ENOENT, EMFILE, ENAMETOOLONG])
  func aFailedCallNamesCallPathAndAdvice(code: Int32) {
    let error = FileError(.call("open", Errno(rawValue: code)), Self.path)
    #expect(error.description.hasPrefix(Self.path + ": ") && error.description.contains("(open); "))
    #expect(error.isMissing == (code == ENOENT))
  }

  @Test func aFailedCallWithoutAdviceIsOneSentence() {
    let error = FileError(.call("mmap", Errno(rawValue: EIO)), Self.path)
    #expect(error.description == "\(Self.path): input/output error (mmap)")
    #expect(FileError(.call("x", Errno(rawValue: 9999)), "y").description.contains("9999"))
  }
}
