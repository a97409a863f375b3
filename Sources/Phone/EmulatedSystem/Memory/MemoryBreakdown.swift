import Platform

/// The memory of a process by category, in bytes.
struct MemoryBreakdown: Equatable {
  /// The allocator's memory, including large blocks.
  var heap: UInt64 = 0
  var stacks: UInt64 = 0
  /// Shared memory without a file: the emulated system's pixel buffers.
  var sharedWithoutFile: UInt64 = 0
  /// Files in the folder of the broadcast, by name.
  var sharedFiles: [String: UInt64] = [:]
  var otherFiles: UInt64 = 0

  /// The default size of a thread's stack.
  private static let largestStack: UInt64 = 8 << 20
  private static let largestGuard: UInt64 = 64 << 10

  /// Sorts mappings into categories. They must be in ascending order of address. `folder` is the path of the broadcast's
  /// folder.
  init(_ mappings: [MemoryMapping], folder: String) {
    var below: MemoryMapping?
    for mapping in mappings {
      switch mapping.name {
      case "[stack]": stacks += mapping.anonymous
      case "" where Self.isStack(mapping, above: below): stacks += mapping.anonymous
      case "", "[heap]": heap += mapping.anonymous
      default: break
      }
      addFile(mapping, folder: folder)
      below = mapping
    }
  }

  private mutating func addFile(_ mapping: MemoryMapping, folder: String) {
    let bytes = mapping.resident.minus(mapping.anonymous)
    if mapping.name.hasPrefix(folder + "/") {
      // Linux appends " (deleted)" to the name of a file that was replaced or removed.
      let name = mapping.name.dropFirst(folder.utf8.count + 1).split(separator: " (deleted)").first ?? ""
      sharedFiles[String(name), default: 0] += bytes
    } else if mapping.name.hasPrefix("/dev/zero") || mapping.name.hasPrefix("/memfd:") {
      sharedWithoutFile += bytes
    } else {
      otherFiles += bytes
    }
  }

  /// Linux names only the main thread's stack. Any other stack lies above a small inaccessible mapping (its guard).
  private static func isStack(_ mapping: MemoryMapping, above below: MemoryMapping?) -> Bool {
    guard let below, !below.isAccessible, below.name.isEmpty, mapping.isAccessible else { return false }
    return below.range.upperBound == mapping.range.lowerBound
      && below.range.upperBound - below.range.lowerBound <= largestGuard
      && mapping.range.upperBound - mapping.range.lowerBound <= largestStack
  }
}
