import TestSupport

@testable import CommandLineSupport

@Suite struct CommonOptionsTests {
  @Test func aCommandLineForAnotherFolderHasAbsolutePaths() {
    let here = FileManager.default.currentDirectoryPath
    let files: [NamedFile] = [
      .reads("--source", "clip.y4m"), .writes("--report", "out/run.html"), .writes("--y4m", "-"),
      .reads("--trace", "/tmp/t"), .reads("--app", nil),
    ]
    let line = [
      "./producer", "--source", "y4m:clip.y4m", "--report=out/run.html", "--y4m", "-", "--trace=/tmp/t",
      "--container", "c", "--at", "3s crash", "--pattern=bars",
    ]
    #expect(
      CommonOptions.absolute(line, files: files) == [
        "\(here)/producer", "--source", "y4m:\(here)/clip.y4m", "--report=\(here)/out/run.html", "--y4m", "-",
        "--trace=/tmp/t", "--container", "\(here)/c", "--at", "3s crash", "--pattern=bars",
      ])
    #expect(
      CommonOptions.absolute(["producer", "--container=c"], files: []) == [
        "producer", "--container=\(here)/c",
      ])
    // An operand is a file wherever it stands, and the value of an option is not.
    #expect(
      CommonOptions.absolute(
        ["broadcast", "check", "--only", "lock", "bin/x", "--app", "bin/x"],
        files: [.reads("check", "bin/x"), .reads("--app", "bin/x"), .reads("--design", nil)])
        == ["broadcast", "check", "--only", "lock", "\(here)/bin/x", "--app", "\(here)/bin/x"])
    #expect(
      CommonOptions.absolute(["broadcast", "check", "producer"], files: [.reads("check", nil)])
        == ["broadcast", "check", "producer"])
    var options = CommonOptions()
    options.container = "c"
    #expect(options.line("producer control") == "producer control --container=\(here)/c")
  }
}
