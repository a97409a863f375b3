import CommandLineSupport
import EmbeddedFiles
import EmulatedSystem
import Foundation
import Platform

/// Creates a Swift package for the target: links to its files and copies of them, and the other files that a package needs.
///
/// It only creates new files. It first removes the links and copies of an earlier import, and keeps everything else.
struct PackageLayout {
  let target: XcodeTarget
  /// The app's side; `nil` if there is no project.
  let app: AppSide?
  let emulator: EmulatorPackage
  /// The folder of the package. Its path contains no symbolic links.
  let folder: URL
  /// The files that existed with a different content. They belong to the person, and are kept.
  private(set) var kept: [String] = []
  /// The files and folders that were created, in order.
  private var made: [String] = []

  /// The mark in files of an import.
  static let mark = "// Made by 'broadcast import'"
  private static let headOfCopies = mark + " of the file below"
  /// The file that lists the links and copies of the last import.
  private static let listName = ".producer-import"

  private enum Content {
    /// The destination of the link.
    case link(String)
    case text(String)
  }

  init(_ target: XcodeTarget, app: AppSide?, emulator: EmulatorPackage, folder: URL) {
    self.target = target
    self.app = app
    self.emulator = emulator
    self.folder = folder
  }

  private var sources: String { "Sources/\(target.module)" }
  var tests: String { "\(target.module)Tests" }
  /// The place of the Info.plist in the package.
  var infoPlistPlace: String { "\(sources)/Info.plist" }

  mutating func write() throws(ProgramFailure) {
    let isUpdate = try isEarlierPackage()
    let taken = try takenFiles()
    // Write the list first, so that the next import finds the files of this one even if it fails.
    let files: [(place: String, content: Content)] =
      [(Self.listName, .text(Self.list(of: taken)))] + taken
      + (try infoPlist().map { [(infoPlistPlace, .text($0))] } ?? []) + [
        ("Package.swift", .text(manifest)), ("\(sources)/main.swift", .text(main)),
        ("Tests/\(tests)/\(tests).swift", .text(test)), ("github-actions.yml", .text(workflow)),
      ]
      + (appTarget.map { [("Sources/\($0.module)/main.swift", .text(main(of: $0)))] } ?? [])
      + (target.socketName == nil
        ? [] : [("Tests/\(tests)/AppSocket.swift", .text(Self.template(EmbeddedFiles.own["AppSocket.txt"])))])
    do throws(ProgramFailure) {
      for file in files { try makeFolders(of: folder.appending(path: file.place)) }
      for file in files where try FileStatus.at(folder.appending(path: file.place))?.kind == .folder {
        throw ProgramFailure(
          .cannotCreate,
          "\(folder.path)/\(file.place) is a folder where the package has a file; rename it, or leave it out."
        )
      }
      // All rejections come before this line, so a rejected import leaves an earlier one unchanged.
      try removeEarlierImport()
      for file in files { try put(file.place, file.content) }
    } catch {
      // Half of a new package is useless, and would be in the way of the next import.
      if !isUpdate { removeWhatWasMade() }
      throw error
    }
  }

  /// The app's side, if at least one of its files is used.
  var appTarget: AppSide? { app.flatMap { $0.sources.isEmpty ? nil : $0 } }

  /// Returns the sources and the Info.plist, with their places in the package.
  private func takenFiles() throws(ProgramFailure) -> [(place: String, content: Content)] {
    let files =
      try taken(target.sources, in: sources)
      + (try appTarget.map { app throws(ProgramFailure) in try taken(app.sources, in: "Sources/\(app.module)")
      } ?? [])
    guard let list = target.infoPlist, !target.hasOwnInfo else { return files }
    return files + [(infoPlistPlace, link(from: infoPlistPlace, to: list))]
  }

  private func taken(_ list: [XcodeTarget.Source], in folder: String) throws(ProgramFailure)
    -> [(place: String, content: Content)]
  {
    var (originals, names) = ([String: URL](), Set<String>())
    return try list.map { source throws(ProgramFailure) in
      // A copy gets another name than the original. Its directive tells the compiler the original's name.
      let isCopy = !source.rewrite.changes.isEmpty
      var place = isCopy ? "\(source.place.dropLast(".swift".count))+Linux.swift" : source.place
      // Files of two modules may have the same name, which SwiftPM does not allow in one target.
      if !names.insert(URL(filePath: place).lastPathComponent).inserted {
        place = place.replacing("/", with: "+")
      }
      if let other = originals.updateValue(source.file, forKey: place) {
        throw ProgramFailure(
          .usage,
          "\(other.path) and \(source.file.path) both become \(place) in the package; rename one of them, or leave it out.",
          pointsToHelp: false)
      }
      let whole = "\(folder)/\(place)"
      return (place: whole, content: isCopy ? .text(Self.copy(source)) : link(from: whole, to: source.file))
    }
  }

