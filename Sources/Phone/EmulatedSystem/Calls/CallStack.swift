import CPhone
import Foundation

/// The functions in which a call of a handler waits.
enum CallStack {
  /// A function of a stack, and whether the program itself has it.
  struct Frame {
    var name: String
    var isOfProgram = true
  }

  /// The functions in which a thread waits; empty if it does not answer. A wait that the question would end is the only one.
  static func functions(of thread: Int32) -> [String] {
    if let call = wait(of: thread).call { return [call] }
    // UNSAFE: addresses, which nothing reads through.
    var stack = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: Int(STACK_LIMIT))
    // UNSAFE: the call fills as many addresses as the array has, and returns how many.
    let count = unsafe thread_stack(thread, &stack)
    var frames: [Frame] = []
    // The innermost two are those of the signal.
    for index in (2..<max(2, Int(count))).reversed() {
      // UNSAFE: the address of a function is looked up, and not read. A return address is that after the call, which may be
      // in the next function. The name is a copy, freed here.
      var isOfProgram = false
      guard let address = unsafe stack[index], let name = unsafe function_name(address - 1, &isOfProgram)
      else {
        continue
      }
      frames.append(Frame(name: unsafe String(cString: name), isOfProgram: isOfProgram))
      unsafe free(name)
    }
    return handlersPart(of: frames)
  }

  /// Whether a thread waits with a limit now, and the call that a signal would end with an error.
  static func wait(of thread: Int32) -> (hasLimit: Bool, call: String?) {
    var hasLimit = false
    // UNSAFE: the call writes the local variable, and returns null or a constant.
    let name = unsafe thread_wait(thread, &hasLimit)
    return (hasLimit, unsafe name.map { unsafe String(cString: $0) })
  }

  /// The names from the handler's own function on, in which those that a person did not write are left out.
  ///
  /// - Parameter frames: all of a stack, the innermost last.
  static func handlersPart(of frames: [Frame]) -> [String] {
    func isSystem(_ frame: Frame) -> Bool {
      frame.name.contains("EmulatedSystem.") || frame.isOfProgram && short(frame.name) == nil
    }
    // On the main thread the handler's part comes after the program's own loop.
    let begin =
      frames.firstIndex { $0.name.contains("EmulatedSystem.") }
      ?? frames.lastIndex { $0.name.contains("BroadcastExtensionMain.run") }.map { $0 + 1 } ?? 0
    let part = frames[begin...].drop(while: isSystem)
    // The program's last function, and the one of a library in which it waits.
    let last = part.lastIndex(where: \.isOfProgram) ?? part.startIndex - 1
    let called = part.filter(\.isOfProgram) + part[(last + 1)...].prefix(1)
    return called.compactMap { short($0.name) }.reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  /// A name without module and types, such as `SampleHandler.broadcastFinished`; `nil` for one that the compiler made.
  static func short(_ name: String) -> String? {
    if name.contains("thunk") || name.contains("partial apply") || name.contains("protocol witness") {
      return nil
    }
    if name.contains("+0x") { return name }
    // Swift's methods are one with these.
    for (function, method) in [
      ("dispatch_semaphore_wait", "DispatchSemaphore.wait"), ("dispatch_group_wait", "DispatchGroup.wait"),
    ] where name.contains(function) { return method }
    var text =
      name.replacing("->", with: "").replacing(#/\(extension in [^)]*\):/#, with: "")
      .replacing(#/^.*specialization <.*> of |^merged |^static /#, with: "")
      // The name of a private declaration.
      .replacing(#/\((\w+) in _\w+\)/#) { $0.1 }
    if let range = text.ranges(of: " in ").last { text = String(text[range.upperBound...]) }
    // Types in types.
    while let inner = text.firstMatch(of: #/<[^<>]*>/#) { text.removeSubrange(inner.range) }
    let parts = text.prefix { !"( ".contains($0) }.split(separator: ".")
    return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: ".")
  }
}
