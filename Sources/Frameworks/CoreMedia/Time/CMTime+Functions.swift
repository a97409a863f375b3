/// A time of `value / timescale` seconds; invalid when `timescale` is not positive.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// The time nearest to a number of seconds, in units of `1 / preferredTimescale` seconds.
///
/// The scale is halved until the value fits. Infinite seconds give an infinite time, not-a-number and a scale
/// that is not positive give the invalid time.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
  guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
  var scale = preferredTimescale
  while true {
    let exact = seconds * Double(scale)
    let rounded = exact.rounded(.toNearestOrAwayFromZero)
    if let value = CMTimeValue(exactly: rounded) {
      let flags: CMTimeFlags = rounded == exact ? .valid : [.valid, .hasBeenRounded]
      return CMTime(value: value, timescale: scale, flags: flags, epoch: 0)
    }
    guard scale > 1 else { return seconds < 0 ? .negativeInfinity : .positiveInfinity }
    scale /= 2
  }
}

/// The time in seconds; infinite when the time is, not-a-number when it is invalid or indefinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Double {
  if time.isNumeric, time.timescale > 0 { return Double(time.value) / Double(time.timescale) }
  if time.isPositiveInfinity { return .infinity }
  return time.isNegativeInfinity ? -.infinity : .nan
}

/// The same time in units of `1 / newTimescale` seconds, rounded by `method` and marked when that lost
/// precision. A time that is not a number stays as it is; one that does not fit becomes infinite.
public func CMTimeConvertScale(
  _ time: CMTime, timescale newTimescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
  guard time.isNumeric, time.timescale > 0 else { return time }
  guard newTimescale > 0 else { return .invalid }
  let (value, isExact) = scaled(
    Int128(time.value), from: Int128(time.timescale), to: newTimescale, method: method)
  guard let value = CMTimeValue(exactly: value) else {
    return time.value < 0 ? .negativeInfinity : .positiveInfinity
  }
  let flags = isExact ? time.flags : time.flags.union(.hasBeenRounded)
  return CMTime(value: value, timescale: newTimescale, flags: flags, epoch: time.epoch)
}

/// The sum of two times, in the least common multiple of their scales.
///
/// A sum with an invalid time is invalid, with an indefinite one indefinite, with an infinite one infinite
/// (of both infinities: invalid). Of two epochs that are not zero and not equal the sum is invalid.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  let sameEpoch = lhs.epoch == rhs.epoch
  guard sameEpoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
  return sum(lhs, rhs, sign: 1, epoch: sameEpoch ? lhs.epoch : lhs.epoch + rhs.epoch)
}

/// The difference of two times, in the least common multiple of their scales; otherwise as
/// ``CMTimeAdd(_:_:)``. The difference of two times of one epoch is a duration, of epoch zero.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  let sameEpoch = lhs.epoch == rhs.epoch
  guard sameEpoch || rhs.epoch == 0 else { return .invalid }
  return sum(lhs, rhs, sign: -1, epoch: sameEpoch ? 0 : lhs.epoch)
}

/// How two times are ordered: -1, 0 or 1.
///
/// From first to last: negative infinity, numbers (by epoch, then by value), indefinite, positive infinity,
/// invalid. Two times of the same kind that is not a number are equal.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int32 {
    first < second ? -1 : (first > second ? 1 : 0)
  }
  let (rank1, rank2) = (rank(time1), rank(time2))
  guard rank1 == rank2, rank1 == numericRank else { return order(rank1, rank2) }
  guard time1.epoch == time2.epoch else { return order(time1.epoch, time2.epoch) }
  return order(
    Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}

private let numericRank = 1

private func rank(_ time: CMTime) -> Int {
  guard time.isValid else { return 4 }
  if time.isNegativeInfinity { return 0 }
  if time.isPositiveInfinity { return 3 }
  return time.isIndefinite ? 2 : numericRank
}

private func sum(_ lhs: CMTime, _ rhs: CMTime, sign: Int128, epoch: CMTimeEpoch) -> CMTime {
  guard lhs.isValid, rhs.isValid else { return .invalid }
  guard !lhs.isIndefinite, !rhs.isIndefinite else { return .indefinite }
  guard lhs.isNumeric, rhs.isNumeric else { return infiniteSum(lhs, rhs, sign: sign) }
  let (scale1, scale2) = (Int128(lhs.timescale), Int128(rhs.timescale))
  guard scale1 > 0, scale2 > 0 else { return .invalid }

  let commonScale = scale1 / greatestCommonDivisor(scale1, scale2) * scale2
  let total =
    Int128(lhs.value) * (commonScale / scale1) + sign * Int128(rhs.value) * (commonScale / scale2)
  var scale = CMTimeScale(exactly: commonScale) ?? kCMTimeMaxTimescale
  while true {
    let (value, isExact) = scaled(total, from: commonScale, to: scale, method: .default)
    if let value = CMTimeValue(exactly: value) {
      var flags = lhs.flags.union(rhs.flags)
      if !isExact { flags.insert(.hasBeenRounded) }
      return CMTime(value: value, timescale: scale, flags: flags, epoch: epoch)
    }
    guard scale > 1 else { return total < 0 ? .negativeInfinity : .positiveInfinity }
    scale /= 2
  }
}

private func infiniteSum(_ lhs: CMTime, _ rhs: CMTime, sign: Int128) -> CMTime {
  let up = lhs.isPositiveInfinity || (sign > 0 ? rhs.isPositiveInfinity : rhs.isNegativeInfinity)
  let down = lhs.isNegativeInfinity || (sign > 0 ? rhs.isNegativeInfinity : rhs.isPositiveInfinity)
  guard up != down else { return .invalid }
  return up ? .positiveInfinity : .negativeInfinity
}

/// `value * to / from`, rounded, and whether nothing was lost. The product stays within 128 bits: a value has
/// at most 96 of them (64 of a time, or the sum of two times 31), a scale 31.
private func scaled(
  _ value: Int128, from: Int128, to: CMTimeScale, method: CMTimeRoundingMethod
) -> (value: Int128, isExact: Bool) {
  let (quotient, remainder) = (value * Int128(to)).quotientAndRemainder(dividingBy: from)
  guard remainder != 0 else { return (quotient, true) }
  let awayFromZero: Int128 = remainder < 0 ? -1 : 1
  let goesAway: Bool
  switch method {
  case .roundHalfAwayFromZero: goesAway = remainder.magnitude * 2 >= from.magnitude
  case .roundTowardZero: goesAway = false
  case .roundAwayFromZero: goesAway = true
  case .quickTime: goesAway = Int128(to) > from
  case .roundTowardPositiveInfinity: goesAway = remainder > 0
  case .roundTowardNegativeInfinity: goesAway = remainder < 0
  }
  return (goesAway ? quotient + awayFromZero : quotient, false)
}

private func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
