import Platform
import TestPatterns

/// One direction of a connection: determines which bytes its faults deliver at which time, and when they end the connection.
///
/// It makes no system call and reads no clock. Its random numbers depend on the seed of a fault and the number of the connection,
/// but not on the time.
struct FaultyStream {
  private struct Piece {
    var bytes: ArraySlice<UInt8>
    let time: MonotonicTime
  }

  /// A fault of this connection with its random numbers and its counters.
  private struct Active {
    let fault: SocketFault
    var random: SplitMix
    let start: MonotonicTime
    /// The bytes passed so far (`limit_data`), or the bytes of the current slice (`slicer`).
    var count = 0
    var sliceSize = 0
  }

  /// The maximum number of bytes in flight (a fifth of a second of uncompressed video).
  static let capacity = 12 << 20
  /// How far a slow line may be behind, in addition to the latency, before it accepts no more bytes.
  private static let backlog = Duration.milliseconds(100)
  private static let readSize = 32 << 10

  private let stream: SocketFault.Stream
  private let connection: UInt64
  private var pieces: [Piece] = []
  private var first = 0
  private var active: [Active] = []
  private(set) var byteCount = 0
  /// When the newest piece is due, when the line is free again, and when a fault ends the connection.
  private var lastTime = MonotonicTime.zero
  private var lineIsFreeAt = MonotonicTime.zero
  private var endTime: MonotonicTime?
  private var endsAfterData = false
  private var hasDroppedBytes = false
  private(set) var ending: SocketFault.Kind?

  init(_ stream: SocketFault.Stream, ofConnection number: UInt64) {
    (self.stream, connection) = (stream, number)
  }

  var faults: [SocketFault] { active.map(\.fault) }

  /// Replaces the faults of this direction. A fault that stays continues unchanged. If no fault is left, waiting bytes are due at
  /// once. If a connection has dropped bytes, removing its `timeout` ends the connection.
  mutating func setFaults(_ faults: [SocketFault], at now: MonotonicTime) {
    let earlier = active
    active = faults.filter { $0.stream == stream }.compactMap { fault in
      if let same = earlier.first(where: { $0.fault == fault }) { return same }
      var random = SplitMix(state: fault.seed &+ connection &* 0xD1B5_4A32_D192_ED03)
      guard random.next() % 100 < UInt64(fault.percentage) else { return nil }
      return Active(fault: fault, random: random, start: now)
    }
    if !has(ending) { (ending, endTime, endsAfterData) = (nil, nil, false) }
    if hasDroppedBytes, !has(.timeout) { end(by: .timeout, at: now) }
    if let timeout = active.first(where: { $0.fault.kind == .timeout }), timeout.fault["timeout"] > 0 {
      end(by: .timeout, at: timeout.start + .milliseconds(timeout.fault["timeout"]))
    }
    if active.isEmpty {
      pieces = pieces.dropFirst(first).map { Piece(bytes: $0.bytes, time: now) }
      (first, lastTime, lineIsFreeAt) = (0, now, now)
    }
  }

  private func has(_ kind: SocketFault.Kind?) -> Bool { active.contains { $0.fault.kind == kind } }

  private mutating func end(by kind: SocketFault.Kind, at time: MonotonicTime, afterData: Bool = false) {
    if let endTime, endTime <= time { return }
    (ending, endTime, endsAfterData) = (kind, time, afterData)
  }

  /// Whether a reset waits for bytes, or has seen some. The bytes stay unread, so that closing the connection resets the sender.
  var resets: Bool { has(.resetPeer) }

  /// Starts the timeout of a reset, because the first bytes have arrived.
  mutating func startReset(at now: MonotonicTime) {
    guard ending != .resetPeer, let fault = active.first(where: { $0.fault.kind == .resetPeer })?.fault else {
      return
    }
    end(by: .resetPeer, at: now + .milliseconds(fault["timeout"]))
  }

