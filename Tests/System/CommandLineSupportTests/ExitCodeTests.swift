import TestSupport

@Suite struct ExitCodeTests {
  @Test(arguments: [
    (EACCES, ExitCode.notPermitted), (EPERM, .notPermitted), (ELOOP, .notPermitted),
    (ENOSPC, .cannotCreate), (EDQUOT, .cannotCreate), (EEXIST, .cannotCreate), (ENOTDIR, .cannotCreate),
    (EROFS, .cannotCreate), (ENAMETOOLONG, .cannotCreate), (EIO, .inputOutput), (ENOENT, .inputOutput),
  ])
  func anErrorOfTheFileSystemHasItsExitCode(_ number: Int32, _ code: ExitCode) {
    #expect(ExitCode(errno: number) == code)
    #expect(ProgramFailure(errno: number, "no").exitCode == code)
  }

  @Test func aFailureIsReportedAfterTheProgramsName() {
    #expect(ProgramFailure(.inputOutput, "No.").report(from: "producer") == "producer: No.")
  }

  @Test func aUsageErrorRefersToTheHelp() {
    let failure = ProgramFailure(UsageError("No."))
    #expect(failure.exitCode == .usage)
    #expect(failure.report(from: "consumer") == "consumer: No.\nRun 'consumer --help' for the options.")
  }
}
