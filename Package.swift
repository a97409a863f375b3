// swift-tools-version: 6.3
import PackageDescription

#if os(macOS)
  #error(
    "This package builds on Linux. On a Mac, ./run-demo.sh runs it in a container, and Docs/Recipes.md has the command for a shell."
  )
#endif

/// The settings of every Swift target: one language mode, one set of checks.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Whether this is the build of the fuzzer, which `Tests/Fuzzing/fuzz` asks for.
let isFuzzing = Context.environment["BROADCAST_FUZZING"] != nil

/// The folder of a target in `folder`, which is below `Sources` or `Tests`; without one the target lies there itself.
func path(_ top: String, _ folder: String?, _ name: String) -> String {
  [top, folder, name].compactMap { $0 }.joined(separator: "/")
}

func library(
  _ name: String, in folder: String? = nil, uses dependencies: [String] = [],
  with settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path("Sources", folder, name),
    swiftSettings: swiftSettings + settings)
}

/// Files for `#embed`, of which SwiftPM needs to know nothing.
func files(_ name: String, in folder: String, folders: [String]) -> Target {
  .target(
    name: name, dependencies: ["CEmbeddedFiles"], path: path("Sources", folder, name), exclude: folders)
}

/// For targets with loops over pixels, which a debug build would run more than ten times too slowly for a screen.
/// SwiftPM accepts the flag in packages that others depend on by version, too.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The name `Darwin` for the module of that stand-in.
let darwin = SwiftSetting.unsafeFlags(["-module-alias", "Darwin=AppleDarwin"])

func program(_ name: String, in folder: String? = nil, uses dependencies: [String]) -> Target {
  let dependencies = dependencies.map(Target.Dependency.init(stringLiteral:))
  let path = path("Sources", folder, name)
  // A program cannot be linked into another one, as the fuzzer needs it: there it is a library.
  return isFuzzing
    ? .target(
      name: name, dependencies: dependencies, path: path, exclude: ["main.swift"],
      swiftSettings: swiftSettings)
    : .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

/// A program with nothing but `main.swift` of its own, which the fuzzer does not need.
func programMain(_ name: String, in folder: String? = nil, uses dependencies: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path("Sources", folder, name),
    swiftSettings: swiftSettings)
}

func tests(
  _ name: String, in folder: String? = nil, uses dependencies: [String], leavesOut excluded: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path("Tests", folder, name),
    exclude: excluded, swiftSettings: swiftSettings)
}

/// A target that the tests share.
func testHelper(_ name: String, in folder: String? = nil, uses dependencies: [String]) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path("Tests", folder, name),
    swiftSettings: swiftSettings)
}

// System calls, files, folders, processes and time: the lowest layer.
let system: [Target] = [
  .target(name: "CPlatform", path: "Sources/Core/CPlatform"),
  library("Platform", in: "Core", uses: ["CPlatform"]),
  tests("PlatformTests", in: "Core", uses: ["Platform", "SharedMemory", "TestSupport"]),
]

