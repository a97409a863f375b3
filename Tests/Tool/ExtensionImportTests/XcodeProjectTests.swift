import TestSupport

@testable import ExtensionImport

/// Tests the import of a project: its targets, settings and shared code.
@Suite struct XcodeProjectTests: ImportSuite {
  let temporary = TemporaryFolder.ofSuite()
  private var app: URL { folder.appending(path: "App") }

  /// Returns a project file with these objects, as Xcode writes it.
  private func project(_ objects: [String]) -> String {
    "// !$*UTF8*$!\n{ archiveVersion = 1; classes = { }; objectVersion = 77;\nobjects = {\n"
      + objects.joined(separator: "\n") + "\n};\nrootObject = PROJECT /* Project object */; }\n"
  }

  private func configuration(_ owner: String, _ settings: String) -> String {
    """
    \(owner)L = {isa = XCConfigurationList; buildConfigurations = (\(owner)R, \(owner)D); };
    \(owner)R /* Release */ = {isa = XCBuildConfiguration; name = Release; buildSettings = { SWIFT_VERSION = 4.2; }; };
    \(owner)D /* Debug */ = {isa = XCBuildConfiguration; name = Debug; buildSettings = {\(settings)}; };
    """
  }

  private func xcodeTarget(_ id: String, _ name: String, _ type: String, _ values: String) -> String {
    "\(id) = {isa = PBXNativeTarget; name = \"\(name)\"; buildConfigurationList = \(id)L; "
      + "productType = \"com.apple.product-type.\(type)\"; \(values) };"
  }

  /// Returns the objects of Xcode's template with an app, an extension and a framework, in groups or in synchronized
  /// folders.
  private func template(settings: String = "", extra: [String] = [], followed: Bool = false) -> [String] {
    let files =
      followed
      ? [
        "UPLOADG = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (E1); path = Upload; sourceTree = \"<group>\"; };",
        "APPG = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (E2); path = App; sourceTree = \"<group>\"; };",
        "E1 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Info.plist, Old/Unused.swift); target = UPLOAD; };",
        "E2 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Shared/Names.swift); target = UPLOAD; };",
        "MAIN = {isa = PBXGroup; children = (UPLOADG, APPG, KITG); sourceTree = \"<group>\"; };",
      ]
      : [
        "MAIN = {isa = PBXGroup; children = (UPLOADG, APPG, KITG); sourceTree = \"<group>\"; };",
        "UPLOADG = {isa = PBXGroup; children = (F1, F2); path = Upload; sourceTree = \"<group>\"; };",
        "APPG = {isa = PBXGroup; children = (SHARED, F4, F5); path = App; sourceTree = \"<group>\"; };",
        "SHARED = {isa = PBXGroup; children = (F3); name = Common; path = Shared; sourceTree = \"<group>\"; };",
        "F1 = {isa = PBXFileReference; path = SampleHandler.swift; sourceTree = \"<group>\"; };",
        "F2 = {isa = PBXFileReference; path = Support/Heartbeat.swift; sourceTree = \"<group>\"; };",
        "F3 = {isa = PBXFileReference; path = Names.swift; sourceTree = \"<group>\"; };",
        "F4 = {isa = PBXFileReference; path = Receiver.swift; sourceTree = \"<group>\"; };",
        "F5 = {isa = PBXFileReference; path = App/View.swift; sourceTree = SOURCE_ROOT; };",
        "UPLOADP = {isa = PBXSourcesBuildPhase; files = (B1, B2, B3); };",
        "APPP = {isa = PBXSourcesBuildPhase; files = (B3, B4, B5); };",
      ] + (1...5).map { "B\($0) = {isa = PBXBuildFile; fileRef = F\($0); };" }
    return files + [
      "PROJECT = {isa = PBXProject; buildConfigurationList = PROJECTL; mainGroup = MAIN; targets = (APP, UPLOAD, KIT); };",
      configuration("PROJECT", "SWIFT_VERSION = 5.0; TEAM_GROUP = group.com.example.project; \(settings)"),
      xcodeTarget(
        "UPLOAD", "Upload", "app-extension",
        followed ? "fileSystemSynchronizedGroups = (UPLOADG);" : "buildPhases = (UPLOADP);"),
      configuration(
        "UPLOAD",
        "INFOPLIST_FILE = \"$(TARGET_NAME)/Info.plist\"; CODE_SIGN_ENTITLEMENTS = Upload/Upload.entitlements;"
      ),
      xcodeTarget(
        "APP", "My App", "application",
        (followed ? "fileSystemSynchronizedGroups = (APPG);" : "buildPhases = (APPP);")
          + " dependencies = (D);"), configuration("APP", "PRODUCT_NAME = \"$(TARGET_NAME)\";"),
      "D = {isa = PBXTargetDependency; target = UPLOAD; };",
      xcodeTarget("KIT", "Kit", "framework", "buildPhases = (KITP);"),
      configuration("KIT", "PRODUCT_NAME = BroadcastKit;"),
      "KITG = {isa = PBXGroup; children = (F9); path = KitSources; sourceTree = \"<group>\"; };",
      "F9 = {isa = PBXFileReference; path = Kit.swift; sourceTree = \"<group>\"; };",
      "B9 = {isa = PBXBuildFile; fileRef = F9; };", "KITP = {isa = PBXSourcesBuildPhase; files = (B9); };",
    ] + extra
  }

