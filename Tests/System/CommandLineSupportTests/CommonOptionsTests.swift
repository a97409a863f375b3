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
    var options = CommonOptions()
    options.container = "c"
    #expect(options.line("producer control") == "producer control --container=\(here)/c")
  }
}
