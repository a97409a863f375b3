import CommandLineSupport
import Foundation

/// Takes the folder of a broadcast upload extension's target as it is, and lays down a Swift package that builds here.
///
/// ```swift
/// let report = try ExtensionImport(folder: "App/BroadcastUpload").run(program: program)
/// print(report)
/// ```
package struct ExtensionImport {
  let folder: String
  let destination: String?
  let additions: [String]
  let emulator: String?

  /// - Parameters:
  ///   - destination: the folder of the package; `nil` for one in the current folder, named after `folder`.
  ///   - additions: further files and folders of the target, such as code that it shares with the app.
  ///   - emulator: the folder of the emulator's package, or its URL with a version or a commit; `nil` to find that of `program`.
  package init(
    folder: String, destination: String? = nil, additions: [String] = [], emulator: String? = nil
  ) {
    (self.folder, self.destination) = (folder, destination)
    (self.additions, self.emulator) = (additions, emulator)
  }

  /// Makes the package, and returns the report for a person.
  ///
  /// - Parameter program: the executable that does it, which was built from the emulator's package.
  package func run(program: URL) throws(ProgramFailure) -> String {
    try XcodeTarget.checkIsTarget(folder)
    let emulator: EmulatorPackage =
      if let text = emulator { try EmulatorPackage(text) } else { try EmulatorPackage(ofProgram: program) }
    let modules = KnownModules(
      manifest: try emulator.manifest(program),
      added: Set(additions.map { URL(filePath: $0).lastPathComponent }))
    let target = try XcodeTarget(
      folder: folder, additions: additions, modules: modules)
    let package = URL(filePath: destination ?? target.folder.lastPathComponent + "-package")
      .standardizedFileURL.withoutLinks
    if let root = target.roots.first(where: package.isIn) {
      throw ProgramFailure(
        .usage, "\(package.path) is in \(root.path), which is imported; name another folder with --to.",
        pointsToHelp: false)
    }
    var layout = PackageLayout(target, emulator: emulator, folder: package)
    try layout.write()
    return ImportReport(layout).text
  }
}