// Stand-ins for Apple's and WebRTC's frameworks, under their names; and the access to pixels below them.
let frameworks: [Target] = [
  library("EmulatedDevice", in: "Emulator", uses: ["Platform"]),
  library("AppleFoundation", in: "StandIns", uses: ["EmulatedDevice", "Platform"]),
  library("AppleDarwin", in: "StandIns", uses: ["AppleFoundation"]),
  library("CoreVideo", in: "StandIns", uses: ["AppleFoundation"]),
  library("PixelAccess", in: "Pixels", uses: ["CoreVideo", "CPixels"], with: optimized),
  .target(name: "CPixels", path: "Sources/Pixels/CPixels"),
  library("CoreMedia", in: "StandIns", uses: ["EmulatedDevice", "CoreVideo", "Platform"]),
  library(
    "CoreGraphics", in: "StandIns",
    uses: ["AppleFoundation", "CoreVideo", "PixelAccess", "CPixels", "_Testing_CoreGraphics"]),
  library("ImageIO", in: "StandIns", uses: ["CoreGraphics", "CoreVideo", "PixelAccess", "CJPEG"]),
  library(
    "CoreImage", in: "StandIns",
    uses: ["ImageIO", "CoreVideo", "PixelAccess", "_Testing_CoreImage"], with: optimized),
  .target(name: "CJPEG", dependencies: ["CPixels"], path: "Sources/StandIns/CJPEG"),
  library("QuartzCore", in: "StandIns", uses: ["EmulatedDevice", "CoreGraphics", "Platform"]),
  library("AudioToolbox", in: "StandIns", uses: ["CoreMedia"]),
  library("CoreAudio", in: "StandIns", uses: ["AudioToolbox"]),
  library(
    "AVFoundation", in: "StandIns",
    uses: [
      "AudioToolbox", "CoreImage", "CoreMedia", "EmulatedDevice", "QuartzCore", "VideoToolbox", "PixelAccess",
      "Platform", "CoreVideo",
    ]),
  library(
    "UIKit", in: "StandIns",
    uses: [
      "EmulatedDevice", "Combine", "CoreImage", "Platform", "QuartzCore", "UniformTypeIdentifiers",
      "_Testing_UIKit",
    ]),
  library(
    "VideoToolbox", in: "StandIns",
    uses: ["EmulatedDevice", "CoreImage", "CoreMedia", "PixelAccess", "Platform"]),
  library("Accelerate", in: "StandIns"),
  library("AVFAudio", in: "StandIns", uses: ["AVFoundation"]),
  library("Network", in: "StandIns", uses: ["AppleFoundation", "Combine", "EmulatedDevice"]),
  library("Photos", in: "StandIns", uses: ["AppleFoundation", "EmulatedDevice"]),
  library("UserNotifications", in: "StandIns", uses: ["EmulatedDevice"]),
  library("UniformTypeIdentifiers", in: "StandIns"),
  library("Vision", in: "StandIns", uses: ["CoreImage", "CoreMedia"]),
  library("CryptoKit", in: "StandIns", with: optimized),
  library("Security", in: "StandIns", uses: ["AppleFoundation"]),
  library("os", in: "StandIns", uses: ["Platform"]),
  library("OSLog", in: "StandIns", uses: ["os", "COSLog"]),
  .target(name: "COSLog", path: "Sources/StandIns/COSLog"),
  library("Combine", in: "StandIns"),
  // What an extension's handler needs of ReplayKit, without UIKit and AVFoundation.
  library("ReplayKitCore", in: "StandIns", uses: ["CoreMedia", "PixelAccess"]),
  library(
    "ReplayKit", in: "StandIns",
    uses: ["ReplayKitCore", "Combine", "UIKit", "AVFoundation", "EmulatedDevice", "Security"]),
  // The emulated phone uses the first one; the second has the name that decides what `canImport` finds.
  library(
    "ScreenCapture", in: "StandIns", uses: ["EmulatedDevice", "UIKit", "AVFoundation", "Combine", "Platform"]),
  library("ScreenCaptureKit", in: "StandIns", uses: ["ScreenCapture"]),
  library("WebRTC", in: "StandIns", uses: ["CoreMedia", "PixelAccess"], with: optimized),
  library("_Testing_CoreGraphics", in: "StandIns"),
  library("_Testing_CoreImage", in: "StandIns"),
  library("_Testing_UIKit", in: "StandIns"),
  tests("AppleFoundationTests", in: "StandIns", uses: ["AppleFoundation", "Platform", "TestSupport"]),
  tests(
    "CoreImageTests", in: "StandIns",
    uses: ["CoreImage", "UIKit", "VideoToolbox", "PixelAccess", "TestSupport"]),
  tests(
    "VideoToolboxTests", in: "StandIns",
    uses: ["EmulatedDevice", "VideoToolbox", "PixelAccess", "Platform", "TestSupport"]),
  tests(
    "AVFoundationTests", in: "StandIns",
    uses: ["AVFoundation", "VideoToolbox", "PixelAccess", "Platform", "TestSupport"]),
  tests("NetworkTests", in: "StandIns", uses: ["Network", "Platform", "TestSupport"]),
  tests(
    "SmallFrameworksTests", in: "StandIns",
    uses: [
      "EmulatedDevice",
      "Photos", "UserNotifications", "UniformTypeIdentifiers", "AVFAudio", "UIKit", "VideoToolbox",
      "PixelAccess",
      "Platform",
      "ScreenBroadcast", "PhoneLink", "TestSupport", "AVFoundation", "Network",
    ]),
  tests("OSLogTests", in: "StandIns", uses: ["OSLog", "os"]),
  // Code of apps, in the language mode that most of them have and in the newest one, which has one file of the first by a link.
  .testTarget(
    name: "SwiftFiveTests",
    dependencies: [
      "ReplayKit", "UIKit", "AppleDarwin", "AVFoundation", "VideoToolbox", "Vision", "CryptoKit", "Security",
      "os",
    ],
    path: "Tests/StandIns/SwiftFiveTests", swiftSettings: [.swiftLanguageMode(.v5), darwin]),
  .testTarget(
    name: "SwiftSixTests", dependencies: ["AppleDarwin"], path: "Tests/StandIns/SwiftSixTests",
    swiftSettings: [.swiftLanguageMode(.v6), darwin]),
  tests("CombineTests", in: "StandIns", uses: ["Combine", "TestSupport"]),
  tests("CoreVideoTests", in: "StandIns", uses: ["CoreVideo", "PixelAccess"]),
  tests("PixelAccessTests", in: "Pixels", uses: ["PixelAccess", "CoreVideo", "TestSupport"]),
  tests("CoreMediaTests", in: "StandIns", uses: ["CoreMedia"]),
  tests("ScreenCaptureKitTests", in: "StandIns", uses: ["ScreenCaptureKit"]),
  tests("ReplayKitTests", in: "StandIns", uses: ["ReplayKit", "TestSupport"]),
  tests("WebRTCTests", in: "StandIns", uses: ["WebRTC", "PixelAccess", "TestSupport"]),
]

