import CPhone
import Foundation
import Platform

/// Finds the functions in which a call of a handler waits or computes, or in which a process has crashed.
package enum CallStack {
  /// A function of a stack, and whether it belongs to the program itself.
  struct Frame {
    var name: String
    var isOfProgram = true
  }

  /// The kernel's ID of the calling thread.
  static var currentThread: Int32 { thread_id() }

  /// Returns the functions in which a thread waits, or also computes if `mayCompute` is on. Otherwise empty if the thread does not
  /// wait now. If a signal would end the wait, the call that waits comes last.
  static func functions(of thread: Int32, mayCompute: Bool = false) -> [String] {
    let wait = wait(of: thread)
    guard wait.isWaiting || mayCompute else { return [] }
    // UNSAFE: addresses that are never dereferenced.
    var stack = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: Int(STACK_LIMIT))
    // UNSAFE: the calls write at most as many addresses as the array holds, and return their number.
    let count = unsafe wait.call == nil ? thread_stack(thread, &stack) : waiting_stack(thread, &stack)
    var frames: [Frame] = []
    // The innermost two functions belong to the signal.
    let first = wait.call == nil ? 2 : 0
    for index in (first..<max(first, Int(count))).reversed() {
      // UNSAFE: the address of a function is looked up, not dereferenced. A return address is the address after the call, which
      // may be in the next function. The name is a copy, freed here.
      var isOfProgram = false
      guard let address = unsafe stack[index], let name = unsafe function_name(address - 1, &isOfProgram)
      else {
        continue
      }
      frames.append(Frame(name: unsafe String(cString: name), isOfProgram: isOfProgram))
      unsafe free(name)
    }
    return handlersPart(of: frames) + [wait.call].compactMap { $0 }
  }

  /// An address: the file, and the offset in it. `isOfProgram` is whether the file is the program and not a library.
  package typealias Address = (file: String, offset: UInt, isOfProgram: Bool)

  /// Returns the functions in which a process has crashed, from the handler's own function to the last one. If none belongs to the
  /// program, returns the last one.
  ///
  /// - Parameter addresses: a complete stack, the innermost function first.
  package static func functions(at addresses: [Address]) -> [String] {
    let frames = addresses.reversed().compactMap { address -> Frame? in
      // UNSAFE: the name is a copy, freed here.
      guard let name = unsafe function_in_file(address.file, address.offset) else { return nil }
      defer { unsafe free(name) }
      return unsafe Frame(name: String(cString: name), isOfProgram: address.isOfProgram)
    }
    return frames.contains(where: \.isOfProgram)
      ? handlersPart(of: frames) : frames.suffix(1).compactMap { short($0.name) }
  }

  /// Returns the line of the handler's code in which a process has crashed, such as `SampleHandler.swift:12`. Returns `nil` if the
  /// program has no debug information, or if there is no `addr2line` (it belongs to the linker that Swift needs).
  ///
  /// - Parameter addresses: as in ``functions(at:)``.
  package static func line(at addresses: [Address]) -> String? {
    let own = addresses.filter(\.isOfProgram)
    guard let file = own.first?.file else { return nil }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["addr2line", "-e", file] + own.map { "0x" + String($0.offset, radix: 16) }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try ProcessLauncher.run(process) } catch { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return line(in: text)
  }

  /// Returns the first line of the output of `addr2line` that is not in the emulator, unless all are.
  static func line(in output: String) -> String? {
    let places = output.matches(of: /(?m)^(\/.+):([1-9]\d*)/).map { (path: $0.1, line: $0.2) }
    // The system calls the handler, so its file has the folder of the emulator.
    let emulator = places.lazy.compactMap { $0.path.firstRange(of: "Phone/EmulatedSystem/") }.first
    let root = emulator.map { output[..<$0.lowerBound].split(separator: "\n").last ?? "" }
    let place = places.first { place in root.map { !place.path.hasPrefix($0) } ?? true } ?? places.first
    return place.map { "\(URL(filePath: String($0.path)).lastPathComponent):\($0.line)" }
  }

  /// Returns whether a thread now waits in a call of the system, whether with a timeout, and the call that a signal would end with an
  /// error.
  static func wait(of thread: Int32) -> (isWaiting: Bool, hasLimit: Bool, call: String?) {
    var hasLimit = false
    var name = unsafe UnsafePointer<CChar>?.none
    // UNSAFE: the call writes the local variables; the name is null or a constant.
    let isWaiting = unsafe thread_wait(thread, &hasLimit, &name)
    return (isWaiting, hasLimit, unsafe name.map { unsafe String(cString: $0) })
  }

  /// Returns the names from the handler's own function on, without functions that the compiler generated.
  ///
  /// - Parameter frames: a complete stack, the innermost function last.
  static func handlersPart(of frames: [Frame]) -> [String] {
    func isSystem(_ frame: Frame) -> Bool {
      frame.name.contains("EmulatedSystem.") || frame.isOfProgram && short(frame.name) == nil
    }
    // On the main thread, the handler's part comes after the run function of the program.
    let begin =
      frames.firstIndex { $0.name.contains("EmulatedSystem.") }
      ?? frames.lastIndex { $0.name.contains("BroadcastExtensionMain.run") }.map { $0 + 1 } ?? 0
    let part = frames[begin...].drop(while: isSystem)
    // The program's last function, and the library function in which it waits.
    let last = part.lastIndex(where: \.isOfProgram) ?? part.startIndex - 1
    let called = part.filter(\.isOfProgram) + part[(last + 1)...].prefix(1)
    return called.compactMap { short($0.name) }.reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  /// Returns a name without module and types, such as `SampleHandler.broadcastFinished`; `nil` for functions generated by the
  /// compiler.
  static func short(_ name: String) -> String? {
    if name.contains("thunk") || name.contains("partial apply") || name.contains("protocol witness") {
      return nil
    }
    if name.contains("+0x") { return name }
    // Swift imports these C functions as methods.
    for (function, method) in [
      ("dispatch_semaphore_wait", "DispatchSemaphore.wait"), ("dispatch_group_wait", "DispatchGroup.wait"),
    ] where name.contains(function) { return method }
    var text =
      name.replacing("->", with: "").replacing(#/\(extension in [^)]*\):/#, with: "")
      .replacing(#/^.*specialization <.*> of |^merged |^static /#, with: "")
      // The name of a private declaration.
      .replacing(#/\((\w+) in _\w+\)/#) { $0.1 }
    if let range = text.ranges(of: " in ").last { text = String(text[range.upperBound...]) }
    // Nested generic arguments.
    while let inner = text.firstMatch(of: #/<[^<>]*>/#) { text.removeSubrange(inner.range) }
    let parts = text.prefix { !"( ".contains($0) }.split(separator: ".")
    return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: ".")
  }
}
