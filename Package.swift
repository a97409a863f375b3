// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: one language mode, one set of checks.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Whether this is the build of the fuzzer, which `Tests/Fuzzing/fuzz` asks for.
let isFuzzing = Context.environment["BROADCAST_FUZZING"] != nil

func library(_ name: String, uses dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: swiftSettings)
}

func program(_ name: String, uses dependencies: [String]) -> Target {
  let dependencies = dependencies.map(Target.Dependency.init(stringLiteral:))
  // A program cannot be linked into another one, as the fuzzer needs it: there it is a library.
  return isFuzzing
    ? .target(name: name, dependencies: dependencies, exclude: ["main.swift"], swiftSettings: swiftSettings)
    : .executableTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// A program of which nothing but `main.swift` is its own, so that the fuzzer has no use for it.
func programMain(_ name: String, uses dependencies: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: swiftSettings)
}

func tests(_ name: String, uses dependencies: [String], leavesOut excluded: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, exclude: excluded,
    swiftSettings: swiftSettings)
}

// Apple's frameworks exist under their own names on Apple's platforms; elsewhere the package brings
// stand-ins, so that the layers above import the same modules everywhere.
#if os(Linux)
  let standIns: [Target] = [
    library("CoreVideo"),
    library("CoreMedia", uses: ["CoreVideo"]),
    library("ReplayKit", uses: ["CoreMedia", "SharedMemory"]),
    library("WebRTC", uses: ["CoreMedia", "PixelAccess"]),
    tests("CoreVideoTests", uses: ["CoreVideo", "PixelAccess"]),
    tests("CoreMediaTests", uses: ["CoreMedia"]),
    tests("ReplayKitTests", uses: ["ReplayKit", "SharedMemory", "TestSupport"]),
    tests("WebRTCTests", uses: ["WebRTC", "PixelAccess", "TestSupport"]),
  ]
  let coreVideo = ["CoreVideo"]
  let coreMedia = ["CoreMedia"]
  let replayKit = ["ReplayKit"]
  let webRTC = ["WebRTC"]
#else
  let standIns: [Target] = []
  let coreVideo: [String] = []
  let coreMedia: [String] = []
  let replayKit: [String] = []
  let webRTC: [String] = []
#endif

// What an app and its extension ship, and what runs an extension's handler here.
let libraries: [Product] = [
  .library(name: "ScreenBroadcast", targets: ["ScreenBroadcast", "SharedMemory", "PixelAccess"]),
  .library(
    name: "BroadcastExtension", targets: ["BroadcastExtension"] + replayKit + coreMedia + coreVideo),
]

let programs: [Product] = [
  .executable(name: "producer", targets: ["producer"]),
  .executable(name: "consumer", targets: ["consumer"]),
  .executable(name: "benchmark", targets: ["benchmark"]),
  .executable(name: "endurance", targets: ["endurance"]),
]

// The transport measured beside its peers, some of which need libraries of the system.
let benchmarks: [Target] = [
  program(
    "benchmark",
    uses: [
      "ScreenBroadcast", "SharedMemory", "PixelAccess", "CommandLineSupport", "CBenchmark", "CPeers",
    ] + webRTC + coreVideo),
  .target(name: "CBenchmark"),
  .target(
    name: "CPeers", dependencies: [.target(name: "CGStreamer", condition: .when(traits: ["Peers"]))],
    cSettings: [.define("PEERS", .when(traits: ["Peers"]))],
    linkerSettings: ["yuv", "jpeg"].map { .linkedLibrary($0, .when(traits: ["Peers"])) }),
  .systemLibrary(
    name: "CGStreamer", pkgConfig: "gstreamer-1.0", providers: [.apt(["libgstreamer1.0-dev"])]),
]

