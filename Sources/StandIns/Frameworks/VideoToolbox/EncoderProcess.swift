import Foundation
import Platform
import Synchronization

/// A process of ffmpeg, whose standard input is a socket. A process that does nothing while it is waited for is ended.
package final class EncoderProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// How long a process may work without an answer.
  package enum Limit {
    /// Twelve times the patience.
    case someTime
    /// As long as it works.
    case none
  }

  /// The rounds of a wait. A process that was stopped together with this one stands for one round.
  private static let rounds = 5
  private static let mostRounds = 12 * rounds

  /// The programs that the system cannot start. They are not tried again, with each frame: each attempt costs descriptors that
  /// Foundation does not close.
  private static let unusable = Mutex<[URL: Failure]>([:])

  private let program: EncoderProgram
  private let pid: Int32
  /// `false` for a process that writes to the socket: ``waitForOutput(while:)`` ends one that hangs.
  private let isWatched: Bool
  private let ending: Ending
  /// What the process writes to its standard error.
  private let messages: FileHandle
  /// Why the process was ended.
  private let reason = Mutex<String?>(nil)
  /// The standard input of the process, and its standard output if that has no file.
  let socket: FileDescriptor

  /// Starts a process.
  /// - Parameter output: what the process writes to its standard output; `nil` for the socket.
  package init(_ program: EncoderProgram, _ arguments: [String], output: FileHandle? = nil) throws {
    if let failure = Self.unusable.withLock({ $0[program.url] }) { throw failure }
    let process = Process()
    let messages = try FileHandle(withoutName: ())
    let ending = Ending(of: process)
    process.executableURL = program.url
    process.arguments = arguments
    socket = try System.connectedSocket { far in
      // Foundation keeps a process that has ended, and its handles: they do not own the descriptors.
      process.standardInput = FileHandle(fileDescriptor: far.rawValue)
      process.standardOutput = FileHandle(fileDescriptor: output?.fileDescriptor ?? far.rawValue)
      process.standardError = FileHandle(fileDescriptor: messages.fileDescriptor)
      do { try Launching.run(process) } catch {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let text = cause.map { "\(Errno(rawValue: Int32($0.code)))" } ?? error.localizedDescription
        let failure = Failure(description: "\(program.url.path) cannot be started: \(text)")
        // Without room for a process a later attempt may succeed.
        if let code = cause?.code, ![EAGAIN, ENOMEM, EMFILE, ENFILE].contains(Int32(code)) {
          Self.unusable.withLock { $0[program.url] = failure }
        }
        throw failure
      }
    }
    (self.program, self.messages, self.ending) = (program, messages, ending)
    (pid, isWatched) = (process.processIdentifier, output != nil)
  }

  deinit { kill() }

  /// Sends all bytes. Throws when the process has ended.
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
      // It has closed its input, and says why before it exits.
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

  /// Lets the process do the rest of its work, and waits for its end.
  package func end(_ limit: Limit = .someTime) throws(Failure) {
    endInput()
    if waitForEnd(limit) != 0 { throw failure() }
  }

  /// Lets the process do the rest of its work.
  func endInput() { System.shutDown(socket, readingToo: false) }

  /// Ends the process, and those that it started.
  package func kill() {
    System.shutDown(socket, readingToo: true)
    ending.ifRuns { _ = Foundation.kill(-pid, SIGKILL) }
  }

  /// Why the process failed: why it was ended, or what it wrote, or else `fault`.
  func failure(_ fault: String = "failed without a message") -> Failure {
    if let reason = reason.withLock(\.self) { return Failure(description: reason) }
    var bytes = Data()
    do {
      try messages.seek(toOffset: 0)
      bytes = try messages.read(upToCount: 4096) ?? bytes
    } catch {
      // It counts as a process that wrote nothing.
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    let words = lines.isEmpty ? fault : "says '\(lines.prefix(3).joined(separator: "; "))'"
    return Failure(description: "\(program.url.path) \(words)")
  }

  // MARK: Waiting

  /// A wait without an answer.
  private struct Wait {
    var limit = Limit.someTime
    var rounds = 0
    var idleRounds = 0
    var last: ThreadActivity?
  }

  private var round: Duration { program.patience / Self.rounds }

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

  /// Ends a process that did nothing in the last rounds, and one that has worked for long without an answer.
  private func passRound(_ wait: inout Wait) {
    wait.rounds += 1
    wait.idleRounds = isAtRest(since: &wait.last) ? wait.idleRounds + 1 : 0
    let isIdle = wait.idleRounds >= Self.rounds
    let seconds = NSNumber(value: round * (isIdle ? wait.idleRounds : wait.rounds) / .seconds(1))
    if isIdle || wait.limit == .someTime && wait.rounds >= Self.mostRounds {
      let fault = isIdle ? "takes no data and gives none for" : "has worked without an answer for"
      reason.withLock { $0 = $0 ?? "ffmpeg (process \(pid)) \(fault) \(seconds) s, and is ended" }
      kill()
    } else if wait.rounds == Self.rounds {
      EncoderProgram.report(
        "process \(pid) has worked for \(seconds) s without an answer: this machine encodes slower than a device",
        by: "ffmpeg")
    }
  }

  /// Whether no thread of the process has run since the last round. Also `false` if the system does not say it.
  private func isAtRest(since last: inout ThreadActivity?) -> Bool {
    do throws(FileError) {
      let now = try ThreadActivity.now(of: pid, except: [])
      defer { last = now }
      return !now.isEmpty && !now.hasWorked(since: last)
    } catch {
      return false
    }
  }
}

/// The end of a process.
private final class Ending: Sendable {
  private let status = Mutex<Int32?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Takes note of the end of a process, which is not started yet.
  init(of process: Process) {
    // The handler keeps this object, and is released after its call.
    process.terminationHandler = { [self] process in
      status.withLock { $0 = process.terminationReason == .exit ? process.terminationStatus : -1 }
      semaphore.signal()
    }
  }

  /// Waits for the end. Returns the exit code, or -1 after a signal; `nil` when `limit` is over.
  func status(within limit: Duration) -> Int32? {
    // A further wait returns at once as well.
    if semaphore.wait(timeout: .now() + limit / .seconds(1)) == .success { semaphore.signal() }
    return status.withLock(\.self)
  }

  func ifRuns(_ body: () -> Void) { status.withLock { if $0 == nil { body() } } }
}
