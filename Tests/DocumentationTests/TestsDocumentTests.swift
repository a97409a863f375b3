import Foundation
import TestSupport
import Testing

/// `Docs/Tests.md` lists the test targets of the package, and suites that exist.
@Suite struct TestsDocumentTests {
  private func names(below title: String) throws -> [String] {
    let rows = try Document("Docs/Tests.md").rows.filter { $0.section == "Suites" }.map(\.cells)
    let start = try #require(rows.firstIndex { $0[0] == title })
    return rows[(start + 1)...].prefix { !["target", "suite"].contains($0[0]) }.map { $0[0] }
      .filter { !$0.hasPrefix("-") }
  }

  @Test func theTargetsAreThoseOfThePackage() throws {
    let manifest = try Document("Package.swift").text
    let declared = manifest.matches(of: /\btests\(\s*"(\w+)"/).map { String($0.1) }
    #expect(try names(below: "target").sorted() == declared.sorted())
    #expect(!declared.isEmpty)
  }

  @Test func theSuitesThatRunProgramsAreListed() throws {
    let folder = Document.package.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    let texts = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { (file: $0, text: try String(contentsOf: $0, encoding: .utf8)) }
    let suites = texts.flatMap { file, text in
      file.path.contains("/EndToEndTests/") || text.contains(/\.tags\(\.slow\)/)
        ? text.matches(of: /struct (\w+Tests) \{/).map { String($0.1) } : []
    }
    #expect(try names(below: "suite").sorted() == suites.sorted())
    #expect(!suites.isEmpty)
  }
}