  private func write(_ objects: [String], handler: String = "") throws {
    try write(Dictionary(uniqueKeysWithValues: targetFiles.map { ("Upload/\($0.key)", $0.value) }), in: app)
    try write(
      [
        "Upload/Info.plist": infoPlist.replacing(
          "group.com.example.info", with: "$(TEAM_GROUP)"),
        "Upload/Upload.entitlements":
          "<plist><dict><key>com.apple.security.application-groups</key><array><string>${TEAM_GROUP}</string></array></dict></plist>",
        "Upload/SampleHandler.swift":
          "\(anImport) ReplayKit\n\(anImport) BroadcastKit\n\(handler)class SampleHandler: RPBroadcastSampleHandler {}\n",
        "Upload/Old/Unused.swift": "class SampleHandler {}\n", "App/Shared/Names.swift": "let name = 1\n",
        "App/Receiver.swift":
          "class Receiver { let defaults = UserDefaults(suiteName: name); let kind = Kind() }\n",
        "App/Kind.swift": "struct Kind {}\n",
        "App/View.swift":
          "\(anImport) SwiftUI\nstruct Screen: View {\n  let a = UserDefaults(suiteName: \"\")\n}\n",
        "KitSources/Kit.swift": "public let kit = 1\n", "App.xcodeproj/project.pbxproj": project(objects),
      ], in: app)
  }

  @Test func aBridgingHeaderIsOfAnotherLanguage() throws {
    try write(template(settings: "SWIFT_OBJC_BRIDGING_HEADER = Upload/Names.h;"))
    try write(["Upload/Names.h": ""], in: app)
    let report = try run(app, to: folder.appending(path: "package"))
    #expect(report.contains("missing: 1 file of other languages: Upload/Names.h;"), "\(report)")
  }

