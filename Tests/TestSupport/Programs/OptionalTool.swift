/// A program or library that tests use and that a host may lack: a line of `Tests/tools`.
///
/// ```swift
/// @Test(.needs(.curl)) func curlIsServed() async throws {
///   let curl = try OptionalTool.curl.required()
/// ```
package struct OptionalTool: Sendable {
  package static let ffmpeg = Self("ffmpeg")
  package static let ffprobe = Self("ffprobe")
  package static let libjpeg = Self("libjpeg.so.62")
  package static let python = Self("python3")
  package static let chromium = Self("chromium")
  package static let firefox = Self("firefox")
  package static let node = Self("node")
  package static let spin = Self("spin")
  package static let gcc = Self("gcc")
  package static let curl = Self("curl")
  package static let setpriv = Self("setpriv")
  package static let nsenter = Self("nsenter")
  package static let unshare = Self("unshare")
  package static let ip = Self("ip")
  package static let tc = Self("tc")
  package static let nft = Self("nft")

  private enum Kind: String { case program, library }

  private let kind: Kind
  fileprivate let debianPackage: String
  /// Alternative names. One of them is enough.
  private let names: [String]

  private init(_ name: String) {
    let lines = Self.list.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    guard let line = lines.first(where: { $0.count > 2 && $0[2] == name }), let kind = Kind(rawValue: line[0])
    else { preconditionFailure("Tests/tools has no line for \(name)") }
    (self.kind, debianPackage, names) = (kind, line[1], Array(line[2...]))
  }

  private static let list: String = {
    let file = Document.package.appending(path: "Tests/tools")
    do { return try String(contentsOf: file, encoding: .utf8) } catch { preconditionFailure("\(error)") }
  }()

  /// The path of the program; `nil` if it is not installed, and for a library.
  package var program: URL? { kind == .program ? names.lazy.flatMap(Self.programs).first : nil }

  package var isInstalled: Bool {
    guard kind == .library else { return program != nil }
    // UNSAFE: the call copies the name, and the loaded library stays loaded.
    return names.contains { unsafe dlopen($0, RTLD_NOW | RTLD_LOCAL) != nil }
  }

  /// Returns the path of the program. Cancels the test if it is not installed.
  package func required() throws -> URL {
    guard let program else { try Test.cancel(Comment(rawValue: [self].advice(joinedBy: "", ""))) }
    return program
  }

  fileprivate var name: String { kind == .library ? names[0].components(separatedBy: ".so")[0] : names[0] }

  private static func programs(_ name: String) -> [URL] {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(filePath: "\($0)/\(name)") }
      .filter { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

extension [OptionalTool] {
  fileprivate func advice(joinedBy word: String, _ separator: String) -> String {
    var packages: [String] = []
    for tool in self where !packages.contains(tool.debianPackage) { packages.append(tool.debianPackage) }
    let names = map(\.name).joined(separator: word)
    return "install \(names): apt-get install \(packages.joined(separator: separator))"
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test if one of the tools is not installed.
  package static func needs(_ tools: OptionalTool...) -> Self {
    .enabled(if: tools.allSatisfy(\.isInstalled), Comment(rawValue: tools.advice(joinedBy: " and ", " ")))
  }
}
