import CommandLineSupport
import Programs

/// A process that runs as long as the run itself, with samples of its resources.
struct LongLivedProcess {
  /// The name of the process in the table.
  let name: String
  let pid: Int32
  private(set) var samples: [[Resource: Double]] = []

  init(_ name: String, _ pid: Int32) { (self.name, self.pid) = (name, pid) }

  /// Samples its use of resources.
  mutating func sample() throws {
    let before = samples.last?[.descriptors] ?? .infinity
    var sample: [Resource: Double] = [:]
    // Its checks open a file for a moment: the flag's list, a lock, the next ring. A file that stays open is growth.
    _ = try holds(within: .seconds(2)) {
      sample = try Resource.use(by: pid)
      return sample[.descriptors, default: 0] <= before
    }
    samples.append(sample)
  }

  /// The newest sample of its private memory, for the progress of a run.
  var memoryText: String {
    "\((samples.last?[.privateMemory] ?? 0).text(decimals: 0)) KB private in the \(name)"
  }
}
