import Foundation
import TestSupport
import Testing

/// The examples have the setup of the page on a user's extension, and are listed there.
@Suite struct ExamplesTests {
  private let page: Document
  private let manifest: Document
  private let extensions: [String]

  init() throws {
    page = try Document("Docs/YourExtension.md")
    manifest = try Document("Docs/Examples/Package.swift")
    let sources = Document.package.appending(path: "Docs/Examples/Sources")
    extensions = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter {
      FileManager.default.fileExists(atPath: sources.appending(path: $0 + "/Info.plist").path)
    }
  }

  @Test func theManifestHasTheSettingsOfThePage() throws {
    let block = try #require(page.text.firstMatch(of: /(\/\/ Foundation brings[\s\S]*?\n\]\n)/)?.1)
    #expect(manifest.text.contains(block))
    for setting in [
      #".product(name: "BroadcastExtension", package: "broadcast-emulator")"#,
      #"exclude: ["Info.plist"], swiftSettings: asOniOS)"#,
    ] {
      #expect(page.text.contains(setting))
      #expect(manifest.text.contains(setting))
    }
  }

  @Test func everyExtensionHasTheMainOfThePage() throws {
    let main = "import BroadcastExtension\n\nBroadcastExtensionMain.run(SampleHandler())\n"
    #expect(page.text.contains("```swift\n" + main + "```"))
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
