import Causes
import Platform
import Synchronization

/// A connection of the handler through the proxy. Forwards the bytes of both directions on its own thread, delayed, sliced
/// or dropped by the faults.
final class ProxiedConnection: Sendable {
  let number: UInt64
  let name: String
  /// The proxy's ends of two connections: to the handler, and to the process that the handler connects to.
  private let handler: FileDescriptor
  private let peer: FileDescriptor
  private let wakeUp: FileDescriptor
  private let newFaults: Mutex<[SocketFault]?>
  private let clock = SystemClock()

  init(
    number: UInt64, name: String, handler: consuming FileDescriptor, peer: consuming FileDescriptor,
    faults: [SocketFault]
  ) throws(FileError) {
    self.number = number
    self.name = name
    self.handler = handler
    self.peer = peer
    wakeUp = try System.makeEventCounter()
    newFaults = Mutex(faults)
  }

  func setFaults(_ faults: [SocketFault]) {
    newFaults.withLock { $0 = faults }
    System.signal(wakeUp)
  }

  /// The state of the proxy's connection to one side.
  private struct End {
    /// Whether the side takes no more bytes.
    var isGone = false
    /// Whether a call has failed because the side reset the connection. The system reports a reset only once.
    var wasReset = false
  }

  private struct Direction {
    /// The name of the sending side in events.
    let source: String
    var stream: FaultyStream
    /// Whether the source has sent its last byte, or the connection to it is broken.
    var sourceHasEnded = false
    var isReset = false
    /// Whether no byte follows to the sink.
    var isFinished = false
    var waitsForSink = false
    var sentBytes: UInt64 = 0
  }

  /// Forwards bytes until the connection is closed.
  ///
  /// - Parameters:
  ///   - hasStarted: receives the faults that the connection has at its start.
  ///   - holds: receives the change of the number of bytes in flight.
  ///   - sent: receives the number of bytes that the handler has sent.
  /// - Returns: the event with the reason why the connection was closed.
  func run(
    hasStarted: ([SocketFault]) -> Void, holds: (Int) -> Void, sent: (Int) -> Void
  ) -> SocketEvent {
    var up = Direction(source: "handler", stream: FaultyStream(.upstream, ofConnection: number))
    var down = Direction(source: "peer", stream: FaultyStream(.downstream, ofConnection: number))
    var (handlerEnd, peerEnd, held, firstEnd) = (End(), End(), 0, String?.none)
    defer { holds(-held) }
    takeFaults(&up, &down)
    hasStarted(up.stream.faults + down.stream.faults)
    while true {
      let now = clock.now
      deliver(&up, to: peer, &peerEnd, at: now)
      deliver(&down, to: handler, &handlerEnd, at: now)
      if let direction = [up, down].first(where: { $0.stream.hasEnded(at: now) }) {
        if direction.stream.ending == .resetPeer { resetBoth() }
        return closed(by: direction.stream.ending?.rawValue ?? "", up, down)
      }
      // The bytes before the reset have been delivered.
      if let direction = [up, down].first(where: { $0.isReset && $0.stream.byteCount == 0 }) {
        resetBoth()
        return closed(by: direction.source, up, down)
      }
      firstEnd = firstEnd ?? [up, down].first(where: \.sourceHasEnded)?.source
      // A side that has gone gets nothing. The other side learns of it after it has received the remaining bytes.
      if up.isFinished && down.isFinished { return closed(by: firstEnd ?? down.source, up, down) }
      let change = up.stream.byteCount + down.stream.byteCount - held
      held += change
      if change != 0 { holds(change) }

      // Before a reset leave the bytes of both sides unread, because a local socket resets the side that sent them.
      let isReset = [up, down].contains { $0.stream.ending == .resetPeer }
      let (upRoom, downRoom) = isReset ? (0, 0) : (room(of: up, at: now), room(of: down, at: now))
      var entries = [System.PollEntry(wakeUp, reads: true, writes: false)]
      // A side that has gone is always ready, so poll it only while its last bytes are read.
      let handlerIndex = handlerEnd.isGone && upRoom == 0 ? nil : entries.count
      if handlerIndex != nil {
        entries.append(System.PollEntry(handler, reads: upRoom > 0, writes: down.waitsForSink))
      }
      let peerIndex = peerEnd.isGone && downRoom == 0 ? nil : entries.count
      if peerIndex != nil {
        entries.append(System.PollEntry(peer, reads: downRoom > 0, writes: up.waitsForSink))
      }
      System.wait(for: &entries, within: limit(up, down, from: now))
      if entries[0].isReady { System.reset(wakeUp) }
      // Apply new faults before reading, because bytes that were sent after the change are subject to them.
      takeFaults(&up, &down)
      if let index = handlerIndex, entries[index].isReady {
        handlerEnd.isGone = handlerEnd.isGone || entries[index].isBroken
        if upRoom > 0 { sent(receive(upRoom, from: handler, handlerEnd, for: &up)) }
      }
      if let index = peerIndex, entries[index].isReady {
        peerEnd.isGone = peerEnd.isGone || entries[index].isBroken
        if downRoom > 0, up.stream.ending != .resetPeer {
          _ = receive(downRoom, from: peer, peerEnd, for: &down)
        }
      }
    }
  }

