// swift-tools-version: 6.3
import PackageDescription

// A package of your own: for each extension a handler and a `main.swift` of one line.
let emulator = "broadcast-emulator"
let extensionProduct = Target.Dependency.product(name: "BroadcastExtension", package: emulator)
let sharingProduct = Target.Dependency.product(name: "ScreenBroadcast", package: emulator)

// The language mode most handlers are still built in.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v5)]

// The names that come with Foundation on iOS, in every file: see Docs/YourExtension.md.
let asOniOS = settings + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "ReplayKit"])]

let package = Package(
  name: "Examples",
  dependencies: [.package(name: emulator, path: "../..")],
  targets: [
    .executableTarget(
      name: "ArticleExtension", dependencies: [extensionProduct, sharingProduct], exclude: ["Info.plist"],
      swiftSettings: settings),
    .executableTarget(
      name: "SocketExtension", dependencies: [extensionProduct, sharingProduct, "ExampleSupport"],
      exclude: ["Info.plist"], swiftSettings: settings),
    .executableTarget(
      name: "SocketApp", dependencies: [extensionProduct, sharingProduct, "ExampleSupport"],
      swiftSettings: settings),
    .target(name: "ExampleSupport", swiftSettings: settings),
    .executableTarget(
      name: "JPEGExtension", dependencies: [extensionProduct], exclude: ["Info.plist"], swiftSettings: asOniOS
    ),
    .executableTarget(
      name: "JPEGApp", dependencies: [extensionProduct, "ExampleSupport"], swiftSettings: asOniOS),
    .executableTarget(
      name: "DefaultsExtension", dependencies: [extensionProduct], exclude: ["Info.plist"],
      swiftSettings: asOniOS),
    .executableTarget(name: "DefaultsApp", dependencies: [extensionProduct], swiftSettings: asOniOS),
  ]
)
