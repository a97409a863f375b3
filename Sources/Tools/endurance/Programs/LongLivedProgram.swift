import CommandLineSupport
import Programs
import ScreenBroadcast

/// A program that runs as long as the run itself, with samples of its resources.
struct LongLivedProgram {
  let launched: LaunchedProgram
  /// The name of the program in the table.
  let program: String
  private(set) var samples: [[Resource: Double]] = []

  init(_ launched: LaunchedProgram, program: String) { (self.launched, self.program) = (launched, program) }

  /// Samples its use of resources, with the files of a container, which are checked, or without them.
  mutating func sample(with container: AppGroupContainer? = nil) throws {
    let files = try container.map { try ContainerTree.check($0, isAtRest: false) } ?? 0
    let before = samples.last?[.descriptors] ?? .infinity
    var sample: [Resource: Double] = [:]
    // Its checks open a file for a moment: the flag's list, a lock, the next ring. A file that stays open is growth.
    _ = try holds(within: .seconds(2)) {
      sample = try Resource.use(by: launched.pid, containerFiles: files)
      return sample[.descriptors, default: 0] <= before
    }
    samples.append(sample)
  }

  /// The newest sample of its private memory, for the progress of a run.
  var memoryText: String {
    "\((samples.last?[.privateMemory] ?? 0).text(decimals: 0)) KB private in \(launched.name)"
  }
}
