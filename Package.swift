// swift-tools-version: 6.3
import PackageDescription

#if os(macOS)
  #error(
    "This package builds on Linux. On a Mac, ./run-demo.sh runs it in a container, and README.md has the command for a shell."
  )
#endif

/// Settings that `.ci/run` adds: the compiler writes its CPU time for each target into a folder, and warns about expressions
/// that take half a second.
let compilerChecks: [SwiftSetting] =
  Context.environment["COMPILER_STATISTICS"].map {
    [.unsafeFlags(["-stats-output-dir", $0, "-Xfrontend", "-warn-long-expression-type-checking=500"])]
  } ?? []

/// A debug build compiles each module in one job, as a release build does. Several jobs for each module take half as much CPU
/// time again. With one thread, SwiftPM can still write its index. The compiler remarks on it, and has no option against that.
let wholeModules = SwiftSetting.unsafeFlags(
  [
    "-whole-module-optimization", "-no-emit-module-separately-wmo", "-disable-batch-mode", "-num-threads",
    "1",
  ], .when(configuration: .debug))

/// The settings of every Swift target: one language mode, one set of checks.
let swiftSettings: [SwiftSetting] =
  [
    wholeModules,
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + compilerChecks

/// Whether this is the build of the fuzzer, which `Tests/Fuzzing/fuzz` requests.
let isFuzzing = Context.environment["BROADCAST_FUZZING"] != nil

/// Returns the path of a target in `folder`, which is below `Sources` or `Tests`. If `folder` is `nil`, the target is there
/// itself.
func path(_ top: String, _ folder: String?, _ name: String) -> String {
  [top, folder, name].compactMap { $0 }.joined(separator: "/")
}

func library(_ name: String, in folder: String? = nil, uses dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path("Sources", folder, name),
    swiftSettings: swiftSettings)
}

/// A target with files for `#embed`. They are excluded, because SwiftPM does not need to know them.
func files(_ name: String, in folder: String, folders: [String]) -> Target {
  .target(
    name: name, dependencies: ["CEmbeddedFiles"], path: path("Sources", folder, name), exclude: folders)
}

/// Makes the module of the stand-in available as `Darwin`.
let darwin = SwiftSetting.unsafeFlags(["-module-alias", "Darwin=AppleDarwin"])

