// swift-tools-version: 6.3
import PackageDescription

// Foundation brings Core Foundation and Darwin on iOS: the first setting imports their names into every file. The others
// give the modules their names.
let asOniOS: [SwiftSetting] = [
  .swiftLanguageMode(.v5),
  .enableUpcomingFeature("BareSlashRegexLiterals"),
  .unsafeFlags([
    "-Xfrontend", "-import-module", "-Xfrontend", "ReplayKit",
    "-module-alias", "Darwin=AppleDarwin", "-module-alias", "CoreFoundation=AppleFoundation",
  ]),
]

let emulator: Target.Dependency = .product(name: "BroadcastExtension", package: "broadcast-emulator")
let testing: Target.Dependency = .product(name: "BroadcastTesting", package: "broadcast-emulator")
let consumer: Target.Dependency = .product(name: "consumer", package: "broadcast-emulator")
let webRTC: Target.Dependency = .product(name: "WebRTC", package: "broadcast-emulator")
let captureApp: Target.Dependency = .product(name: "CaptureApp", package: "broadcast-emulator")
/// The dependency of a build for iOS 27. With it, `canImport(ScreenCaptureKit)` is true.
let ios27: [Target.Dependency] =
  Context.environment["IOS"] == "27"
  ? [.product(name: "ScreenCaptureKit", package: "broadcast-emulator")] : []
let articleClasses: Target.Dependency = .product(name: "ScreenBroadcast", package: "broadcast-emulator")

/// An extension: a handler, its Info.plist, and a `main.swift` of one line.
func broadcastExtension(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name, dependencies: [emulator] + dependencies, exclude: ["Info.plist"], swiftSettings: asOniOS)
}

/// The app's side of an extension.
func app(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(name: name, dependencies: [emulator] + dependencies, swiftSettings: asOniOS)
}

func library(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: [emulator] + dependencies, swiftSettings: asOniOS)
}

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "broadcast-emulator", path: "../..")],
  targets: [
    broadcastExtension("ArticleExtension", uses: [articleClasses]),
    broadcastExtension("SocketExtension", uses: ["ExampleSupport"]),
    app("SocketApp", uses: ["ExampleSupport"]),
    broadcastExtension("JPEGExtension"),
    app("JPEGApp", uses: ["ExampleSupport"]),
    broadcastExtension("DefaultsExtension"),
    app("DefaultsApp", uses: ["ExampleSupport"]),
    broadcastExtension("NotificationExtension", uses: ["ExampleSupport"]),
    app("NotificationApp", uses: ["ExampleSupport"]),
    broadcastExtension("MappedExtension", uses: ["ExampleSupport"]),
    app("MappedApp", uses: ["ExampleSupport"]),
    broadcastExtension("AsynchronousExtension", uses: ["ExampleSupport"]),
    broadcastExtension("EncodedExtension", uses: ["ExampleSupport"]),
    app("EncodedApp", uses: ["ExampleSupport"]),
    broadcastExtension("LoggingExtension"),
    library("ScreenShareSDK", uses: ["ExampleSupport", webRTC]),
    broadcastExtension("SDKExtension", uses: ["ScreenShareSDK"]),
    app("SDKApp", uses: ["ScreenShareSDK", "ExampleSupport", webRTC]),
    // An app that captures the screen itself, with both frameworks.
    app("SharingApp", uses: [captureApp] + ios27),
    // Tests of a handler: in process, and as a program alongside `consumer`.
    .testTarget(
      name: "HandlerTests", dependencies: ["ArticleExtension", "JPEGExtension", testing, consumer],
      swiftSettings: asOniOS),
    // Code that the examples share, and the checks of the apps.
    library("ExampleSupport"),
  ]
)
