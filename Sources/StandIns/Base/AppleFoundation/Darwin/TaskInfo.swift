import Foundation
import Platform

// Models mach/task_info.h, and the parts of mach/mach_types.h, mach/kern_return.h and mach/mach_error.h for it. A
// process uses them to read its memory usage.

public typealias kern_return_t = Int32
public typealias mach_port_t = UInt32
public typealias task_name_t = mach_port_t
public typealias task_flavor_t = UInt32
public typealias integer_t = Int32
public typealias natural_t = UInt32
public typealias mach_msg_type_number_t = natural_t
public typealias task_info_t = UnsafeMutablePointer<integer_t>
public typealias mach_vm_size_t = UInt64
public typealias mach_vm_address_t = UInt64
public typealias policy_t = Int32

public let KERN_SUCCESS: kern_return_t = 0
public let KERN_INVALID_ARGUMENT: kern_return_t = 4
public let KERN_FAILURE: kern_return_t = 5
public let MACH_TASK_BASIC_INFO: Int32 = 20
public let TASK_VM_INFO: Int32 = 22
public let mach_task_self_: mach_port_t = 0x103

public struct time_value_t: BitwiseCopyable, Equatable, Sendable {
  public var seconds: integer_t = 0
  public var microseconds: integer_t = 0

  public init() {}
}

/// Sizes are in bytes. The times are zero here.
public struct mach_task_basic_info: BitwiseCopyable, Equatable, Sendable {
  public var virtual_size: mach_vm_size_t = 0
  public var resident_size: mach_vm_size_t = 0
  /// The largest size that any call returned here.
  public var resident_size_max: mach_vm_size_t = 0
  public var user_time = time_value_t()
  public var system_time = time_value_t()
  public var policy: policy_t = 1
  public var suspend_count: integer_t = 0

  public init() {}
}

public typealias mach_task_basic_info_data_t = mach_task_basic_info

/// Sizes are in bytes. Numbers unknown to the emulated system are zero.
public struct task_vm_info: BitwiseCopyable, Equatable, Sendable {
  public var virtual_size: mach_vm_size_t = 0
  public var region_count: integer_t = 0
  public var page_size: integer_t = 0
  public var resident_size: mach_vm_size_t = 0
  public var resident_size_peak: mach_vm_size_t = 0
  public var device: mach_vm_size_t = 0
  public var device_peak: mach_vm_size_t = 0
  public var `internal`: mach_vm_size_t = 0
  /// The largest size that any call returned here.
  public var internal_peak: mach_vm_size_t = 0
  public var external: mach_vm_size_t = 0
  public var external_peak: mach_vm_size_t = 0
  public var reusable: mach_vm_size_t = 0
  public var reusable_peak: mach_vm_size_t = 0
  public var purgeable_volatile_pmap: mach_vm_size_t = 0
  public var purgeable_volatile_resident: mach_vm_size_t = 0
  public var purgeable_volatile_virtual: mach_vm_size_t = 0
  public var compressed: mach_vm_size_t = 0
  public var compressed_peak: mach_vm_size_t = 0
  public var compressed_lifetime: mach_vm_size_t = 0
  public var phys_footprint: mach_vm_size_t = 0
  public var min_address: mach_vm_address_t = 0
  public var max_address: mach_vm_address_t = 0
  /// The largest size that any call returned here.
  public var ledger_phys_footprint_peak: Int64 = 0
  public var ledger_purgeable_nonvolatile: Int64 = 0, ledger_purgeable_novolatile_compressed: Int64 = 0,
    ledger_purgeable_volatile: Int64 = 0, ledger_purgeable_volatile_compressed: Int64 = 0,
    ledger_tag_network_nonvolatile: Int64 = 0, ledger_tag_network_nonvolatile_compressed: Int64 = 0,
    ledger_tag_network_volatile: Int64 = 0, ledger_tag_network_volatile_compressed: Int64 = 0,
    ledger_tag_media_footprint: Int64 = 0, ledger_tag_media_footprint_compressed: Int64 = 0,
    ledger_tag_media_nofootprint: Int64 = 0, ledger_tag_media_nofootprint_compressed: Int64 = 0,
    ledger_tag_graphics_footprint: Int64 = 0, ledger_tag_graphics_footprint_compressed: Int64 = 0,
    ledger_tag_graphics_nofootprint: Int64 = 0, ledger_tag_graphics_nofootprint_compressed: Int64 = 0,
    ledger_tag_neural_footprint: Int64 = 0, ledger_tag_neural_footprint_compressed: Int64 = 0,
    ledger_tag_neural_nofootprint: Int64 = 0, ledger_tag_neural_nofootprint_compressed: Int64 = 0
  public var limit_bytes_remaining: UInt64 = 0
  public var decompressions: integer_t = 0

