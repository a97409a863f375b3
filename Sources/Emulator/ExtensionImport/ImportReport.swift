import CommandLineSupport
import Foundation

/// What an import did and what is missing, for a person.
struct ImportReport {
  let target: XcodeTarget
  let package: URL
  let kept: [String]

  var text: String {
    ([head] + changes + missing + edits + [next]).joined(separator: "\n")
  }

  private var head: String {
    let copies = target.sources.count { !$0.rewrite.changes.isEmpty }
    let links = target.sources.count - copies
    let keeps = kept.isEmpty ? "" : "\nKept as they are: \(kept.joined(separator: ", "))."
    return
      "\(package.path): \(Self.count(target.sources.count, "Swift file")), \(links) linked, \(copies) copied with "
      + "changes.\(keeps)"
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
    if target.infoPlist == nil {
      lines.append("missing: the folder has no Info.plist of an extension; a short one was written.")
    }
    if target.handlerClass == nil {
      lines.append(
        "missing: no class is a subclass of RPBroadcastSampleHandler; name the handler in main.swift.")
    } else if let name = target.handlerClass, !target.hasHandlerClass {
      lines.append(
        "missing: no file has the class \(name) that the Info.plist names; add its file with --add.")
    }
    return lines
  }

  private var next: String {
    let module = target.module
    let group = target.group.map { " --group \($0)" } ?? ""
    return """
      Next:
        cd \(package.path)
        swift build
        .build/debug/\(module) --info-plist Sources/\(module)/Info.plist\(group) --duration 10
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
