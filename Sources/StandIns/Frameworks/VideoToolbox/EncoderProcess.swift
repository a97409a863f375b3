import Foundation
import Platform
import Synchronization

/// A process of ffmpeg with a socket as its stdin. If the process is idle while its answer is awaited, it is killed.
package final class EncoderProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// How long a process may work without a response.
  package enum Limit {
    /// Twelve times the program's wait limit for an idle process.
    case someTime
    /// No timeout while the process works.
    case none
  }

  /// The number of rounds of a wait. If this process was suspended together with ffmpeg, that time counts as one round.
  private static let rounds = 5
  private static let mostRounds = 12 * rounds

  /// The programs that the system cannot start. They are not started again for each frame, because each attempt leaks descriptors
  /// in Foundation.
  private static let unusable = Mutex<[URL: Failure]>([:])

  private let program: EncoderProgram
  private let pid: Int32
  /// `false` for a process that writes to the socket, because ``waitForOutput(while:)`` kills it if it hangs.
  private let isWatched: Bool
  private let ending: Ending
  /// The file with the process's stderr.
  private let messages: FileHandle
  /// Why the process was killed.
  private let reason = Mutex<String?>(nil)
  /// The process's stdin, and its stdout if that is not a file.
  let socket: FileDescriptor

  /// Starts a process.
  /// - Parameter output: the file for the stdout of the process; `nil` for the socket.
  package init(_ program: EncoderProgram, _ arguments: [String], output: FileHandle? = nil) throws {
    if let failure = Self.unusable.withLock({ $0[program.url] }) { throw failure }
    let process = Process()
    let messages = try FileHandle(withoutName: ())
    let ending = Ending(of: process)
    process.executableURL = program.url
    process.arguments = arguments
    socket = try System.connectedSocket { far in
      // The handles do not own the descriptors, because Foundation keeps a process that has exited, and its handles.
      process.standardInput = FileHandle(fileDescriptor: far.rawValue)
      process.standardOutput = FileHandle(fileDescriptor: output?.fileDescriptor ?? far.rawValue)
      process.standardError = FileHandle(fileDescriptor: messages.fileDescriptor)
      do { try ProcessLauncher.run(process) } catch {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let text = cause.map { "\(Errno(rawValue: Int32($0.code)))" } ?? error.localizedDescription
        let failure = Failure(description: "\(program.url.path) cannot be started: \(text)")
        // If the system lacks room for a process, a later attempt may succeed.
        if let code = cause?.code, ![EAGAIN, ENOMEM, EMFILE, ENFILE].contains(Int32(code)) {
          Self.unusable.withLock { $0[program.url] = failure }
        }
        throw failure
      }
    }
    self.program = program
    self.messages = messages
    self.ending = ending
    (pid, isWatched) = (process.processIdentifier, output != nil)
  }

  deinit { kill() }

  /// Sends all bytes. Throws if the process has exited.
  package func send(_ bytes: [UInt8]) throws(Failure) {
    do throws(FileError) {
      guard isWatched else { return try System.send(bytes, to: socket) }
      var sent = 0
      var wait = Wait()
      while sent < bytes.count {
        if let count = try System.sendAvailable(bytes, from: sent, to: socket) {
          sent += count
          wait = Wait()
        } else {
          waitForSocket(reads: false, &wait)
        }
      }
    } catch {
      // The process has closed its input. It writes the reason before it exits.
      waitForEnd(.someTime)
      throw failure()
    }
  }

  /// Waits until the output of the process can be read.
  /// - Parameter isAwaited: whether the process owes an output.
  func waitForOutput(while isAwaited: () -> Bool) {
    var wait = Wait()
    while !waitForSocket(reads: true, &wait) { if !isAwaited() { wait = Wait() } }
  }

  /// Closes the input of the process, which finishes its remaining work, and waits until it exits.
  package func end(_ limit: Limit = .someTime) throws(Failure) {
    endInput()
    if waitForEnd(limit) != 0 { throw failure() }
  }

  /// Closes the input, so that the process finishes its remaining work and exits.
  func endInput() { System.shutDown(socket, readingToo: false) }

  /// Kills the process, and the processes that it started.
  package func kill() {
    System.shutDown(socket, readingToo: true)
    ending.ifRuns { _ = Foundation.kill(-pid, SIGKILL) }
  }

  /// Returns the reason of the failure: why the process was killed, what it wrote to stderr, or else `fault`.
  func failure(_ fault: String = "failed without a message") -> Failure {
    if let reason = reason.withLock(\.self) { return Failure(description: reason) }
    var bytes = Data()
    do {
      try messages.seek(toOffset: 0)
      bytes = try messages.read(upToCount: 4096) ?? bytes
    } catch {
      // Treated like a process that wrote nothing.
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    let words = lines.isEmpty ? fault : "says '\(lines.prefix(3).joined(separator: "; "))'"
    return Failure(description: "\(program.url.path) \(words)")
  }

  // MARK: Waiting

  /// The state of a wait for the process.
  private struct Wait {
    var limit = Limit.someTime
    var rounds = 0
    var idleRounds = 0
    var last: ThreadActivity?
  }

  private var round: Duration { program.waitLimit / Self.rounds }

  @discardableResult
  private func waitForSocket(reads: Bool, _ wait: inout Wait) -> Bool {
    var entries = [System.PollEntry(socket, reads: reads, writes: !reads)]
    System.wait(for: &entries, within: round)
    if entries[0].isReady { return true }
    passRound(&wait)
    return false
  }

  @discardableResult
  private func waitForEnd(_ limit: Limit) -> Int32 {
    var wait = Wait(limit: limit)
    while true {
      if let status = ending.status(within: round) { return status }
      passRound(&wait)
    }
  }

  /// Kills the process if it was idle in the last rounds, or if it has worked too long without an answer.
  private func passRound(_ wait: inout Wait) {
    wait.rounds += 1
    wait.idleRounds = isIdle(since: &wait.last) ? wait.idleRounds + 1 : 0
    let isIdle = wait.idleRounds >= Self.rounds
    let seconds = NSNumber(value: round * (isIdle ? wait.idleRounds : wait.rounds) / .seconds(1))
    if isIdle || wait.limit == .someTime && wait.rounds >= Self.mostRounds {
      let fault = isIdle ? "has neither read nor written data for" : "has worked without an answer for"
      reason.withLock { $0 = $0 ?? "ffmpeg (process \(pid)) \(fault) \(seconds) s, and is killed" }
      kill()
    } else if wait.rounds == Self.rounds {
      EncoderProgram.report(
        "process \(pid) has worked for \(seconds) s without an answer: this host encodes slower than a device",
        by: "ffmpeg")
    }
  }

  /// Whether no thread of the process has run since the last round; `false` if the system does not report it.
  private func isIdle(since last: inout ThreadActivity?) -> Bool {
    do throws(FileError) {
      let now = try ThreadActivity.now(of: pid, except: [])
      defer { last = now }
      return !now.isEmpty && !now.hasWorked(since: last)
    } catch {
      return false
    }
  }
}

/// The exit of a process.
private final class Ending: Sendable {
  private let status = Mutex<Int32?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Observes the exit of a process that is not started yet.
  init(of process: Process) {
    // The handler retains this object, and is released after its call.
    process.terminationHandler = { [self] process in
      status.withLock { $0 = process.terminationReason == .exit ? process.terminationStatus : -1 }
      semaphore.signal()
    }
  }

  /// Waits for the exit. Returns the exit code, or -1 after a signal; `nil` if the timeout `limit` expires.
  func status(within limit: Duration) -> Int32? {
    // A later wait also returns at once.
    if semaphore.wait(timeout: .now() + limit / .seconds(1)) == .success { semaphore.signal() }
    return status.withLock(\.self)
  }

  func ifRuns(_ body: () -> Void) { status.withLock { if $0 == nil { body() } } }
}
