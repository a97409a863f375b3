import CommandLineSupport
import EmbeddedFiles
import EmulatedSystem
import Foundation

/// The texts of the files that a package has in addition to the files of the target.
extension PackageLayout {
  /// The environment variable that adds the app's side to the package.
  static let appVariable = "APP_SIDE"

  var manifest: String {
    let (dependency, name) = emulator.dependency(from: folder)
    func product(_ product: String) -> String {
      ".product(name: \"\(product)\", package: \(name.swiftLiteral))"
    }
    let modules = Set((target.sources + (app?.sources ?? [])).flatMap(\.rewrite.imports).map(\.module))
    let products = ["BroadcastExtension"] + ["ScreenBroadcast", "WebRTC"].filter(modules.contains)
    let ofCapture = appTarget?.has(SwiftUse.ofCapture) == true ? ["CaptureApp"] : []
    let ofStream = appTarget?.has([.stream]) == true ? ["ScreenCaptureKit"] : []
    // It is not known whether such a package builds on Linux. A package that does not would stop the whole build.
    func list(_ items: [String], without remotes: [String], _ indent: String) -> String {
      let comments = Set(remotes).sorted().map { "\n\(indent)  // \($0)," }.joined()
      return "[\(items.joined(separator: ", "))" + (comments.isEmpty ? "" : ",\(comments)\n\(indent)") + "]"
    }
    let remotes = target.remoteProducts
    func settings(_ settings: BuildSettings) -> String {
      let list = settings.swiftSettings
      return list.isEmpty ? "asOniOS" : "asOniOS + [\(list.joined(separator: ", "))]"
    }
    let appDeclaration =
      appTarget.map { app in
        """

        // An error in the app's side does not stop the build and the tests of the handler.
        if Context.environment["\(Self.appVariable)"] != nil {
          package.targets.append(
            .executableTarget(
              name: "\(app.module)",
              dependencies: [\((products + ofCapture + ofStream).map(product).joined(separator: ", "))],
              swiftSettings: \(settings(app.settings))))
        }

        """
      } ?? ""
    let mode = target.contents.settings.languageMode
    // Xcode enables this by its own setting, and Swift 6 has it anyway.
    let regex = mode == "v6" ? "" : "\n  .enableUpcomingFeature(\"BareSlashRegexLiterals\"),"
    return """
      // swift-tools-version: 6.3
      \(Self.mark). A second import keeps this file.
      import PackageDescription

      // Foundation brings Core Foundation and Darwin on iOS: the first setting imports their names into every file. The others
      // give the modules their names.
      let asOniOS: [SwiftSetting] = [
        .swiftLanguageMode(.\(mode)),\(regex)
        .unsafeFlags([
          "-Xfrontend", "-import-module", "-Xfrontend", "ReplayKit",
          "-module-alias", "Darwin=AppleDarwin", "-module-alias", "CoreFoundation=AppleFoundation",
        ]),
      ]

      let package = Package(
        name: "\(target.module)",
        dependencies: \(list([dependency], without: remotes.map(\.dependency), "  ")),
        targets: [
          .executableTarget(
            name: "\(target.module)",
            dependencies: \(list(products.map(product), without: remotes.map(\.product), "      ")),
            exclude: ["Info.plist"], swiftSettings: \(settings(target.contents.settings))),
          .testTarget(
            name: "\(tests)",
            dependencies: ["\(target.module)", \(product("BroadcastTesting"))],
            swiftSettings: asOniOS),
        ]
      )

      """ + appDeclaration
  }

  private var handler: String { "\(target.handlerClass ?? "SampleHandler")()" }

  var main: String {
    let argument =
      target.nameInInfoPlist.map { "[PrincipalClass(\(handler), objectiveCName: \($0.swiftLiteral))]" }
      ?? handler
    return "import BroadcastExtension\n\nBroadcastExtensionMain.run(\(argument))\n"
  }

  /// Objects of an app belong to the main actor, but in Swift 5 top-level code does not.
  private static let mainLoop = "MainActor.assumeIsolated {\n  RunLoop.main.run()\n}"

