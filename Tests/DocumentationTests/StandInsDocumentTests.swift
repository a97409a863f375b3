import Foundation
import TestSupport
import Testing

/// The page of the stand-ins lists the public names of each framework: all, and no others.
@Suite struct StandInsDocumentTests {
  @Test func thePageListsEveryPublicName() throws {
    let declared = try declaredNames()
    let listed = try listedNames()
    #expect(Set(listed.keys) == Set(declared.keys))
    for (framework, names) in declared {
      let page = listed[framework] ?? []
      #expect(names.subtracting(page).sorted() == [], "missing in the section \(framework)")
      #expect(page.subtracting(names).sorted() == [], "not declared in \(framework)")
    }
    #expect(declared.count > 10)
  }

  /// The words in code marks below each heading of the second level, up to the list of what is missing.
  private func listedNames() throws -> [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    var section = ""
    for line in try Document("Docs/StandIns.md").prose {
      if line == "## What is missing" { break }
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard !section.isEmpty else { continue }
      names[section, default: []].formUnion(line.matches(of: /`([^`]+)`/).map { String($0.1) })
    }
    return names
  }

  /// The public declarations of each framework, with the members of its types; initialisers have no name.
  private func declaredNames() throws -> [String: Set<String>] {
    let frameworks = Document.package.appending(path: "Sources/Frameworks")
    let files = try FileManager.default.subpathsOfDirectory(atPath: frameworks.path)
    var names: [String: Set<String>] = [:]
    // PixelAccess serves the stand-ins and is not one of them.
    for file in files where file.hasSuffix(".swift") && !file.hasPrefix("PixelAccess/") {
      guard let framework = file.split(separator: "/").first else { continue }
      let text = try String(contentsOf: frameworks.appending(path: file), encoding: .utf8)
      let declarations = text.matches(
        of:
          /(?m)^(?:  )?(?:public|open)(?:\([a-z]+\))? (?:[a-z]+(?:\(set\))? )*?(?:class(?! func| var)|struct|enum|protocol|func|let|var|typealias) `?(\w+)`?/
      )
      names[String(framework), default: []].formUnion(declarations.map { String($0.1) })
    }
    return names.filter { !$0.value.isEmpty }
  }
}
