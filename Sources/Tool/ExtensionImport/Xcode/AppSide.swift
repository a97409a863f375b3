import Foundation

/// The app's side of a broadcast: the app's files that communicate with the extension or capture the screen, and the other
/// files that these need. Views are excluded.
struct AppSide {
  let module: String
  private(set) var sources: [XcodeTarget.Source] = []
  /// The uses, each with the place of its first occurrence.
  private(set) var uses: [(use: SwiftUse, place: String)] = []
  /// The files that cannot be used, each with the reason in a sentence.
  private(set) var leftOut: [String] = []
  /// The settings of the app's target.
  let settings: BuildSettings

  /// Selects files of an app's target.
  init(_ app: XcodeTarget, of target: XcodeTarget) {
    module = app.module == target.module ? app.module + "App" : app.module
    settings = app.contents.settings
    let shared = Set(target.sources.map(\.file))
    var owners: [String: XcodeTarget.Source] = [:]
    for source in app.sources { for type in source.rewrite.types { owners[type] = source } }
    var taken: Set<URL> = []
    for source in app.sources where !shared.contains(source.file) {
      let met = source.rewrite.uses.filter { SwiftUse.ofApp.contains($0.key) }.sorted { $0.value < $1.value }
      guard let first = met.first else { continue }
      // Include all files that the extension shares, because only types are found by name, not functions and values.
      var open = [source] + app.sources.filter { shared.contains($0.file) }
      var files = Dictionary(uniqueKeysWithValues: open.map { ($0.file, $0) })
      while let next = open.popLast() {
        for owner in next.rewrite.words.compactMap({ owners[$0] })
        where files.updateValue(owner, forKey: owner.file) == nil {
          open.append(owner)
        }
      }
      if let (file, reason) = files.values.lazy.compactMap({ file in
        Self.obstacle(in: file, app.modules).map { (file, $0) }
      })
      .min(by: { $0.0.place < $1.0.place }) {
        let name = file.file == source.file ? "it" : "it needs \(file.place), which"
        leftOut.append("\(source.place):\(first.value) (\(first.key.rawValue)): \(name) \(reason).")
      } else {
        uses += met.map { ($0.key, "\(source.place):\($0.value)") }
        sources += files.values.filter { taken.insert($0.file).inserted }
      }
    }
    sources.sort { $0.place < $1.place }
  }

  /// Types of UIKit that do not draw the screen.
  private static let plainTypes: Set = ["UIKit", "UIImage", "UIDevice", "UIScreen"]

  /// Returns the reason why a file cannot be built; `nil` if its words show no obstacle.
  private static func obstacle(in source: XcodeTarget.Source, _ modules: KnownModules) -> String? {
    let words = source.rewrite.words
    // A use within a view is cut out with the view.
    let isPlain =
      source.rewrite.hasNoViews
      && source.rewrite.uses.keys.allSatisfy { SwiftUse.words[$0]?.isDisjoint(with: words) == false }
    if let missing = source.rewrite.imports.first(where: {
      !$0.isConditional && modules.lacks($0.module) && $0.module != "ScreenCaptureKit"
        && (!isPlain || modules.replacement(for: $0.module) == nil)
    }) {
      return "imports \(missing.module)"
    }
    return source.rewrite.words.sorted().first { word in
      word.hasPrefix("UI") && word.dropFirst(2).first?.isUppercase == true && !word.hasPrefix("UIGraphics")
        && !plainTypes.contains(word)
    }.map { "uses \($0)" }
  }

  func has(_ uses: Set<SwiftUse>) -> Bool { self.uses.contains { uses.contains($0.use) } }
}
