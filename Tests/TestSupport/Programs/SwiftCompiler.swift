/// The compiler, which checks code of users against the modules that were built with the tests.
package struct SwiftCompiler {
  /// The errors and warnings, each with its file, its line and its text.
  package let messages: [(file: String, line: Int, text: String)]
  /// The whole output.
  package let output: String

  /// Compiles files to a module, for the compiler's errors only. It checks the bodies of functions too (`-wmo`).
  ///
  /// - Parameter folder: receives the module. Modules that are in it already can be imported.
  package init(module: String, _ files: [URL], mode: String, in folder: String) async throws {
    let products = ChildProcess.ownProgram.deletingLastPathComponent()
    let folders = try FileManager.default.contentsOfDirectory(at: products, includingPropertiesForKeys: nil)
    let maps = folders.map { $0.appending(path: "module.modulemap").path }.filter {
      FileManager.default.fileExists(atPath: $0)
    }
    let sources = FileManager.default.enumerator(
      at: Document.package.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let includes = (sources?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent == "include" }
    let options = (maps.map { "-fmodule-map-file=\($0)" } + includes.map { "-I\($0.path)" }).flatMap {
      ["-Xcc", $0]
    }
    let compiler = try await FinishedProgram(
      URL(filePath: "/usr/bin/env"),
      [
        "swiftc", "-wmo", "-emit-module", "-emit-module-path", "\(folder)/\(module).swiftmodule",
        "-module-name",
        module,
        "-enable-testing", "-swift-version", mode, "-diagnostic-style", "llvm", "-I", folder, "-I",
        products.appending(path: "Modules").path,
      ] + options + files.map(\.path), in: folder)
    output = compiler.errors
    messages = output.matches(of: /([^\/\n]+\.swift):(\d+):\d+: (?:error|warning): (.*)/).compactMap {
      match in
      Int(match.2).map { (String(match.1), $0, String(match.3)) }
    }
  }
}
