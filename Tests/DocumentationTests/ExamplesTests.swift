import TestSupport

@testable import BroadcastExtension
@testable import broadcast

/// Tests that the page about a user's extension lists the examples.
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

  /// The package of a page compiles as printed, and its manifest too.
  @Test func thePackageOfAnAppThatSharesTheScreenCompiles() async throws {
    let folder = TemporaryFolder.ofSuite().url
    var modules: [String: [URL]] = [:]
    for block in try Document("Docs/ScreenCaptureKit.md").codeBlocks {
      guard
        let path = block.prefix(2).last(where: { $0.hasPrefix("// ") && $0.hasSuffix(".swift") })?.dropFirst(
          3)
      else { continue }
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((block.joined(separator: "\n") + "\n").utf8).write(to: file)
      let parts = path.split(separator: "/")
      if parts.count == 3 { modules[String(parts[1]), default: []].append(file) }
    }
    #expect(modules["MyApp"]?.count == 2 && modules["MyAppTests"]?.count == 1)
    for (module, files) in modules.sorted(by: { $0.key < $1.key }) {
      let compiler = try await SwiftCompiler(module: module, files, mode: "6", in: folder.path)
      #expect(compiler.messages.isEmpty && compiler.output.isEmpty, "\(compiler.output.prefix(2000))")
    }
    let manifest = try await FinishedProgram(
      URL(filePath: "/usr/bin/env"), ["swift", "package", "--package-path", folder.path, "dump-package"],
      in: folder.path)
    #expect(manifest.exitCode == 0 && manifest.output.contains("MyAppTests"), "\(manifest.errors)")
  }

  @Test func everyExtensionIsListedAndRun() throws {
    let listed = page.rows.map(\.cells[0]).filter { $0.wholeMatch(of: /\w+Extension/) != nil }
    #expect(Set(listed) == Set(extensions))
    let script = try Document("Docs/Examples/run.sh").text
    for name in extensions {
      let call = try Regex("run [0-9]+ \(name)|programs/\(name)\" --info-plist")
      #expect(script.contains(call), "\(name)")
    }
  }

  /// `Docs/Examples/run.sh` runs the check of the workflow.
  @Test func theStepsOfTheWorkflowAreAccepted() throws {
    let workflow = try Document("Docs/Examples/github-actions.yml").text
    let steps = workflow.matches(of: /(?m)^ +run: (.+)$/).map { String($0.1) }
    let checks = steps.filter { $0.hasPrefix(".build/debug/broadcast check .build/debug/MyExtension ") }
    #expect(checks.count == 1)
    #expect(steps.filter { $0.hasPrefix("swift ") }.count == steps.count - 2)
    for check in checks {
      let arguments = check.split(separator: " ").dropFirst().map(String.init)
      guard case .run(let options) = try BroadcastOptions.program.request(arguments) else {
        Issue.record("'\(check)' shows a text")
        continue
      }
      #expect(options.subcommand == .check)
      #expect(throws: UsageError.self) {
        try BroadcastOptions.program.request(arguments + ["--reports", "check.html"])
      }
    }
    // Each program writes into the folder that is kept.
    #expect(workflow.contains("path: MyExtension/results\n"))
    for step in steps.dropFirst(2) { #expect(step.contains(" results/"), "\(step)") }
  }

  @Test func theDevelopmentContainerIsThatOfTheWorkflow() throws {
    let text = try Document("Docs/Examples/devcontainer.json").text
    let container = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let image = try #require(container?["image"] as? String)
    let workflow = try Document("Docs/Examples/github-actions.yml").text
    #expect(workflow.contains("image: \(image)\n"))
    #expect(
      workflow.contains(
        "options: \(try #require(container?["runArgs"] as? [String]).joined(separator: " "))\n"))
    let install = try #require(container?["onCreateCommand"] as? String)
    #expect(workflow.contains("run: \(install)\n"))
    // The name of the package on Ubuntu, the base of the image.
    #expect(install.contains(" libjpeg-turbo8 ffmpeg") && page.text.contains("`libjpeg-turbo8` on Ubuntu"))
  }

  /// The commands with which the page and the workflow create the package.
  @Test func theImportsOfTheWorkflowAreAccepted() throws {
    let workflow = try Document("Docs/Examples/github-actions.yml").text
    let imports = workflow.matches(of: /(?m)^# +broadcast (import .+)$/).map { String($0.1) }
    #expect(imports.count == 2)
    for line in imports {
      let words = line.split(separator: " ").map(String.init)
      guard case .run = try BroadcastOptions.program.request(words) else {
        Issue.record("'\(line)' shows a text")
        continue
      }
    }
    #expect(
      try Document("Docs/CI.md").text.contains(
        "\n\(imports[0].replacing("import", with: "broadcast import", maxReplacements: 1))\n")
    )
    #expect(workflow.contains("submodules: true\n"))
  }
}