// What the two processes share: the article's classes, and the memory below them.
let broadcast: [Target] = [
  library("SharedMemory", in: "Core", uses: ["Platform", "CPlatform"]),
  library(
    "ScreenBroadcast", in: "Core",
    uses: [
      "EmulatedDevice", "SharedMemory", "PixelAccess", "Platform", "ReplayKitCore", "CoreMedia", "CoreVideo",
    ]),
  tests(
    "SharedMemoryTests", in: "Core", uses: ["SharedMemory", "Platform", "TestSupport"],
    leavesOut: ["Model/memory.pml", "Model/frames.pml", "Model/audio.pml"]),
  tests(
    "ScreenBroadcastTests", in: "Core",
    uses: [
      "ScreenBroadcast", "SharedMemory", "PixelAccess", "Platform", "ReplayKit", "CoreVideo", "TestSupport",
    ]),
]

// Pictures and audio: what the emulated phone shows and plays, and the files they travel in.
let media: [Target] = [
  library("TestPatterns", in: "Media", uses: ["PixelAccess", "CoreVideo", "Platform"], with: optimized),
  library("PictureFormats", in: "Media", uses: ["PixelAccess", "CoreVideo", "Platform"], with: optimized),
  tests(
    "TestPatternsTests", in: "Media",
    uses: ["TestPatterns", "PixelAccess", "CoreVideo", "Platform", "TestSupport"]),
  tests(
    "PictureFormatsTests", in: "Media",
    uses: ["PictureFormats", "PixelAccess", "Platform", "TestSupport", "CoreVideo"]),
]

