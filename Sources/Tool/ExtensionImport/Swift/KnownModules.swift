/// The modules that a Swift file of an extension can import here.
struct KnownModules {
  /// The stand-ins of the product BroadcastExtension; `nil` if the manifest was not found. No module counts as missing
  /// then.
  private let standIns: Set<String>?
  /// The targets of the package. SwiftPM rejects two targets with the same name.
  private let targets: Set<String>
  /// Modules of the project whose files become part of the extension's module.
  private let added: Set<String>

  /// Reads the stand-ins from the manifest of the emulator's package.
  init(manifest: String?, added: Set<String> = []) {
    self.added = added
    standIns = manifest?.firstMatch(of: /let standIns = \[([^\]]*)\]/).map { list in
      Set(list.1.matches(of: /"(\w+)"/).map { String($0.1) })
    }
    let declaration = /(?:library|program|programMain|tests|testHelper)\(\s*"(\w+)"|name: "(\w+)"/
    targets = Set((manifest ?? "").matches(of: declaration).compactMap { ($0.1 ?? $0.2).map(String.init) })
  }

  /// Other products of the package, modules of the Swift toolchain, and names that are module aliases.
  private static let others: Set = [
    "WebRTC", "ScreenBroadcast", "BroadcastTesting", "BroadcastExtension",
    "Swift", "Foundation", "FoundationNetworking", "FoundationXML", "Dispatch", "Observation",
    "Synchronization",
    "RegexBuilder", "Distributed", "Testing", "XCTest", "_Concurrency", "Darwin", "CoreFoundation",
  ]

  /// Alternatives for modules that cannot be provided here.
  private static let replacements = [
    "CoreML": "send the pictures to the app, or compute in a program of Linux",
    "Flutter": "its engine does not fit into the memory of an extension: send the pictures to the app",
    "MultipeerConnectivity": "NWConnection to a host and a port", "IOSurface": "a Unix socket",
    "Metal": "CIContext or VTPixelTransferSession", "MetalKit": "CIContext or VTPixelTransferSession",
    "MetalPerformanceShaders": "CIContext or VTPixelTransferSession",
    "ScreenCaptureKit":
      "add the product ScreenCaptureKit to Package.swift, or write the import within #if canImport",
    "SwiftUI": "leave the views out", "WebKit": "leave the views out",
    "CallKit": "the events 'call' and 'lock' of the emulated phone",
  ]

  /// Modules that only views need, with the module here that each of them re-exports.
  private static let reexports = [
    "SwiftUI": "Combine", "MapKit": "UIKit", "AVKit": "AVFoundation", "WebKit": "UIKit", "PhotosUI": "UIKit",
  ]

  /// Modules of iOS that no package provides. Without their imports the compiler reports each use.
  private static let ofIOS = Set(replacements.keys).subtracting(["ScreenCaptureKit"]).union(reexports.keys)
    .union([
      "ARKit", "AppKit", "AssetsLibrary", "Charts", "CommonCrypto", "CoreData", "CoreLocation", "CoreMotion",
      "CoreTelephony", "MachO", "MediaPlayer", "MessageUI", "NaturalLanguage", "PushKit",
      "QuickLook", "RealityKit", "SafariServices", "SceneKit", "Speech", "SpriteKit", "StoreKit",
      "Translation", "WidgetKit", "ActivityKit", "AppIntents", "SwiftData",
    ])

  /// Returns advice about a module without a stand-in.
  ///
  /// - Parameter origin: where the project has the module; `nil` if the project does not say.
  func advice(for module: String, of origin: Origin?) -> String {
    let condition = "put '#if canImport(\(module))' around its use"
    if let other = Self.replacements[module] {
      return "there is no stand-in; use instead: \(other), or \(condition)"
    }
    if Self.ofIOS.contains(module) { return "there is no stand-in; \(condition)" }
    switch origin {
    case .package: return "its package is a comment in Package.swift; try it, or \(condition)"
    case .closedFramework:
      return "a closed framework cannot run here; test the code around it: \(condition)"
    case nil:
      return
        "\(module) cannot run here; test the code around it: \(condition), or give its sources with --add "
        + "\(module)=PATH"
    }
  }

  /// Where a project has a module that it does not contain as sources.
  enum Origin { case package, closedFramework }

  /// Whether no package provides the module, so that code that needs the module cannot be built here.
  func isOnlyOnIOS(_ module: String) -> Bool { lacks(module) && Self.ofIOS.contains(module) }

  /// The module to import in place of a module that only views need.
  func replacement(for module: String) -> String? {
    Self.reexports[module].flatMap { isOnlyOnIOS(module) && has($0) ? $0 : nil }
  }

  /// Whether the names of a module are available without an import.
  func comesWithoutImport(_ module: String) -> Bool { module == "ObjectiveC" || added.contains(module) }

  /// Whether an import must be removed.
  func isSuperfluous(_ module: String) -> Bool {
    comesWithoutImport(module) || isOnlyOnIOS(module)
  }

  /// Whether a module of that name can be imported.
  func has(_ module: String) -> Bool { Self.others.contains(module) || standIns?.contains(module) == true }

  /// Whether a target of a new package cannot have this name.
  func isTaken(_ name: String) -> Bool {
    has(name) || targets.contains(name) || ["producer", "consumer"].contains(name)
      || !name.isSwiftIdentifier
  }

  /// Whether it is certain that a module cannot be imported.
  func lacks(_ module: String) -> Bool { standIns != nil && !has(module) && !comesWithoutImport(module) }
}
