/// What the threads of a process do, from `/proc`.
package struct ThreadActivity: Sendable {
  private struct State {
    /// The time for which it has run, in nanoseconds.
    var time: UInt64
    /// Whether it runs, wants to run, or waits for a disk.
    var isBusy: Bool
  }

  private let threads: [Int32: State]

  /// Takes a snapshot of the threads of a process (this process if `pid` is `nil`). Skips threads with these names, threads that
  /// exit meanwhile, and the calling thread, unless `includesCaller`.
  package static func now(
    of pid: Int32? = nil, except names: Set<String>, includesCaller: Bool = false
  ) throws(FileError) -> ThreadActivity {
    let folder = ProcessFiles.path("task", of: pid)
    let calling = try ProcessFiles.text("/proc/thread-self/stat").prefix { $0 != " " }
    var threads: [Int32: State] = [:]
    for number in try ProcessFiles.numbers(in: folder) where includesCaller || "\(number)" != calling {
      do throws(FileError) {
        let stat = try ProcessFiles.text("\(folder)/\(number)/stat")
        guard let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")"),
          !names.contains(String(stat[stat.index(after: start)..<end])),
          let state = stat[stat.index(after: end)...].first(where: { $0 != " " })
        else { continue }
        let times = try ProcessFiles.text("\(folder)/\(number)/schedstat").split(separator: " ")
        threads[number] = State(time: times.first.flatMap { UInt64($0) } ?? 0, isBusy: "RD".contains(state))
      } catch {
        continue
      }
    }
    return ThreadActivity(threads: threads)
  }

  /// All threads of the processes of a program that a process has launched.
  package static func now(ofChildren parent: Int32, named name: String) -> ThreadActivity {
    var threads: [Int32: State] = [:]
    for child in ProcessState.children(of: parent, named: name) {
      // One that has ended meanwhile does nothing.
      do throws(FileError) { threads.merge(try now(of: child, except: []).threads) { $1 } } catch {}
    }
    return ThreadActivity(threads: threads)
  }

  /// These threads and those of another process.
  package func adding(_ other: ThreadActivity) -> ThreadActivity {
    ThreadActivity(threads: threads.merging(other.threads) { $1 })
  }

  /// These threads but that of a number, which is the process' own for its first one.
  package func without(_ thread: Int32) -> ThreadActivity {
    ThreadActivity(threads: threads.filter { $0.key != thread })
  }

  /// The time for which the calling thread was ready and no processor ran it; zero where the kernel does not report it.
  package static func processorDelay() -> Duration {
    do {
      let numbers = try ProcessFiles.text("/proc/thread-self/schedstat").split(separator: " ")
      return numbers.count > 1 ? .nanoseconds(Int64(numbers[1]) ?? 0) : .zero
    } catch {
      return .zero
    }
  }

  /// Whether the system says nothing of any thread.
  package var isEmpty: Bool { threads.isEmpty }

  /// Whether a thread runs, wants to run, or waits for a disk.
  package var isBusy: Bool { threads.values.contains(where: \.isBusy) }

  /// Whether a thread is busy, or has run since `earlier`.
  package func hasWorked(since earlier: ThreadActivity?) -> Bool {
    isBusy || earlier.map { runTime(since: $0) > .zero } ?? false
  }

  /// The time for which the threads have run since `earlier`.
  package func runTime(since earlier: ThreadActivity) -> Duration {
    threads.reduce(.zero) { sum, thread in
      let before = min(earlier.threads[thread.key]?.time ?? 0, thread.value.time)
      return sum + .nanoseconds(Int64(clamping: thread.value.time - before))
    }
  }
}