  /// The number of bytes that the stream accepts now; 0 if it accepts none.
  func room(at now: MonotonicTime) -> Int {
    // Without a fault, it stops reading from the sender as early as a direct connection.
    guard byteCount < (active.isEmpty ? Self.readSize : Self.capacity), !(ending != nil && endsAfterData),
      ending != .resetPeer
    else {
      return 0
    }
    let delays = active.filter { $0.fault.kind == .latency }.map { $0.fault["latency"] + $0.fault["jitter"] }
    guard lastTime - now <= .milliseconds(delays.reduce(0, +)) + Self.backlog else { return 0 }
    guard let rate = active.first(where: { $0.fault.kind == .bandwidth })?.fault["rate"] else {
      return Self.readSize
    }
    return min(Self.readSize, rate * 100)
  }

  mutating func take(_ bytes: [UInt8], at now: MonotonicTime) {
    if has(.timeout) {
      hasDroppedBytes = true
      return
    }
    var (rest, time) = (bytes[...], max(now, lastTime))
    var (slicer, limit): (Int?, Int?)
    for index in active.indices {
      let fault = active[index].fault
      switch fault.kind {
      case .latency:
        let jitter = fault["jitter"]
        let shift = jitter == 0 ? 0 : Int(active[index].random.next() % UInt64(2 * jitter + 1)) - jitter
        time = max(lastTime, now + .milliseconds(max(0, fault["latency"] + shift)))
      case .limitData:
        rest = rest.prefix(fault["bytes"] - active[index].count)
        active[index].count += rest.count
        if active[index].count == fault["bytes"] { limit = index }
      case .slicer: slicer = index
      case .bandwidth, .timeout, .resetPeer: break
      }
    }
    while !rest.isEmpty {
      let piece = rest.prefix(slicer.map { nextSlice(of: &active[$0], at: &time) } ?? rest.count)
      if let slicer { active[slicer].count += piece.count }
      append(piece, at: time)
      rest = rest.dropFirst(piece.count)
    }
    if limit != nil { end(by: .limitData, at: lastTime, afterData: true) }
  }

  /// Returns the bytes left in the current slice, or the size of the next slice. The next slice is due later.
  private func nextSlice(of slicer: inout Active, at time: inout MonotonicTime) -> Int {
    if slicer.count < slicer.sliceSize { return slicer.sliceSize - slicer.count }
    let (size, variation) = (slicer.fault["average_size"], slicer.fault["size_variation"])
    let shift = variation == 0 ? 0 : Int(slicer.random.next() % UInt64(2 * variation + 1)) - variation
    // The first slice is not delayed.
    if slicer.sliceSize > 0 { time = max(time, lastTime + .microseconds(slicer.fault["delay"])) }
    (slicer.sliceSize, slicer.count) = (size + shift, 0)
    return slicer.sliceSize
  }

  private mutating func append(_ piece: ArraySlice<UInt8>, at time: MonotonicTime) {
    var time = max(time, lastTime)
    if let rate = active.first(where: { $0.fault.kind == .bandwidth })?.fault["rate"] {
      // The rate is in kB per second: at a rate of 1, a byte takes 1,000,000 ns.
      lineIsFreeAt = max(time, lineIsFreeAt) + .nanoseconds(piece.count * 1_000_000 / rate)
      time = lineIsFreeAt
    }
    pieces.append(Piece(bytes: piece, time: time))
    lastTime = time
    byteCount += piece.count
  }

  /// Returns the next bytes that are due; empty if there are none.
  func due(at now: MonotonicTime) -> ArraySlice<UInt8> {
    guard first < pieces.count, pieces[first].time <= now else { return [] }
    return pieces[first].bytes
  }

  /// Removes the first `count` bytes that ``due(at:)`` returned.
  mutating func remove(_ count: Int) {
    pieces[first].bytes.removeFirst(count)
    byteCount -= count
    guard pieces[first].bytes.isEmpty else { return }
    first += 1
    if first == pieces.count || first > 1000 {
      pieces.removeFirst(first)
      first = 0
    }
  }

  mutating func discard() { (pieces, first, byteCount) = ([], 0, 0) }

  /// When the next bytes are due, or when the connection ends.
  var nextTime: MonotonicTime? {
    let end = endsAfterData && byteCount > 0 ? nil : endTime
    return [first < pieces.count ? pieces[first].time : nil, end].compactMap { $0 }.min()
  }

  /// Returns whether a fault ends the connection now.
  func hasEnded(at now: MonotonicTime) -> Bool {
    guard let endTime, now >= endTime else { return false }
    return !endsAfterData || byteCount == 0
  }
}
