import TestSupport

@Suite struct FileManagerProgramTests {
  private let temporary = TemporaryFolder.ofSuite(ofPrograms: true)
  private var folder: URL { temporary.url }

  @Test func aProgramIsAFileThatMayBeExecutedOrALinkToOne() throws {
    let files = FileManager.default
    func path(_ name: String) -> String { folder.appending(path: name).path }
    try Data("#!/bin/sh\n".utf8).write(to: folder.appending(path: "program"))
    try Data().write(to: folder.appending(path: "text"))
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path("program"))
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("text"))
    try files.createDirectory(at: folder.appending(path: "folder"), withIntermediateDirectories: false)
    for target in ["program", "folder", "nothing"] {
      try files.createSymbolicLink(atPath: path("to-\(target)"), withDestinationPath: path(target))
    }
    #expect(files.isProgram(atPath: path("program")) && files.isProgram(atPath: path("to-program")))
    for other in ["text", "folder", "nothing", "to-folder", "to-nothing"] {
      #expect(!files.isProgram(atPath: path(other)), "\(other)")
    }
  }
}
