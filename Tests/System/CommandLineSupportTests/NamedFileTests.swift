import TestSupport

@Suite struct NamedFileTests {
  /// Runs `body` with a folder that has the file `F`, a hard and a symbolic link to it, a dangling link, and `dd`, a link to
  /// the folder.
  private func withFiles(_ body: (_ path: (String) -> String) throws -> Void) throws {
    try withFolder { folder in
      func path(_ name: String) -> String { folder.path + "/" + name }
      let files = FileManager.default
      try Data("content".utf8).write(to: URL(filePath: path("F")))
      try files.linkItem(atPath: path("F"), toPath: path("hard"))
      for (link, target) in [("soft", "F"), ("dangling", "new"), ("dd", ".")] {
        try files.createSymbolicLink(atPath: path(link), withDestinationPath: target)
      }
      try body(path)
    }
  }

  private func refusal(_ files: NamedFile...) -> String? {
    do throws(UsageError) { try files.checkDiffer() } catch { return error.message }
    return nil
  }

  @Test(arguments: [
    ("F", "F"), ("F", "./F"), ("F", "hard"), ("F", "soft"), ("F", "dd/F"), ("hard", "dd/dd/soft"),
    ("new", "new"), ("new", "dd/new"), ("new", "dangling"), ("dd/dangling", "./new"),
  ]) func anOutputOverAnotherFileIsRefused(_ one: String, _ other: String) throws {
    try withFiles { path in
      let (one, other) = (path(one), path(other))
      for (one, other) in [(one, other), (other, one)] {
        #expect(
          refusal(.writes("--y4m", one), .writes("--wav", other))
            == "--wav would overwrite \(other.quoted), which --y4m writes; name another file.")
        let sentence = "--wav would overwrite \(other.quoted), which --source reads; name another file."
        #expect(refusal(.reads("--source", one), .writes("--wav", other)) == sentence)
        #expect(refusal(.writes("--wav", other), .reads("--source", one)) == sentence)
      }
    }
  }

  @Test func differentFilesInputsAndDevicesAreAccepted() throws {
    try withFiles { path in
      #expect(refusal(.writes("--y4m", path("F")), .writes("--wav", path("G"))) == nil)
      #expect(refusal(.writes("--y4m", path("new")), .writes("--wav", path("dd/newer"))) == nil)
      #expect(refusal(.reads("--trace", path("F")), .reads("--source", path("hard"))) == nil)
      #expect(refusal(.writes("--y4m", nil), .reads("--source", nil)) == nil)
      // The program reports a missing folder.
      #expect(refusal(.writes("--y4m", path("none/F")), .writes("--wav", path("none/F"))) == nil)
    }
    #expect(refusal(.writes("--y4m", "/dev/null"), .writes("--wav", "/dev/null")) == nil)
    #expect(refusal(.writes("--y4m", "a"), .writes("--wav", "b")) == nil)
    #expect(refusal(.reads("--source", "/dev/zero"), .writes("--wav", "/dev/zero")) == nil)
    #expect(refusal(.reads("--source", "-"), .writes("--y4m", "-")) == nil)
  }

  @Test func aFIFOTakesOneOutput() throws {
    try withFiles { path in
      try makeFile(of: S_IFIFO, at: path("fifo"))
      #expect(refusal(.writes("--y4m", path("fifo")), .writes("--wav", path("dd/fifo"))) != nil)
    }
  }

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func standardOutputTakesOneOutput(_ path: String) {
    for (output, owner) in [
      (NamedFile.writes("--y4m", "-"), "--y4m writes"), (.prints("--json", true), "--json prints"),
    ] {
      let sentence = "--wav would overwrite stdout, which \(owner); name another file."
      #expect(refusal(output, .writes("--wav", path)) == sentence)
    }
    #expect(refusal(.prints("--json", false), .writes("--y4m", path)) == nil)
    #expect(NamedFile.writes("--y4m", path).isStandardOutput)
    #expect(!NamedFile.reads("--source", path).isStandardOutput)
  }

  @Test(arguments: [
    ("", "it is a folder", ExitCode.inputOutput), ("dd", "it is a folder", .inputOutput),
    ("none/new", "its folder does not exist", .inputOutput),
    ("F/new", "not a directory", .cannotCreate),
  ])
  func anOutputThatCannotBeWrittenIsNamedBeforeTheRun(
    _ name: String, _ reason: String, _ code: ExitCode
  ) throws {
    try withFiles { path in
      let file = path(name)
      let failure = #expect(throws: ProgramFailure.self) {
        try [.writes("--y4m", nil), .writes("--report", file)].checkWritable()
      }
      #expect(
        (failure?.exitCode, failure?.message.lowercased())
          == (code, "\(file) cannot be written: \(reason). Name another file with --report.".lowercased()))
    }
  }

  @Test(arguments: [
    ("F", "F is not a folder", ExitCode.cannotCreate), ("F/new", "not a directory", .cannotCreate),
    ("soft", "soft is not a folder", .cannotCreate),
  ])
  func aFolderThatCannotBeMadeIsNamedBeforeTheRun(_ name: String, _ reason: String, _ code: ExitCode) throws {
    try withFiles { path in
      let folder = path(name)
      let failure = #expect(throws: ProgramFailure.self) {
        try [.makes("--keep", nil), .makes("--keep", folder)].checkWritable()
      }
      #expect(failure?.exitCode == code)
      let message = try #require(failure?.message.lowercased())
      #expect(message.hasPrefix("\(folder) cannot be created: ".lowercased()))
      #expect(message.contains(reason.lowercased()) && message.hasSuffix("name another folder with --keep."))
    }
  }

  @Test func aFolderThatExistsOrCanBeMadeIsAccepted() throws {
    try withFiles { path in
      let paths = [
        path(""), path("dd"), path("dd/"), path("new"), path("new/newer/newest/"), "a", "a/b", ".",
      ]
      try paths.map { .makes("--keep", $0) }.checkWritable()
      #expect(refusal(.makes("--keep", path("new")), .writes("--report", path("new"))) != nil)
      #expect(refusal(.makes("--keep", path("new")), .writes("--report", path("new.html"))) == nil)
    }
  }

  @Test func anOutputThatCanBeWrittenIsAccepted() throws {
    try withFiles { path in
      let paths = [
        path("F"), path("new"), path("dangling"), path("dd/new"), "/dev/null", "-", "/dev/stdout", "a",
      ]
      try paths.map { .writes("--wav", $0) }.checkWritable()
      try [.reads("--source", path("none/F")), .prints("--json", true)].checkWritable()
    }
  }

  @Test func anOutputOverAFileOfTheContainerIsRefused() throws {
    try withFiles { path in
      let failure = #expect(throws: ProgramFailure.self) {
        try [NamedFile.writes("--y4m", path("soft"))].checkDiffer(fromContainer: [path("G"), path("hard")])
      }
      #expect(failure?.exitCode == .usage)
      #expect(failure?.message.contains("\(path("soft").quoted), which the container holds") == true)
      #expect(throws: ProgramFailure.self) {
        try [NamedFile.writes("--y4m", path("new"))].checkDiffer(fromContainer: [path("new")])
      }
      try [NamedFile.writes("--y4m", path("new"))].checkDiffer(fromContainer: [path("F")])
    }
  }
}