  /// Returns a link that stays valid when the target and the package are moved together.
  private func link(from place: String, to original: URL) -> Content {
    let goal = original.deletingLastPathComponent().withoutLinks.appending(path: original.lastPathComponent)
    return .link(
      EmulatorPackage.path(to: goal, from: folder.appending(path: place).deletingLastPathComponent()))
  }

  /// Returns the rewritten text. The compiler reports its errors at the lines of the original.
  private static func copy(_ source: XcodeTarget.Source) -> String {
    "\(headOfCopies): edit the original, and import again.\n"
      + "#sourceLocation(file: \(source.file.path.swiftLiteral), line: 1)\n" + source.rewrite.text
  }

  // MARK: Files

  /// Whether the folder has a package of an earlier import. Throws if it has another content.
  private func isEarlierPackage() throws(ProgramFailure) -> Bool {
    guard let kind = try FileStatus.at(folder)?.kind else { return false }
    let failure = ProgramFailure(
      .cannotCreate,
      "\(folder.path) exists and is not a package of an earlier import; name another folder with --to.")
    guard kind == .folder else { throw failure }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw ProgramFailure(.inputOutput, "\(folder.path) cannot be listed: \(error.reasonText).")
    }
    guard !names.isEmpty else { return false }
    guard try folder.appending(path: "Package.swift").plainText()?.contains(Self.mark) == true else {
      throw failure
    }
    return true
  }

  /// Returns a line for each file: its place, and the destination of a link. Names with a tab or a line feed are not found
  /// again.
  private static func list(of files: [(place: String, content: Content)]) -> String {
    files.map { file in
      if case .link(let goal) = file.content { "\(file.place)\t\(goal)\n" } else { "\(file.place)\n" }
    }.joined()
  }

  /// Removes the links and copies of an earlier import, whose originals may be gone. A link with another destination
  /// belongs to the person.
  private func removeEarlierImport() throws(ProgramFailure) {
    let listFile = folder.appending(path: Self.listName)
    guard let list = try listFile.plainText(limit: 64 << 20) else { return }
    for line in list.split(separator: "\n") {
      let words = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      let file = folder.appending(path: words[0])
      // A folder that has become a link leads out of the package.
      let parent = file.deletingLastPathComponent()
      guard parent.withoutLinks.path == parent.path else { continue }
      // `nil` for a copy, and for a link that vanishes in the meantime.
      let goal = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)
      switch try FileStatus.at(file)?.kind {
      case .symbolicLink where words.count == 2 && goal == String(words[1]): break
      case .plainFile where try file.plainText()?.hasPrefix(Self.headOfCopies) == true: break
      default: continue
      }
      do throws(FileError) { try System.remove(file.path) } catch { throw ProgramFailure(error) }
    }
    do throws(FileError) { try System.remove(listFile.path) } catch { throw ProgramFailure(error) }
  }

  /// Creates a new file or link at a place of the package, and keeps an existing file.
  private mutating func put(_ place: String, _ content: Content) throws(ProgramFailure) {
    let file = folder.appending(path: place)
    guard try FileStatus.at(file) == nil else {
      if case .text(let text) = content, try file.plainText(limit: text.utf8.count + 1) == text { return }
      return kept.append(place)
    }
    do {
      switch content {
      case .link(let goal):
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: goal)
        made.append(file.path)
      case .text(let text):
        let descriptor = try System.open(file.path, System.createNew, mode: 0o666)
        made.append(file.path)
        try System.write(Array(text.utf8), to: descriptor)
      }
    } catch {
      throw ProgramFailure(.cannotCreate, "\(file.path) cannot be created: \(error.reasonText).")
    }
  }

  /// Creates the missing folders on the path of a file. A link among them would lead out of the package.
  private mutating func makeFolders(of file: URL) throws(ProgramFailure) {
    var path = ""
    for name in file.deletingLastPathComponent().pathComponents.dropFirst() {
      path += "/\(name)"
      let folder = URL(filePath: path)
      switch try FileStatus.at(folder)?.kind {
      case .folder: continue
      case nil: break
      default:
        throw ProgramFailure(
          .cannotCreate,
          "\(path) is a link or a file where the package has a folder; remove it, or name another package with --to."
        )
      }
      do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) } catch {
        throw ProgramFailure(.cannotCreate, "\(path) cannot be created: \(error.reasonText).")
      }
      made.append(path)
    }
  }

  private func removeWhatWasMade() {
    for path in made.reversed() {
      // The error of the import is more useful than an error about a file that stays.
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
