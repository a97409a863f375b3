import Platform
import TestPatterns

/// One direction of a connection: when its faults deliver which bytes, and end the connection.
///
/// It makes no call and reads no clock. The random numbers depend on the seed of a fault and the number of the connection,
/// and not on the time.
struct FaultyStream {
  private struct Piece {
    var bytes: ArraySlice<UInt8>
    let time: MonotonicTime
  }

  /// A fault of this connection with its random numbers, and what it has done.
  private struct Active {
    let fault: SocketFault
    var random: SplitMix
    let start: MonotonicTime
    /// The bytes that went through, for `limit_data`; those of the present slice, for `slicer`.
    var count = 0
    var sliceSize = 0
  }

  /// The most bytes that are on their way: those of a fifth of a second of uncompressed video.
  static let capacity = 12 << 20
  /// How far a slow line may be behind, beyond the latency, before it takes no more.
  private static let backlog = Duration.milliseconds(100)
  private static let readSize = 32 << 10

  private let stream: SocketFault.Stream
  private let connection: UInt64
  private var pieces: [Piece] = []
  private var first = 0
  private var active: [Active] = []
  private(set) var byteCount = 0
  /// The time at which the newest piece is due, and the connection ends by a fault.
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

  /// Replaces the faults of this direction at an instant. A fault that stays continues as it was; bytes that wait are due
  /// at once when no fault is left. A connection that has lost bytes ends with its `timeout`.
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

  /// Whether a reset waits for bytes, or has seen some. They stay unread, so that their sender is reset.
  var resets: Bool { has(.resetPeer) }

  /// Bytes of a connection that `resets` have come.
  mutating func startReset(at now: MonotonicTime) {
    guard ending != .resetPeer, let fault = active.first(where: { $0.fault.kind == .resetPeer })?.fault else {
      return
    }
    end(by: .resetPeer, at: now + .milliseconds(fault["timeout"]))
  }

  /// The number of bytes that it takes at once; 0 while it takes none.
  func room(at now: MonotonicTime) -> Int {
    // Without a fault it holds back its source as early as a direct connection.
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

  /// The bytes that are left of the present slice, or those of the next one, which is due later.
  private func nextSlice(of slicer: inout Active, at time: inout MonotonicTime) -> Int {
    if slicer.count < slicer.sliceSize { return slicer.sliceSize - slicer.count }
    let (size, variation) = (slicer.fault["average_size"], slicer.fault["size_variation"])
    let shift = variation == 0 ? 0 : Int(slicer.random.next() % UInt64(2 * variation + 1)) - variation
    // The first slice is not late.
    if slicer.sliceSize > 0 { time = max(time, lastTime + .microseconds(slicer.fault["delay"])) }
    (slicer.sliceSize, slicer.count) = (size + shift, 0)
    return slicer.sliceSize
  }

  private mutating func append(_ piece: ArraySlice<UInt8>, at time: MonotonicTime) {
    var time = max(time, lastTime)
    if let rate = active.first(where: { $0.fault.kind == .bandwidth })?.fault["rate"] {
      // A rate of 1 is a byte in a microsecond times 1000.
      lineIsFreeAt = max(time, lineIsFreeAt) + .nanoseconds(piece.count * 1_000_000 / rate)
      time = lineIsFreeAt
    }
    pieces.append(Piece(bytes: piece, time: time))
    lastTime = time
    byteCount += piece.count
  }

  /// The bytes that are due, in order; empty if none are.
  func due(at now: MonotonicTime) -> ArraySlice<UInt8> {
    guard first < pieces.count, pieces[first].time <= now else { return [] }
    return pieces[first].bytes
  }

  /// Removes the first `count` bytes of those that were due.
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

  /// When the next bytes are due, or the connection ends.
  var nextTime: MonotonicTime? {
    let end = endsAfterData && byteCount > 0 ? nil : endTime
    return [first < pieces.count ? pieces[first].time : nil, end].compactMap { $0 }.min()
  }

  /// Whether a fault ends the connection now.
  func hasEnded(at now: MonotonicTime) -> Bool {
    guard let endTime, now >= endTime else { return false }
    return !endsAfterData || byteCount == 0
  }
}