let fuzzer: [Target] = [
  .executableTarget(
    name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Fuzzer", swiftSettings: swiftSettings)
]

let package = Package(
  name: "broadcast-emulator",
  products: libraries + (isFuzzing ? [] : programs),
  traits: [
    .trait(
      name: "Peers",
      description: "Lets 'benchmark' measure GStreamer, libyuv and libjpeg too, which the system must have.")
  ],
  targets: standIns + benchmarks + (isFuzzing ? fuzzer : []) + [
    // Unsafe memory: mapping, ring, lock; and the bytes of a pixel buffer.
    .target(name: "CSharedMemory"),
    library("SharedMemory", uses: ["CSharedMemory"]),
    library("PixelAccess", uses: coreVideo),

    // What an app and its extension ship: the article's classes.
    library("ScreenBroadcast", uses: ["SharedMemory", "PixelAccess"] + replayKit + coreMedia + coreVideo),

    // Pictures: what the emulated screen shows, and the files pictures travel in.
    library("TestPatterns", uses: ["PixelAccess"] + coreVideo),
    library("PictureFormats", uses: ["PixelAccess"] + coreVideo),

    // The files sound travels in.
    library("SoundFormats"),

    // Command lines, terminals and machine output.
    library("CommandLineSupport"),

    // The emulated system, and what the app shows.
    library(
      "BroadcastHost",
      uses: [
        "ScreenBroadcast", "TestPatterns", "PictureFormats", "SoundFormats", "CommandLineSupport",
        "SharedMemory", "PixelAccess",
      ] + replayKit + coreMedia + coreVideo),
    library(
      "BroadcastViewer",
      uses: [
        "ScreenBroadcast", "TestPatterns", "PictureFormats", "SoundFormats", "CommandLineSupport",
        "SharedMemory", "PixelAccess",
      ] + webRTC + replayKit + coreVideo),

    // The process of any extension.
    library(
      "BroadcastExtension",
      uses: [
        "BroadcastHost", "ScreenBroadcast", "SharedMemory", "TestPatterns", "SoundFormats",
        "CommandLineSupport",
      ] + replayKit + coreVideo
    ),

    // The two programs.
    programMain("producer", uses: ["BroadcastExtension", "ScreenBroadcast"]),
    program(
      "consumer",
      uses: ["BroadcastViewer", "BroadcastHost", "ScreenBroadcast", "SharedMemory", "CommandLineSupport"]),

    // Proves that nothing breaks the transport.
    program(
      "endurance",
      uses: ["ScreenBroadcast", "SharedMemory", "TestPatterns", "PixelAccess", "CommandLineSupport"]
        + replayKit + coreMedia + coreVideo
    ),

    // What the suites share; no program and no library uses it.
    .target(
      name: "TestSupport",
      dependencies: (["CommandLineSupport", "ScreenBroadcast", "TestPatterns", "PixelAccess"] + webRTC).map {
        .byName(name: $0)
      },
      path: "Tests/TestSupport", swiftSettings: swiftSettings),

    // What reads bytes from outside, for the fuzzer and for the suite that replays its seeds.
    .target(
      name: "FuzzTargets",
      dependencies: ([
        "SharedMemory", "ScreenBroadcast", "BroadcastViewer", "PictureFormats", "SoundFormats", "PixelAccess",
        "CommandLineSupport", "BroadcastExtension", "consumer",
      ] + coreVideo).map { .byName(name: $0) },
      path: "Tests/Fuzzing/FuzzTargets", swiftSettings: swiftSettings),
    .testTarget(
      name: "FuzzTargetTests",
      dependencies: ["FuzzTargets", "BroadcastExtension", "consumer", "TestSupport"],
      path: "Tests/Fuzzing/FuzzTargetTests", swiftSettings: swiftSettings),

    tests(
      "SharedMemoryTests", uses: ["SharedMemory", "CSharedMemory", "TestSupport"], leavesOut: ["Model"]),
    tests("TestPatternsTests", uses: ["TestPatterns", "PixelAccess"] + coreVideo),
    tests("SoundFormatsTests", uses: ["SoundFormats", "TestSupport"]),
    tests("PictureFormatsTests", uses: ["PictureFormats", "PixelAccess", "TestSupport"] + coreVideo),
    tests(
      "ScreenBroadcastTests",
      uses: ["ScreenBroadcast", "SharedMemory", "PixelAccess", "TestSupport"] + replayKit),
    tests(
      "BroadcastHostTests",
      uses: [
        "BroadcastHost", "ScreenBroadcast", "SharedMemory", "TestPatterns", "PictureFormats", "SoundFormats",
        "PixelAccess", "CommandLineSupport", "TestSupport",
      ] + replayKit + coreMedia),
    tests(
      "BroadcastViewerTests",
      uses: [
        "BroadcastViewer", "ScreenBroadcast", "SharedMemory", "TestPatterns", "PictureFormats",
        "SoundFormats", "PixelAccess", "CommandLineSupport", "TestSupport",
      ] + replayKit + webRTC),
    tests(
      "CommandLineSupportTests",
      uses: [
        "CommandLineSupport", "BroadcastHost", "BroadcastViewer", "ScreenBroadcast", "SharedMemory",
        "PixelAccess",
        "BroadcastExtension", "consumer", "TestSupport",
      ] + coreVideo + replayKit),
    tests(
      "BroadcastExtensionTests",
      uses: [
        "BroadcastExtension", "BroadcastHost", "ScreenBroadcast", "SharedMemory", "TestPatterns",
        "CommandLineSupport", "TestSupport",
      ] + replayKit),
    tests("BenchmarkTests", uses: ["benchmark", "CommandLineSupport"]),
    tests(
      "ConsumerTests",
      uses: [
        "consumer", "BroadcastHost", "BroadcastViewer", "ScreenBroadcast", "TestPatterns",
        "CommandLineSupport",
      ] + replayKit),
    // An extension with handlers that write down their calls, or do what they should not, for the end-to-end suite.
    .executableTarget(
      name: "ProbeExtension",
      dependencies: (["BroadcastExtension"] + replayKit + coreMedia + coreVideo).map { .byName(name: $0) },
      path: "Tests/ProbeExtension", swiftSettings: swiftSettings),
    // Depend on the programs so that they are built; spawn them.
    tests(
      "EndToEndTests",
      uses: [
        "producer", "consumer", "benchmark", "ProbeExtension", "SharedMemory", "ScreenBroadcast",
        "SoundFormats", "TestPatterns", "TestSupport",
      ] + replayKit),
    tests(
      "EnduranceTests",
      uses: [
        "endurance", "producer", "consumer", "ScreenBroadcast", "CommandLineSupport", "SharedMemory",
        "TestSupport",
      ]),
  ]
)
