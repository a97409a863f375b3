import TestSupport

/// Tests that `Package.swift` declares the dependencies of the sources.
@Suite struct PackageTests {
  @Test func theStandInsDependOnTheSystemLayerAtMost() throws {
    let targets = try targets()
    let standIns = targets.filter { $0.path.hasPrefix("Sources/StandIns/") }
    let below = Set(standIns.map(\.name) + ["EmulatedDevice", "Platform", "CPlatform"])
    for target in standIns {
      #expect(target.dependencies.isSubset(of: below), "\(target.name) depends on a layer above the system")
    }
    #expect(below.contains("WebRTC") && below.contains("PixelAccess"))
  }

  @Test func thePageOfTheStandInsHasAllOfThem() throws {
    let page = try Document("Sources/StandIns/README.md").text
    for target in try targets() where target.path.hasPrefix("Sources/StandIns/") {
      #expect(page.contains("`\(target.name)`"), "\(target.name) is not in the table")
    }
  }

  @Test func importsPointDownTheTableOfFolders() throws {
    let rows = try Document("Docs/Internals/Architecture.md").rows.filter { $0.section == "Folders" }
      .dropFirst().map { $0.cells[0].split(separator: ", ").map { "Sources/\($0)" } }
    let targets = try targets().filter { $0.path.hasPrefix("Sources/") }
    let places = Dictionary(
      uniqueKeysWithValues: targets.map { target in
        (target.name, rows.firstIndex { $0.contains { (target.path + "/").hasPrefix($0 + "/") } })
      })
    for target in targets {
      let place = try #require(places[target.name] ?? nil, "\(target.path) is in no row")
      for other in target.dependencies.compactMap({ places[$0] ?? nil }) {
        #expect(other >= place, "\(target.name) imports from a row above its own")
      }
    }
    #expect(targets.count > 40)
  }

  /// Whether an undeclared import compiles depends on the order of the build. A dependency that no file imports must be a program
  /// that the tests launch, or a module of code that the tests compile.
  @Test func everyTargetDeclaresWhatItImports() throws {
    let targets = try targets()
    let names = Set(targets.map(\.name))
    for target in targets {
      // A C target has no imports.
      guard let imports = try imports(below: target.path) else { continue }
      let imported = imports.intersection(names).subtracting([target.name])
      #expect(
        imported.subtracting(target.dependencies).isEmpty, "\(target.name) does not declare all imports")
      guard !["UnavailableNamesTests", "DocumentationTests"].contains(target.name) else { continue }
      let unused = target.dependencies.subtracting(imported)
      #expect(
        unused.isSubset(of: [
          "producer", "consumer", "capturer", "broadcast", "ProbeExtension", "ProbeApp", "RightHandlers",
        ]), "\(target.name) declares too much")
    }
    #expect(targets.count > 40)
  }

  /// An app that embeds the article's classes builds only these modules.
  @Test func theArticlesClassesNeedNoOtherModules() throws {
    #expect(
      try modules(below: "ScreenBroadcast") == [
        "SharedMemory", "Platform", "CPlatform", "ReplayKitCore", "CoreMedia", "PixelAccess", "CPixels",
        "CoreVideo", "AppleFoundation", "EmulatedDevice",
      ])
  }

  /// A test bundle that links only the article's classes keeps the C library's functions, except those that answer for the
  /// device (`uname`, and the names of semaphores, shared memory and files) and those with which libdispatch waits for files:
  /// libdispatch itself crashes when sockets end.
  @Test func onlyTheEmulatedPhoneTakesTheCLibrarysFunctions() throws {
    #expect(try modules(below: "EmulatedSystem").contains("CPhone"))
    let functions =
      /(?m)^(int|ssize_t) (connect|uname|writev?|send|sendto|sendmsg|open|mkdir|rename|shm_open|epoll_ctl|epoll_wait)\(/
    let replacing = try sources(endingIn: ".c").filter {
      try Document("Sources/\($0)").text.contains(functions)
    }
    let expected = [
      "Phone/CPhone/connect_hook.c", "Phone/CPhone/write_hook.c", "System/CPlatform/file_hook.c",
      "System/CPlatform/hang_up.c", "System/CPlatform/uname.c",
    ]
    #expect(replacing.sorted() == expected)
  }

  /// A closure in a `Mutex` is wrapped once more at each access; a ``Callback`` is not.
  @Test func noMutexHoldsAFunctionAlone() throws {
    let files = sources(endingIn: ".swift")
    let found = try files.filter {
      try Document("Sources/\($0)").text.contains(/Mutex<\(?@Sendable|Mutex<\(.*->/)
    }
    #expect(found == [] && files.count > 500)
  }

  /// Returns the files below `Sources` with a suffix.
  private func sources(endingIn suffix: String) -> [String] {
    let entries = FileManager.default.enumerator(atPath: Document.package.appending(path: "Sources").path)
    return (entries?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }
  }

  private func modules(below name: String) throws -> Set<String> {
    let uses = Dictionary(try targets().map { ($0.name, $0.dependencies) }) { first, _ in first }
    func all(_ name: String) -> Set<String> {
      (uses[name] ?? []).reduce(into: [name]) { $0.formUnion(all($1)) }
    }
    return all(name).subtracting([name])
  }

  private struct Target {
    let name: String
    /// Relative to the package's folder.
    let path: String
    let dependencies: Set<String>
  }

  private func targets() throws -> [Target] {
    let manifest = try Document("Package.swift").text
    let byFunction =
      /(library|programMain|program|tests|testHelper)\(\s*"(\w+)"(?:,\s*in: "([\w\/]+)")?(?:,\s*uses:\s*\[([^\]]*)\])?[,\s)]/
    let inFull = /name: "(\w+)",(?:\s*dependencies: \[((?s:.*?))\],)?\s*path: "([^"]+)"/
    let declared =
      manifest.matches(of: byFunction).map { target in
        let top = target.1.hasPrefix("test") ? "Tests" : "Sources"
        let folders = [top, target.3.map(String.init), String(target.2)].compactMap { $0 }
        return (String(target.2), folders.joined(separator: "/"), target.4)
      } + manifest.matches(of: inFull).map { (String($0.1), String($0.3), $0.2) }
    let names = Set(declared.map(\.0))
    return declared.map { name, path, list in
      let quoted = (list ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
      return Target(name: name, path: path, dependencies: names.intersection(quoted))
    }
  }

  /// Returns the modules that the Swift files of a folder import; `nil` if it has no such file.
  private func imports(below path: String) throws -> Set<String>? {
    let folder = Document.package.appending(path: path)
    let entries =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    let files = entries.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    guard !files.isEmpty else { return nil }
    return try files.reduce(into: []) { modules, file in
      let text = try String(contentsOf: file, encoding: .utf8)
      let imported = text.matches(
        of: /(?m)^ *(?:@\w+ |package |public )*import (?:(?:struct|class|func|enum) )?(\w+)/)
      // Packages of apps import the stand-in under this name.
      modules.formUnion(imported.map { $0.1 == "Darwin" ? "AppleDarwin" : String($0.1) })
    }
  }
}
