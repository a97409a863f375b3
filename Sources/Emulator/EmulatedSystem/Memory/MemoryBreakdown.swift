import CoreVideo
import Platform
import SharedMemory

/// What holds the memory of a process, by category, in bytes.
struct MemoryBreakdown: Equatable {
  /// Memory of the allocator: the heap, its arenas, and large blocks, which have mappings of their own.
  var heap: UInt64 = 0
  /// Stacks of threads.
  var stacks: UInt64 = 0
  /// Memory that is made for sharing but is no file: the emulated system's pictures.
  var sharedWithoutFile: UInt64 = 0
  /// Files in the folder of the broadcast, by name.
  var sharedFiles: [String: UInt64] = [:]
  /// All other files.
  var otherFiles: UInt64 = 0

  /// The most a thread's stack has where nobody asks for more, and the guard below it.
  private static let largestStack: UInt64 = 8 << 20
  private static let largestGuard: UInt64 = 64 << 10

  /// What these mappings, from the lowest address up, are.
  ///
  /// - Parameter folder: the folder of the broadcast.
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
    let bytes = mapping.resident - min(mapping.anonymous, mapping.resident)
    if mapping.name.hasPrefix(folder + "/") {
      // A file that has been replaced or removed has that behind its name.
      let name = mapping.name.dropFirst(folder.utf8.count + 1).split(separator: " (deleted)").first ?? ""
      sharedFiles[String(name), default: 0] += bytes
    } else if mapping.name.hasPrefix("/dev/zero") || mapping.name.hasPrefix("/memfd:") {
      sharedWithoutFile += bytes
    } else {
      otherFiles += bytes
    }
  }

  /// Linux names no stacks but the first. A thread's begins above a small mapping that nobody may touch.
  private static func isStack(_ mapping: MemoryMapping, above below: MemoryMapping?) -> Bool {
    guard let below, !below.isAccessible, below.name.isEmpty, mapping.isAccessible else { return false }
    return below.range.upperBound == mapping.range.lowerBound
      && below.range.upperBound - below.range.lowerBound <= largestGuard
      && mapping.range.upperBound - mapping.range.lowerBound <= largestStack
  }
}