func program(_ name: String, in folder: String? = nil, uses dependencies: [String]) -> Target {
  let dependencies = dependencies.map(Target.Dependency.init(stringLiteral:))
  let path = path("Sources", folder, name)
  // The fuzzer links the programs, so they are libraries in its build.
  return isFuzzing
    ? .target(
      name: name, dependencies: dependencies, path: path, exclude: ["main.swift"],
      swiftSettings: swiftSettings)
    : .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

/// A program that has only a `main.swift`, which the fuzzer does not need.
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

// System calls, files, processes, time, and the command line.
let system: [Target] = [
  .target(name: "CPlatform", path: "Sources/System/CPlatform"),
  library("Platform", in: "System", uses: ["CPlatform"]),
  library("CommandLineSupport", in: "System", uses: ["Platform"]),
  .target(name: "CEmbeddedFiles", path: "Sources/System/CEmbeddedFiles"),
  library("EmbeddedFiles", in: "System", uses: ["CEmbeddedFiles"]),
  tests("PlatformTests", in: "System", uses: ["Platform", "TestSupport"]),
  tests("CommandLineSupportTests", in: "System", uses: ["CommandLineSupport", "TestSupport"]),
]

// The facts of the emulated device, and the causes of what happens to it.
let device: [Target] = [
  library("EmulatedDevice", in: "Device", uses: ["CPlatform", "Platform"]),
  library("Causes", in: "Device", uses: ["CommandLineSupport", "Platform"]),
  tests("CausesTests", in: "Device", uses: ["Causes", "CommandLineSupport", "Platform"]),
  tests("EmulatedDeviceTests", in: "Device", uses: ["EmulatedDevice", "Platform", "TestSupport"]),
]

// Stand-ins for the Apple frameworks that the two processes need, under the frameworks' names.
let standInsBase: [Target] = [
  library("AppleFoundation", in: "StandIns/Base", uses: ["EmulatedDevice", "Platform"]),
  library("CoreVideo", in: "StandIns/Base", uses: ["AppleFoundation"]),
  library("CoreMedia", in: "StandIns/Base", uses: ["EmulatedDevice", "CoreVideo", "Platform"]),
  library("os", in: "StandIns/Base", uses: ["Platform"]),
  library("Security", in: "StandIns/Base", uses: ["AppleFoundation", "EmulatedDevice"]),
  library("Combine", in: "StandIns/Base", uses: ["Platform"]),
  // The part of ReplayKit that an extension's handler needs, without UIKit and AVFoundation.
  library("ReplayKitCore", in: "StandIns/Base", uses: ["CoreMedia", "PixelAccess"]),
  // Loops over pixels, which a debug build would run more than ten times too slowly for a screen. SwiftPM accepts the flag in
  // packages that others depend on by version, too.
  .target(
    name: "CPixels", path: "Sources/StandIns/Base/CPixels",
    cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
  library("PixelAccess", in: "StandIns/Base", uses: ["CoreVideo", "CPixels"]),
]

// The other stand-ins. Mostly handlers, apps and tests import them.
let frameworks: [Target] = [
  library("AppleDarwin", in: "StandIns/Frameworks", uses: ["AppleFoundation"]),
  library(
    "CoreGraphics", in: "StandIns/Frameworks",
    uses: ["AppleFoundation", "CoreVideo", "PixelAccess", "CPixels", "_Testing_CoreGraphics"]),
  library("ImageIO", in: "StandIns/Frameworks", uses: ["CoreGraphics", "CoreVideo", "PixelAccess", "CJPEG"]),
  library(
    "CoreImage", in: "StandIns/Frameworks",
    uses: ["ImageIO", "CoreVideo", "PixelAccess", "_Testing_CoreImage"]),
  .target(name: "CJPEG", dependencies: ["CPixels"], path: "Sources/StandIns/Frameworks/CJPEG"),
  library("QuartzCore", in: "StandIns/Frameworks", uses: ["EmulatedDevice", "CoreGraphics", "Platform"]),
  library("AudioToolbox", in: "StandIns/Frameworks", uses: ["CoreMedia"]),
  library("CoreAudio", in: "StandIns/Frameworks", uses: ["AudioToolbox"]),
  library(
    "AVFoundation", in: "StandIns/Frameworks",
    uses: [
      "AudioToolbox", "CoreImage", "CoreMedia", "EmulatedDevice", "QuartzCore", "UniformTypeIdentifiers",
      "VideoToolbox", "PixelAccess", "Platform",
    ]),
  library(
    "UIKit", in: "StandIns/Frameworks",
    uses: [
      "EmulatedDevice", "Combine", "CoreImage", "Platform", "QuartzCore", "UniformTypeIdentifiers",
      "_Testing_UIKit",
    ]),
  library(
    "VideoToolbox", in: "StandIns/Frameworks",
    uses: ["EmulatedDevice", "CoreImage", "CoreMedia", "PixelAccess", "Platform"]),
  library("Accelerate", in: "StandIns/Frameworks", uses: ["CPixels"]),
  library("AVFAudio", in: "StandIns/Frameworks", uses: ["AVFoundation"]),
  library(
    "Network", in: "StandIns/Frameworks",
    uses: ["AppleFoundation", "CPlatform", "Combine", "EmulatedDevice", "Security"]),
  library("Photos", in: "StandIns/Frameworks", uses: ["AppleFoundation", "EmulatedDevice"]),
  library("UserNotifications", in: "StandIns/Frameworks", uses: ["EmulatedDevice"]),
  library("UniformTypeIdentifiers", in: "StandIns/Frameworks"),
  library("MobileCoreServices", in: "StandIns/Frameworks", uses: ["AppleFoundation"]),
  library("Vision", in: "StandIns/Frameworks", uses: ["CoreImage", "CoreMedia", "EmulatedDevice"]),
  // A hash of many bytes takes seconds without optimization.
  .target(
    name: "CryptoKit", path: "Sources/StandIns/Frameworks/CryptoKit",
    swiftSettings: swiftSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
  library("OSLog", in: "StandIns/Frameworks", uses: ["os", "COSLog"]),
  .target(name: "COSLog", path: "Sources/StandIns/Frameworks/COSLog"),
  library(
    "ReplayKit", in: "StandIns/Frameworks",
    uses: ["ReplayKitCore", "Combine", "UIKit", "AVFoundation", "EmulatedDevice", "Platform", "Security"]),
  // The emulated phone uses the first one; the second has the name that decides what `canImport` finds.
  library(
    "ScreenCapture", in: "StandIns/Frameworks",
    uses: ["EmulatedDevice", "UIKit", "AVFoundation", "Combine", "Platform"]),
  library("ScreenCaptureKit", in: "StandIns/Frameworks", uses: ["ScreenCapture"]),
  library("WebRTC", in: "StandIns/Frameworks", uses: ["CoreMedia", "PixelAccess"]),
  library("_Testing_CoreGraphics", in: "StandIns/Frameworks"),
  library("_Testing_CoreImage", in: "StandIns/Frameworks"),
  library("_Testing_UIKit", in: "StandIns/Frameworks"),
  tests(
    "AppleFoundationTests", in: "StandIns", uses: ["AppleFoundation", "EmulatedDevice", "TestSupport"]),
  tests(
    "CoreImageTests", in: "StandIns",
    uses: ["CoreImage", "UIKit", "VideoToolbox", "PixelAccess", "TestSupport"]),
  tests(
    "VideoToolboxTests", in: "StandIns",
    uses: ["EmulatedDevice", "VideoToolbox", "PixelAccess", "TestSupport"]),
  tests(
    "AVFoundationTests", in: "StandIns",
    uses: ["AVFoundation", "VideoToolbox", "PixelAccess", "TestSupport"]),
  tests("NetworkTests", in: "StandIns", uses: ["Network", "TestSupport"]),
  tests(
    "SmallFrameworksTests", in: "StandIns",
    uses: [
      "EmulatedDevice",
      "Photos", "UserNotifications", "UniformTypeIdentifiers", "AVFAudio", "UIKit", "VideoToolbox",
      "PixelAccess",
      "ScreenBroadcast", "PhoneLink", "TestSupport", "AVFoundation", "Network", "Security",
    ]),
  tests("OSLogTests", in: "StandIns", uses: ["OSLog", "os"]),
  tests(
    "UnavailableNamesTests", in: "StandIns",
    uses: [
      "ReplayKit", "Network", "CryptoKit", "OSLog", "Accelerate", "WebRTC", "ScreenCaptureKit", "TestSupport",
    ]),
  // Code of apps, in the language mode of most apps and in the newest one. The second target has a file of the first as a
  // link.
  .testTarget(
    name: "SwiftFiveTests",
    dependencies: [
      "ReplayKit", "UIKit", "AppleDarwin", "AVFoundation", "VideoToolbox", "Vision", "CryptoKit", "Security",
      "Accelerate", "MobileCoreServices", "os",
    ],
    path: "Tests/StandIns/SwiftFiveTests", swiftSettings: [wholeModules, .swiftLanguageMode(.v5), darwin]),
  .testTarget(
    name: "SwiftSixTests", dependencies: ["AppleDarwin"], path: "Tests/StandIns/SwiftSixTests",
    swiftSettings: [wholeModules, .swiftLanguageMode(.v6), darwin]),
  tests("CombineTests", in: "StandIns", uses: ["Combine", "TestSupport"]),
  tests("CoreVideoTests", in: "StandIns", uses: ["CoreVideo", "PixelAccess"]),
  tests("PixelAccessTests", in: "StandIns", uses: ["PixelAccess", "CoreVideo", "TestSupport"]),
  tests("CoreMediaTests", in: "StandIns", uses: ["CoreMedia"]),
  tests("ScreenCaptureKitTests", in: "StandIns", uses: ["ScreenCaptureKit"]),
  tests("ReplayKitTests", in: "StandIns", uses: ["ReplayKit", "TestSupport"]),
  tests("WebRTCTests", in: "StandIns", uses: ["WebRTC", "PixelAccess", "TestSupport"]),
]

// Code that the two processes share: the article's classes, and the memory below them.
let core: [Target] = [
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

// The content of the emulated screen, and its file formats.
let pictures: [Target] = [
  library("TestPatterns", in: "Pictures", uses: ["PixelAccess", "CPixels", "CoreVideo", "Platform"]),
  library("PictureFormats", in: "Pictures", uses: ["PixelAccess", "CPixels", "CoreVideo", "Platform"]),
  tests(
    "TestPatternsTests", in: "Pictures",
    uses: ["TestPatterns", "PixelAccess", "CoreVideo", "TestSupport"]),
  tests(
    "PictureFormatsTests", in: "Pictures",
    uses: ["PictureFormats", "PixelAccess", "TestSupport", "CoreVideo"]),
]

// Reports of runs.
let reports: [Target] = [
  library("RunReports", in: "Reports", uses: ["CommandLineSupport", "Platform", "Causes"]),
  tests(
    "RunReportsTests", in: "Reports",
    uses: ["RunReports", "Causes", "TestSupport"]),
]

// The phone: iOS around the two processes.
let phone: [Target] = [
  // Only targets with the emulated phone replace the C library's `connect`.
  .target(name: "CPhone", dependencies: ["CPlatform"], path: "Sources/Phone/CPhone"),
  library(
    "PhoneLink", in: "Phone",
    uses: ["EmulatedDevice", "Causes", "ScreenBroadcast", "Platform", "CPlatform"]),
  library(
    "EmulatedSystem", in: "Phone",
    uses: [
      "EmulatedDevice",
      "PhoneLink", "ScreenBroadcast", "TestPatterns", "PictureFormats",
      "RunReports", "CommandLineSupport", "SharedMemory", "PixelAccess", "Platform", "CPlatform", "CPhone",
      "ReplayKitCore", "CoreMedia", "CoreVideo", "Causes",
    ]),
  // An app that captures its own screen, with the phone around it.
  library(
    "EmulatedCapture", in: "Phone",
    uses: [
      "EmulatedSystem", "EmulatedDevice", "ScreenBroadcast", "CommandLineSupport", "Platform", "ReplayKit",
      "UIKit", "ScreenCapture", "CoreMedia",
    ]),
  library(
    "BroadcastExtension", in: "Phone",
    uses: [
      "EmulatedDevice",
      "EmulatedSystem", "PhoneLink", "ScreenBroadcast", "SharedMemory", "RunReports", "CommandLineSupport",
      "Platform", "AppleFoundation", "ReplayKitCore", "CoreMedia", "os", "Causes",
    ]),
  tests(
    "PhoneLinkTests", in: "Phone",
    uses: ["PhoneLink", "ScreenBroadcast", "TestSupport", "Causes"]),
  tests(
    "EmulatedSystemTests", in: "Phone",
    uses: [
      "EmulatedDevice", "EmulatedSystem", "EmulatedCapture", "PhoneLink", "ScreenBroadcast",
      "SharedMemory", "TestPatterns",
      "PictureFormats", "PixelAccess", "RunReports", "TestSupport",
      "ReplayKit", "CoreMedia", "CoreVideo", "Causes", "AVFoundation",
      "ScreenCapture",
    ]),
  tests(
    "BroadcastExtensionTests", in: "Phone",
    uses: [
      "EmulatedDevice",
      "BroadcastExtension", "EmulatedSystem", "TestPatterns", "TestSupport", "ReplayKit",
    ]),
  // An extension with handlers that mostly have one fault each, for the end-to-end suite.
  .executableTarget(
    name: "ProbeExtension",
    dependencies: [
      "BroadcastExtension", "ScreenBroadcast", "PhoneLink", "Platform", "ReplayKit", "QuartzCore", "os",
      "CoreImage", "VideoToolbox", "AVFoundation",
    ],
    path: "Tests/Phone/ProbeExtension", swiftSettings: swiftSettings),
  // An extension with correct handlers in the forms that teams write, in the language mode of most teams, and their app.
  .executableTarget(
    name: "RightHandlers",
    dependencies: [
      "BroadcastExtension", "ReplayKit", "UIKit", "AVFoundation", "VideoToolbox", "CoreImage", "Network",
      "Combine", "AppleDarwin",
    ],
    path: "Tests/Phone/RightHandlers", swiftSettings: [wholeModules, .swiftLanguageMode(.v5), darwin]),
]

// The containing app, and its page.
let app: [Target] = [
  library("HTTPServer", in: "App", uses: ["Platform"]),
  library(
    "ContainingApp", in: "App",
    uses: [
      "EmulatedDevice",
      "PhoneLink", "ScreenBroadcast", "TestPatterns", "PictureFormats",
      "RunReports", "CommandLineSupport", "SharedMemory", "PixelAccess", "Platform", "WebRTC",
      "ReplayKitCore",
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
  files("CPageFiles", in: "App", folders: ["Page", "Call"]),
  .target(
    name: "LivePage",
    dependencies: [
      "ContainingApp", "HTTPServer", "ScreenBroadcast", "PictureFormats", "CommandLineSupport", "Causes",
      "PixelAccess", "Platform", "WebRTC", "ReplayKitCore", "CoreVideo", "CPageFiles", "EmbeddedFiles",
    ], path: "Sources/App/LivePage",
    swiftSettings: swiftSettings),
  // Code that an app's program needs to show a watch.
  library(
    "AppProgram", in: "App",
    uses: ["LivePage", "ContainingApp", "ScreenBroadcast", "RunReports", "CommandLineSupport", "Platform"]),
  // An app that shares the screen, with faults to be found.
  .executableTarget(
    name: "ProbeApp", dependencies: ["CaptureApp", "ReplayKit", "ScreenCaptureKit"],
    path: "Tests/App/ProbeApp", swiftSettings: swiftSettings),
  tests("HTTPServerTests", in: "App", uses: ["HTTPServer", "TestSupport"]),
  tests(
    "ContainingAppTests", in: "App",
    uses: [
      "ContainingApp", "CapturingApp", "ContainerDoctor", "PhoneLink", "ScreenBroadcast", "SharedMemory",
      "TestPatterns",
      "PictureFormats", "PixelAccess", "RunReports", "CommandLineSupport",
      "TestSupport",
      "ReplayKit", "WebRTC", "CoreVideo", "EmulatedDevice", "Causes",
    ]),
  tests(
    "LivePageTests", in: "App",
    uses: [
      "LivePage", "ContainingApp", "HTTPServer", "PictureFormats", "TestPatterns", "PixelAccess",
      "TestSupport", "WebRTC", "CoreVideo", "ReplayKit",
    ]),
]

// Tools that examine a program from outside.
let tool: [Target] = [
  library(
    "LaunchedPrograms", in: "Tool",
    uses: ["ScreenBroadcast", "CommandLineSupport", "TestPatterns", "Platform"]),
  files("CScenarioFiles", in: "Tool", folders: ["Scenarios"]),
  .target(
    name: "BroadcastCheck",
    dependencies: [
      "EmulatedDevice",
      "EmulatedSystem", "PhoneLink", "ScreenBroadcast", "LaunchedPrograms", "RunReports",
      "CommandLineSupport",
      "Platform", "Causes", "ImageIO", "TestPatterns", "CScenarioFiles", "EmbeddedFiles",
    ],
    path: "Sources/Tool/BroadcastCheck",
    swiftSettings: swiftSettings),
  files("CTemplateFiles", in: "Tool", folders: ["Templates"]),
  // The templates are links to files of the examples.
  .target(
    name: "ExtensionImport",
    dependencies: ["EmulatedSystem", "CommandLineSupport", "Platform", "CTemplateFiles", "EmbeddedFiles"],
    path: "Sources/Tool/ExtensionImport",
    swiftSettings: swiftSettings),
  library(
    "ContainerDoctor", in: "Tool",
    uses: [
      "EmulatedDevice", "PhoneLink", "ScreenBroadcast", "SharedMemory", "Platform", "RunReports",
      "CommandLineSupport",
      "Causes",
    ]),
  library(
    "CaptureApp", in: "Tool",
    uses: [
      "BroadcastCheck", "EmulatedCapture", "EmulatedDevice", "EmulatedSystem", "LaunchedPrograms",
      "RunReports", "CommandLineSupport", "Platform", "ReplayKit", "ScreenCapture",
    ]),
  tests(
    "ExtensionImportTests", in: "Tool",
    uses: ["ExtensionImport", "TestSupport"]),
  tests(
    "BroadcastCheckTests", in: "Tool",
    uses: [
      "BroadcastCheck", "EmulatedDevice", "EmulatedSystem", "TestSupport", "Causes", "TestPatterns",
      "CoreVideo",
    ]),
  tests(
    "ContainerDoctorTests", in: "Tool",
    uses: [
      "ContainerDoctor", "PhoneLink", "ScreenBroadcast", "SharedMemory", "TestSupport", "Causes",
    ]),
]

// The phone and the app in one process, on a virtual clock.
let testing: [Target] = [
  library(
    "VirtualDevice", in: "Testing",
    uses: [
      "EmulatedDevice", "EmulatedSystem", "ContainingApp", "ScreenBroadcast", "CommandLineSupport",
      "Platform",
      "WebRTC",
    ]),
  library(
    "BroadcastTesting", in: "Testing",
    uses: [
      "EmulatedDevice",
      "VirtualDevice", "BroadcastExtension", "EmulatedSystem", "EmulatedCapture", "ContainingApp", "Causes",
      "ScreenCapture",
      "ScreenBroadcast", "PictureFormats",
      "PixelAccess",
      "LaunchedPrograms", "CommandLineSupport", "Platform", "ReplayKit", "WebRTC",
    ]),
  tests(
    "BroadcastTestingTests", in: "Testing",
    uses: [
      "BroadcastTesting", "VirtualDevice", "EmulatedCapture", "ScreenBroadcast",
      "ScreenCapture",
      "ReplayKit",
      "TestSupport",
      "producer", "consumer", "ProbeExtension", "EmulatedDevice", "Network",
    ]),
]

// The programs.
let programs: [Target] = [
  programMain("producer", in: "Programs", uses: ["BroadcastExtension", "ScreenBroadcast"]),
  program(
    "consumer", in: "Programs",
    uses: [
      "AppProgram", "EmulatedDevice", "LivePage", "ContainingApp", "EmulatedSystem", "TestPatterns",
      "ScreenBroadcast", "CommandLineSupport", "PhoneLink", "Platform",
    ]),
  // An app that captures the screen itself.
  program(
    "capturer", in: "Programs",
    uses: [
      "AppProgram", "CapturingApp", "EmulatedCapture", "EmulatedDevice", "EmulatedSystem", "LivePage",
      "ContainingApp", "CommandLineSupport", "Platform",
    ]),
  // The tools that examine the two programs from outside.
  program(
    "broadcast", in: "Programs",
    uses: [
      "BroadcastCheck", "ExtensionImport", "ContainerDoctor", "EmulatedDevice", "EmulatedSystem",
      "ScreenBroadcast", "LaunchedPrograms", "RunReports", "CommandLineSupport", "Platform",
    ]),
  // Both programs of the demo in one call: swift build --target Demo.
  library("Demo", in: "Programs", uses: isFuzzing ? [] : ["producer", "consumer"]),
  tests(
    "ProgramTests", in: "Programs",
    uses: [
      "consumer", "capturer", "broadcast", "AppProgram", "EmulatedCapture", "EmulatedSystem", "ContainingApp",
      "ScreenBroadcast",
      "TestPatterns", "ReplayKit", "TestSupport",
    ]),
]

// The benchmark of the transport against the limits of the host, and the endurance test that tries to break it.
let bench: [Target] = [
  library(
    "ToolSupport", in: "Bench",
    uses: [
      "LaunchedPrograms", "ScreenBroadcast", "TestPatterns", "PixelAccess", "Platform", "CommandLineSupport",
      "CoreVideo",
    ]),
  .target(name: "CBenchmark", path: "Sources/Bench/CBenchmark"),
  program(
    "benchmark", in: "Bench",
    uses: [
      "ToolSupport", "LaunchedPrograms", "ScreenBroadcast", "SharedMemory", "Platform", "CPlatform",
      "CommandLineSupport", "CBenchmark",
    ]),
  program(
    "endurance", in: "Bench",
    uses: [
      "ToolSupport", "EmulatedSystem", "LaunchedPrograms", "ScreenBroadcast", "SharedMemory", "PixelAccess",
      "Platform", "CommandLineSupport", "ReplayKit", "CoreMedia",
    ]),
  tests(
    "BenchmarkTests", in: "Bench",
    uses: ["benchmark", "ToolSupport", "TestSupport"]),
  tests(
    "EnduranceTests", in: "Bench",
    uses: [
      "endurance", "ToolSupport", "LaunchedPrograms", "ScreenBroadcast", "SharedMemory", "TestSupport",
    ]),
]

let sharedTests: [Target] = [
  testHelper(
    "TestSupport",
    uses: [
      "LaunchedPrograms", "CommandLineSupport", "PhoneLink", "ScreenBroadcast", "SharedMemory", "CPixels",
      "PixelAccess",
      "Platform", "ReplayKit", "WebRTC", "CoreVideo",
    ]),
  // The programs are dependencies so that they are built; the suites launch them.
  tests(
    "EndToEndTests",
    uses: [
      "BroadcastTesting", "producer", "consumer", "capturer", "broadcast", "benchmark", "ProbeExtension",
      "ProbeApp", "RightHandlers",
      "SharedMemory", "ScreenBroadcast", "PhoneLink", "TestSupport", "Causes", "EmulatedSystem",
    ]),
  tests(
    "DocumentationTests",
    uses: [
      "EmulatedDevice",
      "BroadcastExtension", "consumer", "capturer", "broadcast", "EmulatedSystem",
      "ContainingApp",
      "ContainerDoctor", "ScreenBroadcast", "SharedMemory", "BroadcastTesting", "CaptureApp",
      "ScreenCaptureKit",
      "PixelAccess", "CommandLineSupport", "TestSupport", "CoreVideo", "ReplayKit", "Platform",
    ]),
]

// Code that reads bytes from outside, for the fuzzer and for the suite that replays its seeds.
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
  "AVFAudio", "Network", "Photos", "UserNotifications", "UniformTypeIdentifiers", "MobileCoreServices",
  "AppleDarwin",
  "Vision", "CryptoKit", "Security", "CoreAudio",
]

let programNames =
  isFuzzing ? [] : ["producer", "consumer", "capturer", "broadcast", "benchmark", "endurance"]

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
  system, device, standInsBase, frameworks, core, pictures, reports, phone, app, tool, testing, programs,
  bench, sharedTests, fuzzing,
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
