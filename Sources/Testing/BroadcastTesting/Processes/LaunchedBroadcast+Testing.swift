import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms

extension LaunchedBroadcast {
  /// Applies a fault. If a side has several programs, it affects the latest one.
  package func perform(_ fault: BroadcastFault) throws(BroadcastFault.UnsupportedFault) {
    switch fault {
    case .kill(let side): try send(SIGKILL, to: side)
    case .suspend(let side): try send(SIGSTOP, to: side)
    case .resume(let side): try send(SIGCONT, to: side)
    case .truncate(let name, let byteCount): try container.truncate(name, toByteCount: byteCount)
    case .setFlag(let value): try container.setFlag(value)
    case .fillDisk, .emptyDisk:
      guard let disk, disk.diskSpace != nil else {
        throw BroadcastFault.UnsupportedFault(
          "A full disk needs a separate file system; give the broadcast a diskSpace.")
      }
      do { if fault == .fillDisk { try disk.fill() } else { try disk.empty() } } catch {
        throw BroadcastFault.UnsupportedFault("\(disk.path): \(error.reasonText)")
      }
    }
  }

  private func send(_ signal: Int32, to side: BroadcastFault.Side) throws(BroadcastFault.UnsupportedFault) {
    guard let program = side == .app ? app : `extension`, !program.hasEnded else {
      throw BroadcastFault.UnsupportedFault("The process of the \(side.rawValue) does not run.")
    }
    program.send(signal)
  }
}

extension LaunchedProgram {
  /// Waits until the program of an extension has ended, and returns how its broadcast ended.
  @MainActor
  package func broadcastEnd(within limit: Duration = ChildProcess.waitLimit) async throws -> BroadcastEnd {
    var exitCode: Int32?
    if case .exit(let code) = try await end(within: limit) { exitCode = code }
    let finished = received.all.last(where: { $0.name == BroadcastEnd.event })
    var end = try finished?.decoded(as: BroadcastEnd.self) ?? BroadcastEnd(reason: "crashed")
    end.exitCode = exitCode
    return end
  }

  /// Waits until an app has ended, and returns its statistics.
  @MainActor
  package func summary(within limit: Duration = ChildProcess.waitLimit) async throws -> AppSummary {
    let end = try await end(within: limit)
    guard let summary = try events("summary").last else { throw failure("\(end) without its statistics") }
    return try summary.decoded(as: AppSummary.self)
  }
}
