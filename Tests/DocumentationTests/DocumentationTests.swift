import TestSupport

@testable import BroadcastExtension
@testable import consumer

/// Tests that the files, names and command lines on the pages exist.
@Suite struct DocumentationTests {
  @Test func everyFileAndFolderThatAPageNamesExists() throws {
    for document in try Document.all() {
      let paths = paths(in: document)
      for path in paths { #expect(exists(path), "\(document.path) names \(path)") }
    }
    #expect(paths(in: try Document("Docs/Internals/Architecture.md")).count > 10)
  }

  /// Types and their members in code marks, on the pages about this package's own code.
  @Test(arguments: [
    "Internals/Architecture", "Internals/FileFormat", "Internals/Reliability", "ReplayKitMapping",
    "WhatGoesWrong",
  ]) func everyNameThatAPageMentionsExists(page: String) throws {
    let code = try Self.namesInTheCode.get()
    let named = try Document("Docs/\(page).md").prose
      .flatMap { $0.matches(of: /`([A-Z]\w*[a-z]\w*)(?:\.(\w+))?(?:\([^`]*\))?`/) }
      .flatMap { [$0.1, $0.2].compactMap { $0 } }
    #expect(named.filter { !code.contains($0) && !["md", "swift", "plist"].contains($0) } == [])
    #expect(!named.isEmpty)
  }

  private static let namesInTheCode = Result {
    let folders = ["Sources", "Tests"].map { Document.package.appending(path: $0) }
    let files = folders.flatMap {
      FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil)?.allObjects ?? []
    }
    return try files.compactMap { $0 as? URL }.filter { ["swift", "c", "h"].contains($0.pathExtension) }
      .reduce(into: Set<Substring>()) { names, file in
        let text = try String(contentsOf: file, encoding: .utf8)
        names.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
      }
  }

  @Test func everyLinkLeadsToAPage() throws {
    var count = 0
    for document in try Document.all() {
      let folder = Document.package.appending(path: document.path).deletingLastPathComponent()
      for link in document.text.matches(of: /\]\(([^)#]+)/) where !link.1.contains("://") {
        let target = folder.appending(path: String(link.1)).path
        #expect(FileManager.default.fileExists(atPath: target), "\(document.path) links to \(link.1)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test func everyCommandLineIsAccepted() throws {
    var commands: [[String]] = []
    // Diagrams contain no commands.
    for block in try Document("README.md").codeBlocks where !block.contains(where: { $0.contains("┌") }) {
      for part in block.flatMap({ $0.split(separator: "|") }) {
        let words = part.split(separator: " ").map(String.init).drop { $0 == "$" }
        guard let program = words.first, ["producer", "consumer"].contains(program) else { continue }
        commands.append(Array(words))
      }
    }
    #expect(commands.count > 3)
    for command in commands {
      let arguments = command.dropFirst().prefix { ![">", "&", "\\", "#"].contains($0) }
      switch command[0] {
      case "producer": _ = try ProducerOptions.parse(Array(arguments))
      default:
        guard case .run(let options) = try ConsumerOptions.parse(Array(arguments)) else { continue }
        _ = try ProducerOptions.parse(options.start.producerArguments)
      }
    }
  }

  /// Returns the paths in code marks: words that name a source file in a folder, or that begin with a folder of the package.
  private func paths(in document: Document) -> Set<String> {
    let words = document.prose.flatMap { line in line.matches(of: /`([^`\s]+)`/).map { String($0.1) } }
    return Set(
      words.compactMap { word in
        let path = word.hasPrefix("./") ? String(word.dropFirst(2)) : word
        let isSource = path.contains(/^\w[\w+]*\/.*\.(swift|c|h|md)$/)
        let isPlace =
          path.contains(/^(Sources|Tests|Docs)(\/|$)/) || path.hasSuffix(".sh")
          || path.contains(
            /^(System|Device|StandIns|Core|Pictures|Reports|Phone|App|Tool|Testing|Programs|Bench)\/\w/)
        return isSource || isPlace ? path : nil
      })
  }

  private func exists(_ path: String) -> Bool {
    ["", "Sources/"].contains { folder in
      FileManager.default.fileExists(atPath: Document.package.appending(path: folder + path).path)
    }
  }
}
