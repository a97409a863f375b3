import Foundation
import TestSupport
import Testing

/// The examples are listed on the page on a user's extension.
@Suite struct ExamplesTests {
  private let page: Document
  private let extensions: [String]

  init() throws {
    page = try Document("Docs/YourExtension.md")
    let sources = Document.package.appending(path: "Docs/Examples/Sources")
    extensions = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter {
      FileManager.default.fileExists(atPath: sources.appending(path: $0 + "/Info.plist").path)
    }
  }

  @Test func everyExtensionHasTheMainOfAnImport() throws {
    let main = "import BroadcastExtension\n\nBroadcastExtensionMain.run(SampleHandler())\n"
    for name in extensions {
      #expect(try Document("Docs/Examples/Sources/\(name)/main.swift").text == main, "\(name)")
    }
    #expect(!extensions.isEmpty)
  }

  @Test func everyExtensionIsListedAndRun() throws {
    let listed = page.rows.map(\.cells[0]).filter { $0.hasPrefix("Docs/Examples/Sources/") }
    #expect(Set(listed) == Set(extensions.map { "Docs/Examples/Sources/" + $0 }))
    let script = try Document("Docs/Examples/run.sh").text
    for name in extensions {
      let call = try Regex("run [0-9]+ \(name)|programs/\(name)\" --info-plist")
      #expect(script.contains(call), "\(name)")
    }
  }
}