// The phone: what iOS does around the two processes.
let emulator: [Target] = [
  // Only what has the emulated phone takes the place of the C library's `connect` and `uname`.
  .target(name: "CPhone", dependencies: ["CPlatform"], path: "Sources/Emulator/CPhone"),
  library("Causes", in: "Emulator", uses: ["CommandLineSupport", "Platform"]),
  tests("CausesTests", in: "Emulator", uses: ["Causes", "CommandLineSupport", "Platform"]),
  library(
    "PhoneLink", in: "Emulator",
    uses: ["Causes", "ScreenBroadcast", "Platform", "CPlatform"]),
  library(
    "EmulatedSystem", in: "Emulator",
    uses: [
      "EmulatedDevice",
      "PhoneLink", "ScreenBroadcast", "TestPatterns", "PictureFormats",
      "RunReports", "CommandLineSupport", "SharedMemory", "PixelAccess", "Platform", "CPlatform", "CPhone",
      "ReplayKitCore", "CoreMedia", "CoreVideo", "Causes",
    ]),
  // An app that captures its own screen, with the phone around it.
  library(
    "EmulatedCapture", in: "Emulator",
    uses: [
      "EmulatedSystem", "EmulatedDevice", "ScreenBroadcast", "TestPatterns", "PictureFormats", "RunReports",
      "CommandLineSupport", "PixelAccess", "Platform", "ReplayKit", "UIKit", "ScreenCapture", "CoreMedia",
      "CoreVideo",
    ]),
  .target(
    name: "BroadcastCheck",
    dependencies: [
      "EmulatedDevice",
      "EmulatedSystem", "PhoneLink", "ScreenBroadcast", "Programs", "RunReports", "CommandLineSupport",
      "Platform", "Causes", "ImageIO", "TestPatterns", "CScenarioFiles", "EmbeddedFiles",
    ],
    path: "Sources/Emulator/BroadcastCheck",
    swiftSettings: swiftSettings),
  // The templates are links to files of the examples.
  .target(
    name: "ExtensionImport",
    dependencies: ["EmulatedSystem", "CommandLineSupport", "Platform", "CTemplateFiles", "EmbeddedFiles"],
    path: "Sources/Emulator/ExtensionImport",
    swiftSettings: swiftSettings),
  library(
    "BroadcastExtension", in: "Emulator",
    uses: [
      "EmulatedDevice",
      "EmulatedSystem", "PhoneLink", "ScreenBroadcast", "SharedMemory", "RunReports", "CommandLineSupport",
      "Platform", "AppleFoundation", "ReplayKitCore", "CoreMedia", "os", "Causes",
    ]),
  .target(
    name: "CaptureApp",
    dependencies: [
      "BroadcastCheck", "EmulatedCapture", "EmulatedDevice", "EmulatedSystem", "Programs", "RunReports",
      "CommandLineSupport", "Platform", "ReplayKit", "ScreenCapture", "CCaptureScenarioFiles", "EmbeddedFiles",
    ],
    path: "Sources/Emulator/CaptureApp",
    swiftSettings: swiftSettings),
  library(
    "VirtualDevice", in: "Emulator",
    uses: [
      "EmulatedDevice",
      "EmulatedSystem", "EmulatedCapture", "ContainingApp", "CapturingApp", "ScreenBroadcast", "ScreenCapture",
      "RunReports", "CommandLineSupport", "Platform", "ReplayKit", "WebRTC",
    ]),
  library(
    "BroadcastTesting", in: "Emulator",
    uses: [
      "EmulatedDevice",
      "VirtualDevice", "BroadcastExtension", "EmulatedSystem", "EmulatedCapture", "ContainingApp",
      "ScreenCapture",
      "ScreenBroadcast", "PictureFormats",
      "PixelAccess",
      "Programs", "CommandLineSupport", "Platform", "ReplayKit", "WebRTC",
    ]),
  tests("EmulatedDeviceTests", in: "Emulator", uses: ["EmulatedDevice", "Platform", "TestSupport"]),
  tests(
    "PhoneLinkTests", in: "Emulator",
    uses: ["PhoneLink", "ScreenBroadcast", "CommandLineSupport", "Platform", "TestSupport", "Causes"]),
  tests(
    "EmulatedSystemTests", in: "Emulator",
    uses: [
      "CPhone", "EmulatedDevice",
      "EmulatedSystem", "PhoneLink", "ScreenBroadcast", "SharedMemory", "TestPatterns",
      "PictureFormats", "PixelAccess", "Platform", "RunReports", "CommandLineSupport",
      "TestSupport",
      "ReplayKit", "ScreenCapture", "UIKit", "CoreMedia", "CoreVideo", "Causes", "AVFoundation",
    ]),
  tests(
    "ExtensionImportTests", in: "Emulator",
    uses: ["ExtensionImport", "Programs", "CommandLineSupport", "TestSupport"]),
  tests(
    "BroadcastExtensionTests", in: "Emulator",
    uses: [
      "EmulatedDevice",
      "BroadcastExtension", "EmulatedSystem", "Platform", "TestPatterns", "CommandLineSupport",
      "TestSupport", "ReplayKit",
    ]),
  tests(
    "BroadcastCheckTests", in: "Emulator",
    uses: [
      "BroadcastCheck", "CaptureApp", "EmulatedSystem", "Programs", "CommandLineSupport", "Platform",
      "TestSupport", "Causes", "TestPatterns", "CoreVideo",
    ]),
  tests(
    "BroadcastTestingTests", in: "Emulator",
    uses: [
      "BroadcastTesting", "VirtualDevice", "EmulatedSystem", "Programs", "ScreenBroadcast", "ScreenCapture",
      "QuartzCore", "ReplayKit",
      "TestSupport",
      "producer", "consumer", "ProbeExtension", "AVFoundation", "EmulatedDevice", "Network",
    ]),
  // An app that shares the screen, with faults to be found.
  .executableTarget(
    name: "ProbeApp", dependencies: ["CaptureApp", "ReplayKit", "ScreenCaptureKit"],
    path: "Tests/Emulator/ProbeApp", swiftSettings: swiftSettings),
  // An extension with handlers that have a fault each, for the end-to-end suite.
  .executableTarget(
    name: "ProbeExtension",
    dependencies: [
      "BroadcastExtension", "ScreenBroadcast", "PhoneLink", "Platform", "ReplayKit", "QuartzCore", "os",
      "CoreImage", "VideoToolbox", "AVFoundation",
    ],
    path: "Tests/Emulator/ProbeExtension", swiftSettings: swiftSettings),
  // An extension with right handlers in the shapes that teams write, in the language mode that most of them have, and their app.
  .executableTarget(
    name: "RightHandlers",
    dependencies: [
      "BroadcastExtension", "ReplayKit", "UIKit", "AVFoundation", "VideoToolbox", "CoreImage", "Network",
      "Combine", "AppleDarwin",
    ],
    path: "Tests/Emulator/RightHandlers", swiftSettings: [.swiftLanguageMode(.v5), darwin]),
]