  /// Returns the `main.swift` of the app's side. The user must add the call that starts the app, because the import cannot find
  /// it in the code.
  func main(of app: AppSide) -> String {
    let uses = app.uses.map { "// \($0.place.onOneLine) has \($0.use.rawValue)\n" }.joined()
    let call = app.has(SwiftUse.ofCapture) ? "CaptureAppMain.run {}" : Self.mainLoop
    return "import \(app.has(SwiftUse.ofCapture) ? "CaptureApp" : "Foundation")\n\n"
      + "// The app's side: call within the braces what the app's button calls.\n\(uses)\(call)\n"
  }

  /// The options of the program in each command.
  var options: [String] {
    (target.infoFailure == nil ? ["--info-plist", infoPlistPlace] : [])
      + (target.group.map { ["--group", $0] } ?? [])
  }

  static func template(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The workflow of the examples for this package, with the libraries that its code needs.
  var workflow: String {
    let uses = Set((target.sources + (app?.sources ?? [])).flatMap(\.rewrite.uses.keys))
    let libraries = SwiftUse.libraries.filter { uses.contains($0.key) }.map(\.value)
    let name = folder.lastPathComponent
    let package = name.wholeMatch(of: /[\w.-]+/) == nil ? target.module : name
    let text = Self.template(EmbeddedFiles.own["github-actions.yml"])
      .replacing(/--info-plist Sources\/MyExtension\/Info\.plist|(?:debug\/)?MyExtension/) { match in
        switch match.0 {
        case "MyExtension": package
        case "debug/MyExtension": "debug/\(target.module)"
        default: options.joined(separator: " ")
        }
      }
    guard libraries.isEmpty else {
      return text.replacing("libjpeg-turbo8 ffmpeg", with: libraries.joined(separator: " "))
    }
    return text.replacing(/\ +- name: Install[^\n]*\n[^\n]*\n/, with: "")
  }

  var test: String {
    let group = target.group.map { ", group: \($0.swiftLiteral)" } ?? ""
    // The socket is the template's. Data that a handler sends from its own thread arrives in real time.
    let (app, reception, bytes) =
      target.socketName.map { name in
        (
          """

            let app = try AppSocket(path: broadcast.containerFolder + \("/\(name)".swiftLiteral))
            try await app.start()
          """,
          """

              for _ in 0..<60 where app.byteCount.load(ordering: .relaxed) == 0 {
                try await broadcast.run(for: .milliseconds(500))
              }
          """,
          """

            #expect(app.byteCount.load(ordering: .relaxed) > 0)
          """
        )
      } ?? ("", "", "")
    return "import BroadcastTesting\nimport Testing\n\n@testable import \(target.module)\n\n" + """
      /// A second of a small screen, on a virtual clock. Docs/Testing.md of the emulator has more.
      @Test(.broadcastTimeline) func theHandlerTakesFramesAndEnds() async throws {
        let broadcast = TestBroadcast(of: \(handler)\(group))\(app)
        do {
          try await broadcast.start()
          try await broadcast.run(for: .seconds(1))\(reception)
          try await broadcast.perform("stop")
        } catch let failure as TestBroadcast.Failure {
          // A handler that needs its app ends the broadcast by itself; start the app's side of the connection first.
          switch failure.reason {
          case .handlerRefused, .eventRefused: try Test.cancel("\\(failure)")
          default: throw failure
          }
        }\(bytes)
        let end = try await broadcast.finished(within: .seconds(10))
        #expect(end.misuses == 0)
      }

      """
  }

  /// Returns the text of the package's own Info.plist; `nil` if it links to the target's.
  func infoPlist() throws(ProgramFailure) -> String? {
    if target.infoPlist != nil, !target.hasOwnInfo { return nil }
    let short: [String: Any] = [
      "NSExtension": [
        "NSExtensionPointIdentifier": ExtensionInfo.extensionPoint,
        "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).\(target.handlerClass ?? "SampleHandler")",
        "RPBroadcastProcessMode": ExtensionInfo.processMode,
      ]
    ]
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: target.hasOwnInfo ? target.info : short, format: .xml, options: 0)
      return String(decoding: data, as: UTF8.self)
    } catch {
      throw ProgramFailure(.inputOutput, "\(infoPlistPlace) cannot be created: \(error.reasonText).")
    }
  }
}
