/// A snapshot of what the threads of a process are doing, read from `/proc`.
package struct ThreadActivity: Sendable {
  private struct State {
    /// The CPU time used so far, in nanoseconds.
    var time: UInt64
    /// Whether the thread is runnable or waiting for a disk (states R and D).
    var isBusy: Bool
  }

  private let threads: [Int32: State]

  /// Takes a snapshot of the threads of a process (this process if `pid` is `nil`). Skips threads with the given names, threads
  /// that exit while it is taken, and the calling thread (unless `includesCaller`).
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

  /// Takes a snapshot of all child processes of `parent` that run the program `name`.
  package static func now(ofChildren parent: Int32, named name: String) -> ThreadActivity {
    var threads: [Int32: State] = [:]
    for child in ProcessState.children(of: parent, named: name) {
      // A child that has exited is idle.
      do throws(FileError) { threads.merge(try now(of: child, except: []).threads) { $1 } } catch {}
    }
    return ThreadActivity(threads: threads)
  }

  /// Returns a snapshot that also contains the threads of `other`.
  package func merging(_ other: ThreadActivity) -> ThreadActivity {
    ThreadActivity(threads: threads.merging(other.threads) { $1 })
  }

  /// Returns a snapshot without the thread `thread`. The ID of a main thread is the process ID.
  package func excluding(_ thread: Int32) -> ThreadActivity {
    ThreadActivity(threads: threads.filter { $0.key != thread })
  }

  /// How long the calling thread has been runnable without running, in total. Zero if the kernel does not report it.
  package static func processorDelay() -> Duration { schedulerTime("thread-self", 1) }

  /// Returns the CPU time that a thread of this process has used so far; zero if the thread has exited.
  package static func runTime(of thread: Int32) -> Duration { schedulerTime("self/task/\(thread)", 0) }

  /// Returns a time of a thread from `schedstat` (0: CPU time, 1: delay); zero if the kernel does not report it.
  private static func schedulerTime(_ thread: String, _ index: Int) -> Duration {
    do {
      let numbers = try ProcessFiles.text("/proc/\(thread)/schedstat").split(separator: " ")
      return numbers.count > index ? .nanoseconds(Int64(numbers[index]) ?? 0) : .zero
    } catch {
      return .zero
    }
  }

  /// Whether no thread could be read.
  package var isEmpty: Bool { threads.isEmpty }

  package var isBusy: Bool { threads.values.contains(where: \.isBusy) }

  /// Whether any thread is busy now, or has used CPU time since `earlier`.
  package func hasWorked(since earlier: ThreadActivity?) -> Bool {
    isBusy || earlier.map { runTime(since: $0) > .zero } ?? false
  }

  /// Returns the CPU time that the threads have used since `earlier`.
  package func runTime(since earlier: ThreadActivity) -> Duration {
    threads.reduce(.zero) { sum, thread in
      let before = min(earlier.threads[thread.key]?.time ?? 0, thread.value.time)
      return sum + .nanoseconds(Int64(clamping: thread.value.time - before))
    }
  }
}
