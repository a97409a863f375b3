import Foundation
import SharedMemory
import Testing

@testable import Platform

@Suite struct FileErrorTests {
  private static let path = "/somewhere/frames.ring"
  private static let errors: [FileError] = [
    FileError(.call("open", Errno(rawValue: EACCES)), path), FileError(.notAFolder, path),
    FileError(.notAPlainFile, path), FileError(.symbolicLink, path), FileError(.foreignOwner(1001), path),
    FileError(.empty, path), FileError(.busy, path), FileError(.tooManyMappings, path),
    FileError(.openToOthers, path),
    FileError(.moved, path), FileError(.damaged, path), FileError(.cutShort, path),
    .notARing(.frames, path: path), .otherVersion(.frames, path: path, found: 99),
    .notARing(.audio, path: path), .otherVersion(.audio, path: path, found: 99),
  ]

  @Test(arguments: errors) func everySentenceNamesThePathAndTheWayOut(error: FileError) {
    #expect(error.description.contains(Self.path))
    #expect(error.description.contains(where: { $0 == ";" || $0 == "," }))
    #expect(error.code > 0)
    #expect(!error.isMissing)
  }

  @Test func aMissingFileIsRecognised() {
    #expect(FileError(.call("open", Errno(rawValue: ENOENT)), "x").isMissing)
  }

  @Test(arguments: [ENOSPC, EDQUOT, EACCES, EPERM, EROFS, ENOENT, EMFILE, ENAMETOOLONG])
  func aFailedCallNamesCallPathAndAdvice(code: Int32) {
    let error = FileError(.call("open", Errno(rawValue: code)), Self.path)
    #expect(error.description.hasPrefix(Self.path + ": "))
    #expect(error.description.contains("(open); "))
  }

  @Test func aFailedCallWithoutAdviceIsOneSentence() {
    let error = FileError(.call("mmap", Errno(rawValue: EIO)), Self.path)
    #expect(error.description == "\(Self.path): input/output error (mmap)")
    #expect(FileError(.call("x", Errno(rawValue: 9999)), "y").description.contains("9999"))
  }
}
