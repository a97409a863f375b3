import Foundation
import SharedMemory
import Testing

@testable import Platform

@Suite struct StorageErrorTests {
  private static let path = "/somewhere/frames.ring"
  private static let errors: [StorageError] = [
    .system(SystemError(call: "open", path: path, code: EACCES)), .notAFolder(path: path),
    .notAPlainFile(path: path), .symbolicLink(path: path), .foreignOwner(path: path, owner: 1001),
    .empty(path: path), .busy(path: path), .tooManyMappings(path: path), .openToOthers(path: path),
    .moved(path: path),
  ]

  @Test(arguments: errors) func everySentenceNamesThePathAndTheWayOut(error: StorageError) {
    #expect(error.description.contains(Self.path))
    #expect(error.description.contains(where: { $0 == ";" || $0 == "," }))
    #expect(error.code > 0)
    #expect(!error.isMissing)
  }

  @Test func aMissingFileIsRecognised() {
    #expect(StorageError.system(SystemError(call: "open", path: "x", code: ENOENT)).isMissing)
  }

  @Test(arguments: [ENOSPC, EDQUOT, EACCES, EPERM, EROFS, ENOENT, EMFILE, ENAMETOOLONG])
  func aSystemErrorNamesCallPathAndAdvice(code: Int32) {
    let error = SystemError(call: "open", path: Self.path, code: code)
    #expect(error.description.hasPrefix(Self.path + ": "))
    #expect(error.description.contains("(open); "))
  }

  @Test func aSystemErrorWithoutAdviceIsOneSentence() {
    let error = SystemError(call: "mmap", path: Self.path, code: EIO)
    #expect(error.description == "\(Self.path): input/output error (mmap)")
    #expect(SystemError(call: "x", path: "y", code: 9999).description.contains("9999"))
  }

  @Test(arguments: [
    RingError.notARing(.frames, path: path), .otherVersion(.frames, path: path, found: 99),
    .damaged(path: path),
    .lost(path: path), .notARing(.audio, path: path), .otherVersion(.audio, path: path, found: 99),
    .storage(.empty(path: path)),
  ])
  func everyRingErrorNamesThePathAndTheWayOut(error: RingError) {
    #expect(error.description.contains(Self.path))
    #expect(error.description.contains(where: { $0 == ";" || $0 == "," }))
  }
}
