import TestSupport

/// Tests the files that `#embed` puts into the programs.
@Suite struct EmbeddedFileTests {
  /// The folders of the targets whose `files.c` lists what they embed.
  static let folders: [URL] = {
    let sources = Document.package.appending(path: "Sources")
    let entries = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    return (entries?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.lastPathComponent == "files.c" }.map { $0.deletingLastPathComponent() }
  }()

  @Test(arguments: folders) func everyFileIsInTheListOfItsTarget(folder: URL) throws {
    let list = try String(contentsOf: folder.appending(path: "files.c"), encoding: .utf8)
    let listed = list.matches(of: /#define FILE_NAME "(.+)"/).map { String($0.1) }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(
      listed.sorted() == files.filter { !["c", "h", ""].contains(URL(filePath: $0).pathExtension) }.sorted())
  }

  @Test func linesForBrowsersHaveAtMost120Columns() throws {
    let page = Document.package.appending(path: "Sources/App/CPageFiles")
    let files = try FileManager.default.subpathsOfDirectory(atPath: page.path)
      .filter { ["js", "css", "html"].contains(URL(filePath: $0).pathExtension) }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: page.appending(path: file), encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        #expect(line.count <= 120, "\(file):\(index + 1)")
      }
    }
  }
}
