/// A part of the package that takes bytes from outside, as the fuzzer and the replay of its seeds call it.
///
/// ```swift
/// let target = try RingFileTarget(folder: folder)
/// try target.run(bytes)
/// ```
/// A trap is a finding, and so is an error that ``run(_:)`` throws: a refusal by the part itself is neither.
package protocol FuzzTarget: Sendable {
  /// The name in command lines, and of the folder of its seeds.
  static var name: String { get }

  /// A target that may use an empty folder of this user for its files.
  init(folder: String) throws

  /// Seeds that follow the code, so that they stay good ones when a format changes.
  func generatedSeeds() throws -> [[UInt8]]

  /// Hands the bytes over, and checks what came of them.
  func run(_ bytes: [UInt8]) throws
}

extension FuzzTarget {
  package func generatedSeeds() -> [[UInt8]] { [] }
}

/// The targets there are.
package let fuzzTargets: [any FuzzTarget.Type] = [
  RingFileTarget.self, RingSessionTarget.self, PixelBufferTarget.self, KeyValueFileTarget.self,
  Y4MTarget.self, CommandLineTarget.self, InspectionTarget.self, AudioRingTarget.self,
  MemoryKillTarget.self, WAVETarget.self,
]