  public init() {}
}

public typealias task_vm_info_data_t = task_vm_info

/// Describes the extension's memory under its limit, without the memory of the emulated system in this process. Takes
/// about a millisecond.
/// - Returns: `KERN_INVALID_ARGUMENT` for another task or flavor, and if the caller has fewer words than the
///   information.
@discardableResult
public func task_info(
  _ target_task: task_name_t, _ flavor: task_flavor_t, _ task_info_out: task_info_t!,
  _ task_info_outCnt: UnsafeMutablePointer<mach_msg_type_number_t>!
) -> kern_return_t {
  // UNSAFE: the caller's memory, whose size it states in words.
  guard target_task == mach_task_self_, let words = unsafe task_info_outCnt, let out = unsafe task_info_out
  else { return KERN_INVALID_ARGUMENT }
  let memory: (memory: ReportedMemory, peak: UInt64)
  do throws(FileError) { memory = try ReportedMemory.now() } catch { return KERN_FAILURE }
  switch flavor {
  case task_flavor_t(MACH_TASK_BASIC_INFO):
    return unsafe copy(mach_task_basic_info(memory.memory, peak: memory.peak), [12], to: out, words)
  case task_flavor_t(TASK_VM_INFO):
    // The number of words of each revision. The revisions end at compressed_lifetime, phys_footprint, max_address, the
    // ledgers, the limit and decompressions.
    return unsafe copy(
      task_vm_info(memory.memory, peak: memory.peak), [36, 38, 42, 84, 86, 87], to: out, words)
  default: return KERN_INVALID_ARGUMENT
  }
}

/// Copies the words of the largest revision that fits into the caller's memory.
private func copy<Value: BitwiseCopyable>(
  _ value: Value, _ revisions: [mach_msg_type_number_t], to out: task_info_t,
  _ words: UnsafeMutablePointer<mach_msg_type_number_t>
) -> kern_return_t {
  // UNSAFE: the caller's memory has this number of words, and `value` is not smaller than its largest revision.
  guard let count = revisions.last(where: { unsafe $0 <= words.pointee }) else {
    return KERN_INVALID_ARGUMENT
  }
  unsafe withUnsafeBytes(of: value) { bytes in
    let target = unsafe UnsafeMutableRawBufferPointer(start: out, count: Int(count) * 4)
    unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(target.count)))
  }
  unsafe words.pointee = count
  return KERN_SUCCESS
}

extension mach_task_basic_info {
  fileprivate init(_ memory: ReportedMemory, peak: UInt64) {
    self.init()
    resident_size = memory.footprint + memory.mappedFiles
    resident_size_max = max(resident_size, peak)
    virtual_size = resident_size
  }
}

extension task_vm_info {
  fileprivate init(_ memory: ReportedMemory, peak: UInt64) {
    self.init()
    page_size = integer_t(System.pageSize)
    resident_size = memory.footprint + memory.mappedFiles
    (virtual_size, resident_size_peak) = (resident_size, max(resident_size, peak))
    (`internal`, internal_peak) = (memory.footprint, peak)
    (external, external_peak) = (memory.mappedFiles, memory.mappedFiles)
    phys_footprint = memory.footprint
    ledger_phys_footprint_peak = Int64(clamping: peak)
    limit_bytes_remaining = memory.available
  }
}

public func mach_error_string(_ error_value: kern_return_t) -> UnsafeMutablePointer<CChar>! {
  // UNSAFE: a copy that is never changed or released.
  unsafe UnsafeMutablePointer(bitPattern: texts[error_value] ?? unknownText)
}

/// The addresses of the strings.
private let texts: [kern_return_t: UInt] = [
  KERN_SUCCESS: text("(os/kern) successful"), KERN_INVALID_ARGUMENT: text("(os/kern) invalid argument"),
  KERN_FAILURE: text("(os/kern) failure"),
]
private let unknownText = text("unknown error code")

private func text(_ text: String) -> UInt { unsafe UInt(bitPattern: strdup(text)) }
