import Foundation
import Glibc

/// Reads the files in which Linux describes a process.
package enum ProcessFiles {
  /// Larger than the files of a process with the maximum number of mappings (65,530).
  private static let sizeLimit = 128 << 20

  /// Returns the path of a file about a process (this process if `pid` is `nil`).
  package static func path(_ name: String, of pid: Int32?) -> String {
    "/proc/\(pid.map { "\($0)" } ?? "self")/\(name)"
  }

  /// Reads the complete file, because the kernel may return it in pieces.
  package static func text(_ path: String) throws(FileError) -> String {
    let file = try System.open(path, System.readOnly)
    return String(decoding: try System.read(file, limit: sizeLimit), as: UTF8.self)
  }

  /// Returns the paths of the files that a process has open, and words such as `socket:[17]`; empty if it has exited.
  package static func openFiles(of pid: Int32) throws(FileError) -> Set<String> {
    let folder = path("fd", of: pid)
    do throws(FileError) {
      return Set(try numbers(in: folder).compactMap { linkTarget("\(folder)/\($0)") })
    } catch {
      // The folder of a process that has exited is missing.
      if [ENOENT, ESRCH].contains(error.code) { return [] }
      throw error
    }
  }

  /// Returns the target of a link; `nil` if there is no link.
  package static func linkTarget(_ path: String) -> String? {
    do { return try FileManager.default.destinationOfSymbolicLink(atPath: path) } catch { return nil }
  }

  /// Returns the numbers among the names in a folder: of descriptors, threads or processes.
  package static func numbers(in folder: String) throws(FileError) -> [Int32] {
    guard let stream = unsafe opendir(folder) else {
      throw FileError(.call("opendir", .current), folder)
    }
    // UNSAFE: the stream is open until the end of this function, and an entry is read before the next call.
    defer { unsafe _ = closedir(stream) }
    var numbers: [Int32] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
  }

  /// Parses the title and the byte count of a line such as `Rss:   20 kB`.
  package static func amount(_ line: Substring) -> (title: Substring, bytes: UInt64)? {
    let words = line.split(separator: " ")
    guard words.count == 3, words[2] == "kB", let kilobytes = UInt64(words[1]) else { return nil }
    return (words[0], kilobytes << 10)
  }
}

/// The state of a process, read from `/proc`.
public enum ProcessState {
  /// Whether the process exists and all its threads are stopped, for example by SIGSTOP. The first thread may stop before the
  /// others.
  public static func isStopped(_ pid: Int32) -> Bool {
    func isStopped(_ fields: [Substring]) -> Bool { ["T", "t"].contains(fields.first) }
    guard isStopped(fields(of: ProcessFiles.path("stat", of: pid))) else { return false }
    return threads(of: pid).allSatisfy { $0.isEmpty || isStopped($0) }
  }

  /// Whether the process exists, and neither exits nor was killed.
  package static func isRunning(_ pid: Int32) -> Bool { !threads(of: pid).isEmpty && !isExiting(pid) }

  /// Whether the process exists and runs no code of its own any more, because it exits or was killed.
  ///
  /// On an overloaded host, the rest of the exit can take seconds, because it waits for kernel threads.
  package static func isExiting(_ pid: Int32) -> Bool {
    let threads = threads(of: pid)
    return !threads.isEmpty && threads.allSatisfy(isExiting(thread:))
  }

  /// Returns the fields of the `stat` file of each thread. A thread that has exited has no fields, and a process that has exited
  /// has no threads.
  private static func threads(of pid: Int32) -> [[Substring]] {
    let folder = ProcessFiles.path("task", of: pid)
    do { return try ProcessFiles.numbers(in: folder).map { fields(of: "\(folder)/\($0)/stat") } } catch {
      return []
    }
  }

  /// - Parameter fields: the fields of the thread's `stat` file; empty if the thread has exited.
  private static func isExiting(thread fields: [Substring]) -> Bool {
    guard fields.count > Field.pendingSignals else { return true }
    let (flags, signals) = (UInt64(fields[Field.flags]) ?? 0, UInt64(fields[Field.pendingSignals]) ?? 0)
    return flags & Field.exitingFlag != 0 || signals & Field.killSignal != 0
  }

  /// The positions of fields after the name, and bits of their values.
  private enum Field {
    static let parent = 1
    static let flags = 6
    static let pendingSignals = 28
    /// The kernel's `PF_EXITING`.
    static let exitingFlag: UInt64 = 4
    /// Sent by an exiting process to its other threads.
    static let killSignal: UInt64 = 1 << UInt64(SIGKILL - 1)
  }

  /// Returns the parent of a process (the process that launched or adopted it), then the parent's parent, and so on.
  package static func ancestors(of pid: Int32) -> [Int32] {
    var ancestors: [Int32] = []
    while let parent = parent(of: ancestors.last ?? pid), parent > 0 { ancestors.append(parent) }
    return ancestors
  }

  private static func parent(of pid: Int32) -> Int32? {
    fields(of: ProcessFiles.path("stat", of: pid)).dropFirst(Field.parent).first.flatMap { Int32($0) }
  }

  /// Returns the child processes of `pid` that run the program `name`; empty if they cannot be read.
  package static func children(of pid: Int32, named name: String) -> [Int32] {
    do {
      return try ProcessFiles.numbers(in: "/proc").filter { child in
        guard parent(of: child) == pid else { return false }
        // A child that has exited in the meantime does not count.
        do { return try ProcessFiles.text(ProcessFiles.path("comm", of: child)) == "\(name)\n" } catch {
          return false
        }
      }
    } catch {
      return []
    }
  }

  /// Returns the fields of a `stat` file from the state on; empty if the process has exited.
  private static func fields(of path: String) -> [Substring] {
    do {
      let text = try ProcessFiles.text(path)
      // The name in parentheses may contain anything.
      guard let end = text.lastIndex(of: ")") else { return [] }
      return text[text.index(after: end)...].split(separator: " ")
    } catch {
      return []
    }
  }
}