  @Test(arguments: [false, true]) func theTargetIsThatOfTheProject(isFollowed: Bool) throws {
    try write(
      template(
        settings:
          "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor; SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY = YES; "
          + "SWIFT_ACTIVE_COMPILATION_CONDITIONS = \"DEBUG $(inherited) TEAM \\\"a\";", followed: isFollowed))
    // The project, its folder, and the folder above give the same package.
    for place in ["App/App.xcodeproj", "App", ""] {
      let package = folder.appending(path: "package-\(UUID())")
      let report = try run(folder.appending(path: place), to: package)
      #expect(report.contains("4 Swift files, 2 linked, 2 copied with changes, from Upload of App.xcodeproj"))
      #expect(report.contains("changed: import BroadcastKit, 1 x: Upload/SampleHandler.swift:2."))
      #expect(report.contains("--info-plist Sources/Upload/Info.plist --group group.com.example.project "))
      #expect(!report.contains("missing"), "\(report)")
      for path in [
        "Upload/SampleHandler+Linux.swift", "Upload/Support/Heartbeat+Linux.swift", "App/Shared/Names.swift",
        "KitSources/Kit.swift", "Info.plist",
      ] { #expect(exists("Sources/Upload/\(path)", in: package), "\(path)") }
      let manifest = try text(package, "Package.swift")
      #expect(
        manifest.contains(".swiftLanguageMode(.v5),\n  .enableUpcomingFeature(\"BareSlashRegexLiterals\")"))
      #expect(
        manifest.contains(
          "asOniOS + [.enableUpcomingFeature(\"MemberImportVisibility\"), .define(\"TEAM\")]"))
      // Here, a class of the main actor cannot override the handler's methods.
      #expect(report.contains("left out: the default isolation to the main actor,"))
      // The Info.plist contains the values of the build settings.
      #expect(
        try text(package, "Sources/Upload/Info.plist").contains("<string>group.com.example.project</string>"))
      // The view is skipped; the receiver comes with the file that it needs.
      #expect(report.contains("app, left out: App/View.swift:3 (values of the app group)"))
      guard isFollowed else { continue }
      #expect(report.contains("app: 3 Swift files, for values of the app group in App/Receiver.swift:1;"))
      #expect(report.contains("\n  APP_SIDE=1 swift build --product My_App\n  .build/debug/My_App"))
      #expect(
        try text(package, "Sources/My_App/main.swift").contains(
          "// App/Receiver.swift:1 has values of the app group\nMainActor.assumeIsolated {\n"))
      // The targets without the variable are those of the handler.
      let parts = manifest.split(separator: "if Context.environment[\"APP_SIDE\"] != nil {")
      #expect(parts.count == 2 && !parts[0].contains("My_App") && parts[1].contains("name: \"My_App\","))
    }
  }

  @Test(arguments: [true, false]) func theTargetOfAProjectYmlIsTaken(hasInfo: Bool) throws {
    try write([])
    try remove("App.xcodeproj", in: app)
    if !hasInfo { try remove("Upload/Info.plist", in: app) }
    try write(
      [
        "project.yml": """
        name: App   # of the test
        settings:
          SWIFT_VERSION: "6.0"
          TEAM_GROUP: 'group.com.example.project'
        targets:
          App:
            type: application
            sources: [App]
            dependencies:
            - target: Upload
              embed: true
          Upload:
            type: app-extension
            sources:
              - path: Upload
                excludes:
                  - Old/Unused.swift
              - App/Shared
            entitlements:
              path: Upload/Upload.entitlements
            info:
              path: Upload/Info.plist
              properties:
                NSExtension:
                  NSExtensionPointIdentifier: com.apple.broadcast-services-upload
            settings:
              base:
                OTHER: |
                  SWIFT_VERSION: 5.0
                  more
                "SWIFT_DEFAULT_ACTOR_ISOLATION": MainActor
              configs:
                Debug:
                  SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY: true
          BroadcastKit:
            type: framework
            sources: KitSources

        """
      ], in: app)
    for place in ["App/project.yml", ""] {
      let package = folder.appending(path: "package-\(UUID())")
      let report = try run(folder.appending(path: place), to: package)
      #expect(report.contains("4 Swift files, 2 linked, 2 copied with changes, from Upload of project.yml."))
      #expect(report.contains("app: 3 Swift files, for values of the app group in App/Receiver.swift:1;"))
      #expect(report.contains("--group group.com.example.project "))
      #expect(report.contains("missing: the target has no Info.plist") == !hasInfo)
      let manifest = try text(package, "Package.swift")
      #expect(manifest.contains(".swiftLanguageMode(.v6),\n  .unsafeFlags"))
      #expect(!report.contains("the default isolation"))
      #expect(
        manifest.contains(
          "[.defaultIsolation(MainActor.self), .enableUpcomingFeature(\"MemberImportVisibility\")]"))
    }
  }

  @Test func oneOfSeveralExtensionsIsChosenByItsName() throws {
    try write(
      template(extra: [
        xcodeTarget("SECOND", "Second", "app-extension", ""),
        configuration("SECOND", "INFOPLIST_FILE = Upload/Info.plist;"),
      ]).map { $0.replacing("(APP, UPLOAD, KIT)", with: "(APP, UPLOAD, SECOND, KIT)") })
    let message = try #require(failure(app)?.message)
    #expect(
      message.missing(
        "has 2 broadcast upload extensions: 'Upload' of ", "'Second' of ",
        "; name one with --target, or the folder")
        == [])
    #expect(
      failure(app, targetName: "Third")?.message.contains(
        "has no broadcast upload extension 'Third'; it has 'Upload' of ") == true)
    #expect(try run(app, targetName: "Upload").contains("4 Swift files"))
  }

  /// A framework without its sources does not run here, and no package has it.
  @Test(arguments: ["Vendor/Missing.xcframework", "Vendor/Other.framework"])
  func aClosedFrameworkIsNotAPackage(path: String) throws {
    try write(
      template(extra: ["F10 = {isa = PBXFileReference; path = \(path); sourceTree = \"<group>\"; };"]),
      handler: "\(anImport) Missing\n")
    let isClosed = path.contains("Missing")
    let report = try run(app)
    #expect(report.contains("a closed framework cannot run here; test the code around it: put ") == isClosed)
    #expect(report.contains("Missing cannot run here; test the code around it: put ") == !isClosed)
  }

  @Test func whatIsNoYAMLHasNoTarget() {
    for text in ["", ":", "- - -", "a: {b: [c", "\"", String(repeating: "- ", count: 9999)] {
      let project = XcodeGenSpec.project(text)
      #expect((project["objects"] as? [String: [String: Any]])?["project"]?["targets"] as? [String] == [])
    }
    #expect(
      XcodeGenSpec.entries("a: don't # no\n\n\"b[c]\": \" #\"\nd:\n- x#y").map { $0.keys.joined() + $0.text }
        == ["adon't", "b[c] #", "d-3x#y"])
  }

  @Test func anExtensionForAnOldSystemIsTakenWithTheReason() throws {
    try write(template())
    let list = app.appending(path: "Upload/Info.plist")
    let text = try String(contentsOf: list, encoding: .utf8).replacing("services-upload", with: "services")
    try text.write(to: list, atomically: true, encoding: .utf8)
    #expect(
      try run(app).contains("missing: Info.plist belongs to an extension for 'com.apple.broadcast-services';")
    )
  }

  @Test func theLanguageModeIsThatOfTheSettings() {
    func settings(_ values: [String: Any]) -> BuildSettings {
      var settings = BuildSettings()
      settings.merge(values)
      return settings
    }
    let approachable: [String: Any] = ["SWIFT_VERSION": "6.0", "SWIFT_APPROACHABLE_CONCURRENCY": "YES"]
    #expect(settings(approachable).languageMode == "v6")
    #expect(
      settings(approachable).swiftSettings == [
        ".enableUpcomingFeature(\"InferIsolatedConformances\")",
        ".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")",
      ])
    // A setting that refers to itself, one that grows, and one with an undefined variable.
    let hostile = settings(
      [
        "A": "$(A)$(A)", "B": "$(C)", "C": "$(B)", "D": String(repeating: "$(D)", count: 200),
        "E": "$(NONE)/${F:lower}",
        "F": "f", "G": ["a", "$(inherited)"], "H[sdk=iphoneos*]": "phone",
      ])
    #expect(hostile["A"] != nil && hostile["B"] != nil && (hostile["D"]?.utf8.count ?? 0) < 1 << 20)
    #expect(hostile["E"] == "$(NONE)/f" && hostile["G"] == "a " && hostile["H"] == "phone")
    var file = BuildSettings()
    file.merge(configuration: "// a comment\n#include \"other\"\nA = 1 // one\n B[sdk=iphoneos*]=$(A)2;\n")
    #expect(file["A"] == "1" && file["B"] == "12")
    file.merge(configuration: "E[arch=arm64][sdk=iphoneos*] = e\nU = http://x\nV=a=b;\t\n1 2 = 3\nW")
    #expect(file["E[arch=arm64]"] == "e" && file["U"] == "http:" && file["V"] == "a=b" && file["W"] == nil)
    let line = "C = x" + String(repeating: "$(inherited)", count: 80) + "\n"
    file.merge(configuration: "C = x\n" + String(repeating: line, count: 6))
    #expect((file["C"]?.utf8.count ?? .max) <= 1024)
  }

  /// Each part took minutes when its time grew with the square of the input.
  @Test func theTimeOfAnImportGrowsWithItsInputOnly() throws {
    let start = processorTime()
    var settings = BuildSettings()
    settings.merge(configuration: "A = " + String(repeating: " ", count: 300_000) + "b")
    #expect(settings["A"] == "b")
    settings.merge(["L": String(repeating: "x", count: 1000), "M": String(repeating: "$(L)", count: 60)])
    let list: [String: Any] = ["keys": (0..<5000).map { "$(M)\($0)" }]
    let texts = try #require(settings.expanded(list)["keys"] as? [String])
    #expect(texts[0].utf8.count == 60_001 && texts.reduce(0) { $0 + $1.utf8.count } < 3 << 20)

    let names = (0..<2000).map { "F\($0)" }
    let frameworks = names.flatMap { name in
      [
        xcodeTarget(name, name, "framework", "fileSystemSynchronizedGroups = (\(name)G);"),
        configuration(name, ""),
        "\(name)G = {isa = PBXFileSystemSynchronizedRootGroup; path = \(name); exceptions = (\(name)E); sourceTree = \"<group>\"; };",
        "\(name)E = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (A.swift); target = \(name); };",
      ]
    }
    let path = String(repeating: "a/", count: 100_000)
    try write(
      template(
        extra: frameworks + [
          "F0X = {isa = PBXFileReference; path = \"\(path)\"; sourceTree = SOURCE_ROOT; };"
        ]
      )
      .map { $0.replacing("targets = (APP, ", with: "targets = (\(names.joined(separator: ", ")), APP, ") })
    try write(
      ["Package.swift": String(repeating: ".target(name: \"G\" x", count: 40_000)], in: app)
    let project = try XcodeProject(app.appending(path: "App.xcodeproj"), in: app)
    let upload = try #require(project.extensions.first)
    let contents = try project.contents(of: upload)
    #expect(contents.modules.count == 2001 && contents.modules["F7"]?[0].leavesOut == ["F7/A.swift"])
    #expect(processorTime() - start < .seconds(180))
  }

  @Test func localPackagesBelongToTheTargetThatImportsThem() throws {
    try write(
      template(extra: [
        "P = {isa = XCLocalSwiftPackageReference; relativePath = Packages/Core; };"
      ]), handler: "\(anImport) Core\n")
    try write(
      [
        "Packages/Core/Package.swift":
          "let package = Package(name: \"Core\", targets: [.target(name: \"Core\", dependencies: [\"Base\"]), .target(name: \"Base\", path: \"Base\"), .target(name: \"Other\")])",
        "Packages/Core/Sources/Core/Core.swift": "\(anImport) Base\n",
        "Packages/Core/Base/Base.swift": "let base = 1\n",
        "Packages/Core/Sources/Other/Other.swift": "let other = 1\n",
      ], in: app)
    let report = try run(app)
    #expect(report.contains("6 Swift files, ") && !report.contains("missing"))
    #expect(try text(package, "Sources/Upload/Packages/Core/Base/Base.swift") == "let base = 1\n")
  }

  @Test func aTargetOfTheNameThatXcodeSuggestsHasThatOfItsAppInFront() throws {
    try write(
      template().map {
        $0.replacing("\"Upload\"", with: "\"BroadcastExtension\"").replacing(
          "$(TARGET_NAME)/", with: "Upload/")
      })
    _ = try run(app)
    #expect(try text(package, "Sources/My_AppBroadcastExtension/main.swift").contains("run(SampleHandler())"))
  }

  /// The build must not need them, because they may not support Linux.
  @Test func remotePackagesOfMissingImportsAreComments() throws {
    func reference(_ id: String, _ products: [String]) -> [String] {
      [
        "\(id) = {isa = XCRemoteSwiftPackageReference; repositoryURL = \"https://example.com/\(id).git\"; "
          + "requirement = {kind = upToNextMajorVersion; minimumVersion = 1.1.4; }; };"
      ]
        + products.map {
          "\($0)P = {isa = XCSwiftPackageProductDependency; package = \(id); productName = \($0); };"
        }
    }
    let extra =
      reference("cards", ["Deck", "Joker"]) + reference("ofApp", ["Views"]) + reference("rtc", ["WebRTC"])
      + ["D2 = {isa = XCSwiftPackageProductDependency; package = cards; productName = Deck; };"]
    try write(
      template(extra: extra).map {
        $0.replacing(
          "buildPhases = (UPLOADP);",
          with: "buildPhases = (UPLOADP); packageProductDependencies = (JokerP, WebRTCP);")
      }, handler: "\(anImport) Deck\n\(anImport) WebRTC\n")
    let report = try run(app)
    #expect(report.contains("\npackage: Deck of https://example.com/cards.git: "))
    #expect(report.matches(of: /package: Deck/).count == 1)
    let manifest = try text(package, "Package.swift")
    #expect(
      manifest.missing(
        ",\n    // .package(url: \"https://example.com/cards.git\", from: \"1.1.4\"),\n  ],\n",
        ",\n        // .product(name: \"Deck\", package: \"cards\"),\n",
        "// .product(name: \"Joker\", package: \"cards\"),\n      ],\n") == [])
    #expect(!manifest.contains("ofApp") && !manifest.contains("rtc.git"))
  }

  @Test(arguments: [
    (["kind": "upToNextMinorVersion", "minimumVersion": "1.0.0"], ".upToNextMinor(from: \"1.0.0\")"),
    (["kind": "exactVersion", "version": "1.0.0"], "exact: \"1.0.0\""),
    (
      ["kind": "versionRange", "minimumVersion": "1.0.0", "maximumVersion": "2.0.0"], "\"1.0.0\"..<\"2.0.0\""
    ),
    (["kind": "branch", "branch": "main"], "branch: \"main\""),
    (["kind": "revision", "revision": "abc"], "revision: \"abc\""),
  ]) func aRemotePackageHasTheVersionsOfTheProject(requirement: [String: String], versions: String) {
    let product = RemoteProduct(name: "A", url: "u", requirement: requirement, isOfTarget: true)
    #expect(product.dependency == ".package(url: \"u\", \(versions))")
  }

  /// A project can refer to files anywhere, and can contain cycles.
  @Test func nothingOutsideOfTheProjectIsRead() throws {
    let outside = folder.appending(path: "outside")
    try write(["Secret.swift": "let secret = 1\n", "Info.plist": infoPlist], in: outside)
    var objects = template(
      extra: [
        "X1 = {isa = PBXFileReference; path = ../outside/Secret.swift; sourceTree = SOURCE_ROOT; };",
        "X2 = {isa = PBXFileReference; path = \"\(outside.path)/Secret.swift\"; sourceTree = \"<absolute>\"; };",
        "X3 = {isa = PBXFileReference; path = Linked.swift; sourceTree = SOURCE_ROOT; };",
        "X4 = {isa = PBXFileReference; path = Gone.swift; sourceTree = SOURCE_ROOT; };",
        "X5 = {isa = PBXFileReference; path = a.swift; sourceTree = \"<group>\"; };",
        "G1 = {isa = PBXGroup; children = (G2, X5); sourceTree = \"<group>\"; };",
        "G2 = {isa = PBXGroup; children = (G1); sourceTree = \"<group>\"; };",
        "X6 = {isa = PBXFileReference; path = Device.swift; sourceTree = SOURCE_ROOT; };",
        "X7 = {isa = PBXFileReference; path = Folder; sourceTree = SOURCE_ROOT; };",
        "XG = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (XE); path = App; sourceTree = SOURCE_ROOT; };",
        "XE = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (../../outside/Secret.swift); target = UPLOAD; };",
        "P = {isa = XCLocalSwiftPackageReference; relativePath = ../outside; };",
      ] + (1...7).map { "C\($0) = {isa = PBXBuildFile; fileRef = X\($0); };" })
    objects = objects.map {
      $0.replacing("files = (B1, B2, B3)", with: "files = (B1, B2, B3, C1, C2, C3, C4, C5, C6, C7, C8)")
    }
    try write(objects)
    for (name, goal) in [
      ("Linked.swift", "../outside/Secret.swift"), ("Device.swift", "/dev/zero"), ("Folder", "../outside"),
    ] { try link(name, to: goal, in: app) }
    let report = try run(app)
    #expect(report.contains("4 Swift files, "))
    for line in ["Secret.swift", "Linked.swift", "Device.swift", "Folder"] {
      #expect(report.contains("\nleft out: \(line): it is outside of \(app.path);"), "\(line)")
    }
    #expect(report.contains("\nleft out: Gone.swift: the project names it, but it does not exist."))
    // The Info.plist of a place outside makes no extension.
    try write(
      [
        "App.xcodeproj/project.pbxproj": project(objects).replacing(
          "$(TARGET_NAME)/Info.plist", with: "../outside/Info.plist")
      ], in: app)
    #expect(
      try run(app.appending(path: "App.xcodeproj")).contains(
        "App.xcodeproj has no target of a broadcast upload extension."))
  }

  @Test(arguments: [
    "", "{", "{ objects = ( a ); rootObject = ( b ); }",
    "{ objects = { PROJECT = { targets = (PROJECT); }; }; rootObject = PROJECT; }",
    "{ objects = { PROJECT = { targets = (T); buildConfigurationList = T; }; T = { buildConfigurations = (T, T); name = (); buildSettings = a; productType = \"com.apple.product-type.app-extension\"; }; }; rootObject = PROJECT; }",
    "{ a = " + String(repeating: "(", count: 200_000),
  ]) func aProjectThatIsNoneIsRefused(text: String) throws {
    try write(["App.xcodeproj/project.pbxproj": text], in: app)
    #expect(failure(app.appending(path: "App.xcodeproj"))?.message.contains("App.xcodeproj") == true)
    #expect(!exists("package", in: folder))
  }

  /// The package is written where the person says, and its files contain only code of the target.
  @Test func namesOfAProjectAreNamesAlone() throws {
    try write(
      template(
        settings: "PRODUCT_MODULE_NAME = \"../../x\\n\\\"y\";",
        followed: true))
    try write(
      ["App/a\nlet injected = 1.swift": "let a = UserDefaults(suiteName: \"\")\n"], in: app)
    let project = try XcodeProject(app.appending(path: "App.xcodeproj"), in: app)
    #expect(try project.contents(of: project.extensions[0]).name == "______x__y")
    _ = try run(app)
    let main = try text(package, "Sources/______x__yApp/main.swift")
    #expect(!main.contains("\nlet injected") && main.contains("let injected"))
  }

  @Test func twoExtensionsAreNamed() throws {
    try write(template())
    try FileManager.default.copyItem(at: app, to: folder.appending(path: "Other"))
    #expect(failure(folder)?.message.contains("'Upload' of \(app.path)/App.xcodeproj, ") == true)
    // The folder of a target is imported alone, whatever is around it.
    #expect(try run(app.appending(path: "Upload")).contains(" from Upload."))
  }
}
