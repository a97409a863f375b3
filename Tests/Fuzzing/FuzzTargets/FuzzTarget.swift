/// A part of the package that reads bytes from outside, called by the fuzzer and by the replay of its seeds.
///
/// ```swift
/// let target = try RingFileTarget(folder: folder)
/// try target.run(bytes)
/// ```
/// A trap, or an error that ``run(_:)`` throws, is a finding. ``run(_:)`` does not throw if the part rejects the bytes.
package protocol FuzzTarget: Sendable {
  /// The name on the command line, which is also the name of the folder of its seeds.
  static var name: String { get }

  /// Creates a target that keeps its files in `folder`, an empty folder of this user.
  init(folder: String) throws

  /// Returns seeds that the package's code creates, so that they remain valid when a format changes.
  func generatedSeeds() throws -> [[UInt8]]

  /// Runs the part with `bytes`, and checks the result.
  func run(_ bytes: [UInt8]) throws
}

extension FuzzTarget {
  package func generatedSeeds() -> [[UInt8]] { [] }
}

package let fuzzTargets: [any FuzzTarget.Type] = [
  RingFileTarget.self, RingSessionTarget.self, PixelBufferTarget.self, KeyValueFileTarget.self,
  Y4MTarget.self, CommandLineTarget.self, ArticleTarget.self, AudioRingTarget.self,
  FactTarget.self, ScenarioTarget.self, HTTPRequestTarget.self,
  TraceTarget.self,
]
