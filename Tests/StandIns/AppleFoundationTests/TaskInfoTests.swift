import AppleFoundation
import Testing

/// `task_info` as mach/task_info.h declares it, called as handlers do.
@Suite struct TaskInfoTests {
  private func ask<Info>(
    _ info: inout Info, _ flavor: Int32, words: Int, task: mach_port_t = mach_task_self_
  ) -> (code: kern_return_t, words: Int) {
    var count = mach_msg_type_number_t(words)
    // UNSAFE: the memory of the structure, as words.
    let code = unsafe withUnsafeMutablePointer(to: &info) { pointer in
      unsafe pointer.withMemoryRebound(to: integer_t.self, capacity: words) {
        unsafe task_info(task, task_flavor_t(flavor), $0, &count)
      }
    }
    return (code, Int(count))
  }

  @Test func theBasicInfoHasTheResidentMemory() {
    var info = mach_task_basic_info()
    #expect(MemoryLayout<mach_task_basic_info>.size == 48)
    let answer = ask(&info, MACH_TASK_BASIC_INFO, words: MemoryLayout<mach_task_basic_info>.size / 4)
    #expect(answer == (KERN_SUCCESS, 12))
    #expect(info.resident_size > 1 << 20 && info.resident_size_max >= info.resident_size)
  }

  @Test(arguments: [(36, 36), (37, 36), (38, 38), (83, 42), (85, 84), (86, 86), (87, 87)])
  func theMemoryHasTheLargestRevisionThatFits(words: Int, written: Int) {
    var info = task_vm_info_data_t()
    #expect(MemoryLayout<task_vm_info_data_t>.size == 87 * 4)
    #expect(ask(&info, TASK_VM_INFO, words: words) == (KERN_SUCCESS, written) && info.resident_size > 1 << 20)
    #expect((info.phys_footprint > 1 << 20) == (written >= 38) && info.phys_footprint <= info.resident_size)
    #expect((info.limit_bytes_remaining > 0) == (written >= 86))
  }

  @Test func aWrongQuestionIsRefused() {
    var info = task_vm_info_data_t()
    #expect(ask(&info, TASK_VM_INFO, words: 35).code == KERN_INVALID_ARGUMENT)
    #expect(ask(&info, 999, words: 87).code == KERN_INVALID_ARGUMENT)
    #expect(ask(&info, TASK_VM_INFO, words: 87, task: 0).code == KERN_INVALID_ARGUMENT)
    #expect(info == task_vm_info_data_t())
    #expect(unsafe String(cString: mach_error_string(KERN_INVALID_ARGUMENT)) == "(os/kern) invalid argument")
  }
}
