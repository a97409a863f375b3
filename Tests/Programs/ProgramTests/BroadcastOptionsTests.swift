import TestSupport

@testable import broadcast

@Suite struct BroadcastOptionsTests {
  private func options(_ line: String) throws -> BroadcastOptions {
    try BroadcastOptions.program.options(line)
  }

  @Test func theDoctorRepairsOnlyOnDemand() throws {
    #expect(try options("doctor").doctor == DoctorOptions())
    let options = try options("doctor --fix --json")
    #expect(options.subcommand == .doctor && options.doctor.fix && options.common.json)
  }

  @Test func aCheckPassesItsOptionsToTheProgram() throws {
    let options = try options("check ./MyExtension --device ipad --ios 15 --setup-info a=b")
    #expect((options.subcommand, options.operands) == (.check, ["./MyExtension"]))
    #expect(options.launch.arguments == ["--device=ipad", "--ios=15", "--setup-info=a=b"])
  }

  @Test func anImportTakesAFolderAndItsOwnOptions() throws {
    let options = try options("import App/Upload --to package --add=A --add B")
    #expect((options.operands, options.importing.to) == (["App/Upload"], "package"))
    #expect(options.importing.additions == ["A", "B"])
    for line in ["import Upload --group=group.a", "--to=package"] {
      #expect(throws: UsageError.self) { try self.options(line) }
    }
  }

  @Test(
    arguments: RejectedCommandLine.table(
      """
      check p --report a --junit a => --junit would overwrite 'a', which --report writes; name another file.
      check p --scenario a --junit a => --junit would overwrite 'a', which --scenario reads; name another file.
      doctor --app a --extension= => --extension expects a path, not ''.
      doctor --extension a => --extension needs --app; add --app with the path of the app.
      doctor --extension-entitlements a => --extension-entitlements needs --app; add --app with the path of the app.
      doctor --app a --fix => --fix is for a container, and cannot be combined with --app.
      doctor --app a --group g => --group is for a container, and cannot be combined with --app.
      """))
  func aWrongCommandLineIsRefusedWithOneSentence(_ refusal: RejectedCommandLine) {
    refusal.expect { try BroadcastOptions.program.request($0) }
  }
}
