import CommandLineSupport
import EmulatedSystem
import Foundation

/// What an import did and what is missing, for a person.
struct ImportReport {
  private let layout: PackageLayout
  /// Why the extension cannot be run with its Info.plist.
  private let infoFailure: String?

  init(_ layout: PackageLayout) {
    self.layout = layout
    do throws(ProgramFailure) {
      _ = try ExtensionInfo(path: layout.folder.appending(path: layout.infoPlistPlace).path)
      infoFailure = nil
    } catch {
      infoFailure = error.message
    }
  }

  private var target: XcodeTarget { layout.target }

  var text: String {
    let lines = [head] + keeps + changes + target.leftOut.map { "left out: \($0)" } + missing + edits
    // The name of a file may have line feeds.
    return (lines.map(\.onOneLine) + [next]).joined(separator: "\n")
  }

  private var keeps: [String] {
    layout.kept.isEmpty ? [] : ["Kept as they are: \(layout.kept.joined(separator: ", "))."]
  }

  private var head: String {
    let copies = target.sources.count { !$0.rewrite.changes.isEmpty }
    let links = target.sources.count - copies
    return
      "\(layout.folder.path): \(Self.count(target.sources.count, "Swift file")), \(links) linked, \(copies) copied with "
      + "changes."
  }

  /// One line for each kind of change in a file.
  private var changes: [String] {
    target.sources.flatMap { source in
      Dictionary(grouping: source.rewrite.changes, by: \.what).sorted { $0.key < $1.key }.map {
        what, changes in
        "changed: \(source.place): \(changes.count) x \(what), \(Self.lines(changes.map(\.line)))"
      }
    }
  }

  private var edits: [String] {
    target.sources.flatMap { source in
      source.rewrite.gaps.map { "to edit: \(source.place):\($0.line): \($0.text)." }
    }
  }

  private var missing: [String] {
    var lines: [String] = []
    let imports = target.sources.flatMap { source in
      source.rewrite.imports.filter {
        !$0.isConditional && target.modules.lacks($0.module) && $0.module != target.module
      }
      .map { (module: $0.module, place: "\(source.place):\($0.line)") }
    }
    for (module, places) in Dictionary(grouping: imports, by: \.module).sorted(by: { $0.key < $1.key }) {
      lines.append(
        "missing: import \(module), \(places.count) x, first \(places[0].place): there is no stand-in; "
          + "\(target.modules.advice(for: module)).")
    }
    if !target.foreignFiles.isEmpty {
      lines.append(
        "missing: \(Self.count(target.foreignFiles.count, "file")) of other languages: \(Self.list(target.foreignFiles)); "
          + "write in Swift what the handler needs of them.")
    }
    if !target.resources.isEmpty {
      lines.append(
        "not taken over: \(Self.count(target.resources.count, "resource")): \(Self.list(target.resources)).")
    }
    if target.infoPlist == nil, !layout.kept.contains(layout.infoPlistPlace) {
      lines.append("missing: the folder has no Info.plist of an extension; a short one was written.")
    }
    if let infoFailure {
      lines.append("missing: \(infoFailure) The command below runs without it.")
    }
    if let group = target.unusableGroup {
      lines.append(
        "missing: \(group.quoted) is no app group that exists here; give the handler's own with --group, and to the test."
      )
    }
    if target.handler == nil {
      lines.append(
        target.handlerClass.map {
          "missing: no file has the class \($0) that the Info.plist names; add its file with --add."
        } ?? "missing: no class is a subclass of RPBroadcastSampleHandler; name the handler in main.swift.")
    }
    return lines
  }

  private var next: String {
    var words = [".build/debug/\(target.module)"]
    if infoFailure == nil { words += ["--info-plist", layout.infoPlistPlace] }
    if let group = target.group { words += ["--group", group] }
    return """
      Next:
        cd \(layout.folder.path.shellWord)
        swift build
        \((words + ["--duration", "10"]).map(\.shellWord).joined(separator: " "))
        swift test
      """
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }

  private static func lines(_ numbers: [Int]) -> String {
    let shown = numbers.prefix(8).map(String.init).joined(separator: ", ")
    return (numbers.count == 1 ? "line " : "lines ") + shown + (numbers.count > 8 ? " …" : "")
  }
}