// The containing app, and what examines its container.
let app: [Target] = [
  library("HTTPServer", in: "App", uses: ["Platform"]),
  tests("HTTPServerTests", in: "App", uses: ["HTTPServer", "Platform", "TestSupport"]),
  library(
    "ContainingApp", in: "App",
    uses: [
      "EmulatedDevice",
      "PhoneLink", "ScreenBroadcast", "TestPatterns", "PictureFormats",
      "RunReports", "CommandLineSupport", "SharedMemory", "PixelAccess", "Platform", "WebRTC", "ReplayKitCore",
      "CoreVideo", "Causes",
    ]),
  // The same for an app that captures its own screen.
  library(
    "CapturingApp", in: "App",
    uses: [
      "ContainingApp", "EmulatedDevice", "ScreenBroadcast", "SharedMemory", "TestPatterns", "RunReports",
      "CommandLineSupport", "PixelAccess", "Platform", "WebRTC", "ReplayKit", "UIKit", "ScreenCapture",
      "CoreVideo",
    ]),
  .target(
    name: "LivePage",
    dependencies: [
      "ContainingApp", "HTTPServer", "ScreenBroadcast", "PictureFormats", "CommandLineSupport",
      "PixelAccess", "Platform", "WebRTC", "ReplayKitCore", "CoreVideo", "CPageFiles", "EmbeddedFiles",
    ], path: "Sources/App/LivePage",
    swiftSettings: swiftSettings),
  library(
    "ContainerDoctor", in: "App",
    uses: [
      "PhoneLink", "ScreenBroadcast", "SharedMemory", "Platform", "RunReports", "CommandLineSupport",
      "Causes",
    ]),
  tests(
    "ContainingAppTests", in: "App",
    uses: [
      "ContainingApp", "ContainerDoctor", "PhoneLink", "ScreenBroadcast", "SharedMemory",
      "TestPatterns",
      "PictureFormats", "PixelAccess", "Platform", "RunReports", "CommandLineSupport",
      "TestSupport",
      "ReplayKit", "WebRTC", "CoreVideo", "EmulatedDevice", "Causes",
    ]),
  tests(
    "LivePageTests", in: "App",
    uses: [
      "LivePage", "ContainingApp", "HTTPServer", "PictureFormats", "TestPatterns", "CommandLineSupport",
      "PixelAccess", "Platform", "TestSupport", "WebRTC", "CoreVideo", "ReplayKit",
    ]),
  tests(
    "ContainerDoctorTests", in: "App",
    uses: [
      "ContainerDoctor", "PhoneLink", "ScreenBroadcast", "SharedMemory", "Platform", "CommandLineSupport",
      "TestSupport",
    ]),
  tests(
    "ConsumerTests", in: "App",
    uses: [
      "consumer", "EmulatedSystem", "ContainingApp", "ScreenBroadcast", "TestPatterns", "CommandLineSupport",
      "ReplayKit", "Platform", "TestSupport",
    ]),
]