  private func takeFaults(_ up: inout Direction, _ down: inout Direction) {
    guard let faults = newFaults.withLock({ $0.take() }) else { return }
    let now = clock.now
    up.stream.setFaults(faults, at: now)
    down.stream.setFaults(faults, at: now)
  }

  private func room(of direction: Direction, at now: MonotonicTime) -> Int {
    direction.sourceHasEnded || direction.isFinished ? 0 : direction.stream.room(at: now)
  }

  /// Returns the time until the next action that needs no event; `nil` if there is none.
  private func limit(_ up: Direction, _ down: Direction, from now: MonotonicTime) -> Duration? {
    // Bytes that wait for their sink are due already.
    let times = [up, down].filter { !$0.waitsForSink && !$0.isFinished }.compactMap(\.stream.nextTime)
    return times.min().map { max(.zero, $0 - now) }
  }

  /// Returns the number of bytes received.
  private func receive(
    _ count: Int, from source: borrowing FileDescriptor, _ end: End, for direction: inout Direction
  ) -> Int {
    if direction.stream.resets {
      direction.stream.startReset(at: clock.now)
      return 0
    }
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(FileError) {
      guard let received = try System.receiveAvailable(source, into: &bytes) else { return 0 }
      guard received > 0 else {
        (direction.sourceHasEnded, direction.isReset) = (true, end.wasReset)
        return 0
      }
      bytes.removeLast(count - received)
      direction.stream.take(bytes, at: clock.now)
      return received
    } catch {
      // The connection is broken, so no byte follows.
      (direction.sourceHasEnded, direction.isReset) = (true, true)
      return 0
    }
  }

  private func deliver(
    _ direction: inout Direction, to sink: borrowing FileDescriptor, _ end: inout End, at now: MonotonicTime
  ) {
    direction.waitsForSink = false
    while !direction.isFinished, !end.isGone {
      let bytes = direction.stream.due(at: now)
      guard !bytes.isEmpty else { break }
      do throws(FileError) {
        guard let count = try System.sendAvailable(Array(bytes), from: 0, to: sink) else {
          direction.waitsForSink = true
          return
        }
        direction.stream.remove(count)
        direction.sentBytes += UInt64(count)
      } catch {
        (end.isGone, end.wasReset) = (true, error.errno == .connectionReset)
      }
    }
    if end.isGone, !direction.isFinished {
      direction.stream.discard()
      direction.isFinished = true
    }
    if direction.sourceHasEnded, !direction.isReset, direction.stream.byteCount == 0, !direction.isFinished {
      direction.isFinished = true
      System.shutDown(sink, readingToo: false)
    }
  }

  private func resetBoth() {
    System.resetWhenClosed(handler.rawValue)
    System.resetWhenClosed(peer.rawValue)
  }

  private func closed(by cause: String, _ up: Direction, _ down: Direction) -> SocketEvent {
    SocketEvent(
      connection: number, path: name, what: .closed,
      faults: (up.stream.faults + down.stream.faults).text, cause: cause,
      upstreamBytes: up.sentBytes, downstreamBytes: down.sentBytes)
  }
}

extension [SocketFault] {
  /// The faults as typed, separated by spaces.
  var text: String { map(\.text).joined(separator: " ") }
}
