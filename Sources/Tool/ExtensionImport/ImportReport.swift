import CommandLineSupport
import Foundation

/// The report of an import for the user: its changes, and the missing parts.
struct ImportReport {
  let layout: PackageLayout
  /// The path of `broadcast`.
  let program: String

  private var target: XcodeTarget { layout.target }

  var text: String {
    let isolation =
      target.contents.settings.lacksIsolation
      ? "left out: the default isolation to the main actor, because its classes cannot override methods here that are Objective-C's on iOS."
      : nil
    let first = [head, target.contents.remark, isolation].compactMap(\.self)
    let lines = first + keeps + changes + app + (target.leftOut.map { "left out: \($0)" }) + missing + edits
    // The name of a file may contain line feeds.
    return (lines.map(\.onOneLine) + [next]).joined(separator: "\n")
  }

  private var keeps: [String] {
    layout.kept.isEmpty
      ? []
      : [
        "Kept unchanged: \(layout.kept.joined(separator: ", ")). This import would write them differently; remove a file "
          + "to have it written again."
      ]
  }

  private var head: String {
    let copies = target.sources.count { !$0.rewrite.changes.isEmpty }
    let links = target.sources.count - copies
    return
      "\(layout.folder.path): \(Self.count(target.sources.count, "Swift file")), \(links) linked, \(copies) copied with "
      + "changes, from \(target.contents.origin)."
  }

  /// One line for each kind of change.
  private var changes: [String] {
    let changes = target.sources.flatMap { source in
      source.rewrite.changes.map { (what: $0.what, place: "\(source.place):\($0.line)") }
    }
    return Dictionary(grouping: changes, by: \.what).sorted { $0.key < $1.key }.map {
      "changed: \($0), \($1.count) x: \(Self.list($1.map(\.place)))."
    }
  }

  private var app: [String] {
    guard let app = layout.app else { return [] }
    let uses = app.uses.map { "\($0.use.rawValue) in \($0.place)" }
    let taken =
      "app: \(Self.count(app.sources.count, "Swift file")), for \(uses.joined(separator: ", ")); name in Sources/\(app.module)/main.swift "
      + "what the app's button calls."
    return (uses.isEmpty ? [] : [taken]) + app.leftOut.map { "app, left out: \($0)" }
  }

  private var edits: [String] {
    target.sources.flatMap { source in
      source.rewrite.gaps.map { "to edit: \(source.place):\($0.line): \($0.text)." }
    }
  }

  private var missing: [String] {
    var lines: [String] = []
    for (module, places) in target.missingImports.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "missing: import \(module), \(places.count) x: \(Self.list(places)): "
          + "\(target.modules.advice(for: module, of: target.origin(of: module))).")
    }
    // Skip this if the manifest was kept, because it is not known whether that manifest has the products.
    lines += target.remoteProducts.filter { _ in !layout.kept.contains("Package.swift") }.map {
      "package: \($0.name) of \($0.url): its lines in Package.swift are commented out, because it may not build on Linux; remove the '//' to try it."
    }
    if !target.foreignFiles.isEmpty {
      lines.append(
        "missing: \(Self.count(target.foreignFiles.count, "file")) of other languages: \(Self.list(target.foreignFiles.sorted())); "
          + "rewrite in Swift what the handler needs from them.")
    }
    if !target.resources.isEmpty {
      lines.append(
        "not imported: \(Self.count(target.resources.count, "resource")): \(Self.list(target.resources)).")
    }
    if target.infoPlist == nil, !layout.kept.contains(layout.infoPlistPlace) {
      lines.append("missing: the target has no Info.plist of an extension; a minimal Info.plist was written.")
    }
    if let failure = target.infoFailure {
      lines.append("missing: \(failure.message) The commands run without it.")
    }
    if let group = target.unusableGroup {
      lines.append(
        "missing: \(group.quoted) is not a usable app group id; name the handler's app group with --group, and in the test."
      )
    }
    if target.handler == nil {
      lines.append(
        target.handlerClass.map {
          "missing: no file has the class \($0) that the Info.plist names; add its file with --add."
        } ?? "missing: no class is a subclass of RPBroadcastSampleHandler; name the handler in main.swift.")
    }
    if target.namedClass == nil, target.handler?.isOpen == true, let name = target.handlerClass {
      lines.append(
        "missing: the class \(name) is open, so the handler is probably a subclass; add the subclass's file with --add, or write the subclass in main.swift."
      )
    }
    return lines
  }

  private var next: String {
    let app = layout.appTarget.map {
      """

      The app's side, in another terminal, after the edit of its main.swift:
        \(PackageLayout.appVariable)=1 swift build --product \($0.module.shellWord)
        .build/debug/\($0.module.shellWord)
      """
    }
    let handler = [".build/debug/" + target.module] + layout.options
    func line(_ words: [String]) -> String { words.map(\.shellWord).joined(separator: " ") }
    return """
      Next:
        cd \(layout.folder.path.shellWord)
        swift build
        \(line(handler + ["--duration", "10"]))
        \(line([program, "check"] + handler))
        swift test
      """ + (app ?? "")
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }
}