// Files that programs carry: the page, scenarios, templates.
let embedded: [Target] = [
  .target(name: "CEmbeddedFiles", path: "Sources/EmbeddedFiles/CEmbeddedFiles"),
  library("EmbeddedFiles", in: "EmbeddedFiles", uses: ["CEmbeddedFiles"]),
  files("CPageFiles", in: "App", folders: ["Page", "Call"]),
  files("CScenarioFiles", in: "Emulator", folders: ["Scenarios"]),
  files("CCaptureScenarioFiles", in: "Emulator", folders: ["Scenarios"]),
  files("CTemplateFiles", in: "Emulator", folders: ["Templates"]),
]

let commandLine: [Target] = [
  library("CommandLineSupport", uses: ["Platform"]),
  library("RunReports", in: "Reports", uses: ["CommandLineSupport", "Platform", "Causes"]),
  library("Programs", uses: ["CommandLineSupport", "TestPatterns", "Platform"]),
  tests("CommandLineSupportTests", uses: ["CommandLineSupport", "Platform", "TestSupport"]),
  tests(
    "RunReportsTests", in: "Reports",
    uses: ["RunReports", "Causes", "CommandLineSupport", "Platform", "TestSupport"]),
]

let programs: [Target] = [
  programMain("producer", uses: ["BroadcastExtension", "ScreenBroadcast"]),
  program(
    "consumer",
    uses: [
      "EmulatedDevice",
      "LivePage", "ContainingApp", "EmulatedSystem", "PhoneLink", "TestPatterns", "ScreenBroadcast",
      "SharedMemory", "Platform", "RunReports", "CommandLineSupport",
    ]),
  // What looks at the two from outside.
  program(
    "broadcast",
    uses: [
      "BroadcastCheck", "ExtensionImport", "ContainerDoctor", "EmulatedDevice", "EmulatedSystem",
      "ScreenBroadcast", "Programs", "RunReports", "CommandLineSupport", "Platform",
    ]),
  // Both programs of the demo in one call: swift build --target Demo.
  library("Demo", uses: isFuzzing ? [] : ["producer", "consumer"]),
]

// The transport measured beside what the machine allows; and the proof that nothing breaks it.
let tools: [Target] = [
  library("ToolSupport", in: "Tools", uses: ["Programs", "CommandLineSupport", "Platform"]),
  program(
    "benchmark", in: "Tools",
    uses: [
      "ToolSupport", "Programs", "ScreenBroadcast", "SharedMemory", "TestPatterns", "PixelAccess",
      "Platform", "CPlatform", "CommandLineSupport", "CBenchmark", "CoreVideo",
    ]),
  .target(name: "CBenchmark", path: "Sources/Tools/CBenchmark"),
  program(
    "endurance", in: "Tools",
    uses: [
      "ToolSupport", "BroadcastTesting", "EmulatedSystem", "Programs", "ScreenBroadcast", "SharedMemory",
      "TestPatterns", "PixelAccess", "Platform", "CommandLineSupport", "ReplayKit", "CoreMedia", "CoreVideo",
    ]),
  tests(
    "BenchmarkTests", in: "Tools",
    uses: ["benchmark", "ToolSupport", "CommandLineSupport", "Platform"]),
  tests(
    "EnduranceTests", in: "Tools",
    uses: [
      "endurance", "ToolSupport", "producer", "consumer", "Programs", "ScreenBroadcast",
      "CommandLineSupport", "SharedMemory", "Platform", "TestSupport",
    ]),
]

let sharedTests: [Target] = [
  testHelper(
    "TestSupport",
    uses: [
      "Programs", "CommandLineSupport", "PhoneLink", "ScreenBroadcast", "SharedMemory", "PixelAccess",
      "Platform", "ReplayKit", "WebRTC", "CoreVideo",
    ]),
  // The programs are dependencies so that they are built; the suites launch them.
  tests(
    "EndToEndTests",
    uses: [
      "BroadcastTesting", "producer", "consumer", "benchmark", "ProbeExtension", "ProbeApp", "RightHandlers",
      "SharedMemory", "ScreenBroadcast", "Platform", "PhoneLink", "CommandLineSupport",
      "TestSupport", "Causes", "EmulatedSystem",
    ]),
  tests(
    "DocumentationTests",
    uses: [
      "EmulatedDevice",
      "BroadcastExtension", "BroadcastCheck", "consumer", "EmulatedSystem", "ContainingApp", "VirtualDevice",
      "ContainerDoctor", "PhoneLink", "ScreenBroadcast", "SharedMemory",
      "PixelAccess", "Programs",
      "RunReports", "CommandLineSupport", "TestSupport", "CoreVideo", "ReplayKit", "Platform", "Causes",
    ]),
]

// What reads bytes from outside, for the fuzzer and for the suite that replays its seeds.
let fuzzing: [Target] =
  [
    testHelper(
      "FuzzTargets", in: "Fuzzing",
      uses: [
        "SharedMemory", "ScreenBroadcast", "HTTPServer",
        "PictureFormats", "PixelAccess", "Platform", "CommandLineSupport",
        "BroadcastExtension", "BroadcastCheck", "EmulatedSystem", "consumer", "CoreVideo", "Causes",
      ]),
    tests(
      "FuzzTargetTests", in: "Fuzzing",
      uses: ["FuzzTargets", "TestSupport"]),
  ]
  + (isFuzzing
    ? [
      .executableTarget(
        name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Fuzzer",
        swiftSettings: swiftSettings)
    ] : [])

/// The stand-ins that a handler may import by their names.
let standIns = [
  "ReplayKit", "UIKit", "AVFoundation", "CoreMedia", "CoreVideo", "CoreImage", "CoreGraphics", "ImageIO",
  "QuartzCore", "AudioToolbox", "VideoToolbox", "Accelerate", "os", "OSLog", "Combine", "AppleFoundation",
  "AVFAudio", "Network", "Photos", "UserNotifications", "UniformTypeIdentifiers", "AppleDarwin",
  "Vision", "CryptoKit", "Security", "CoreAudio",
]

let programNames = isFuzzing ? [] : ["producer", "consumer", "broadcast", "benchmark", "endurance"]

let products: [Product] =
  [
    .library(
      name: "ScreenBroadcast", targets: ["ScreenBroadcast", "SharedMemory", "PixelAccess", "Platform"]),
    .library(name: "BroadcastExtension", targets: ["BroadcastExtension"] + standIns),
    .library(name: "BroadcastTesting", targets: ["BroadcastTesting"]),
    .library(name: "WebRTC", targets: ["WebRTC"]),
    .library(name: "ScreenCaptureKit", targets: ["ScreenCaptureKit"]),
    .library(name: "CaptureApp", targets: ["CaptureApp"]),
  ] + programNames.map { .executable(name: $0, targets: [$0]) }

let targets: [[Target]] = [
  system, frameworks, broadcast, media, emulator, app, embedded, commandLine, programs, tools, sharedTests, fuzzing,
]

let package = Package(
  name: "broadcast-emulator",
  products: products,
  targets: targets.flatMap { $0 }
)

// Some of the test targets only: TEST_TARGETS="PlatformTests SharedMemoryTests" swift test
if let names = Context.environment["TEST_TARGETS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
