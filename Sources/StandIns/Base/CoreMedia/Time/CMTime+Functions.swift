// Models the functions in CoreMedia/CMTime.h. No arithmetic here traps, because a handler may pass any bits.

public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
  guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
  var scale = preferredTimescale
  while true {
    let rounded = (seconds * Double(scale)).rounded(.toNearestOrAwayFromZero)
    if let value = CMTimeValue(exactly: rounded) {
      let isSame = Double(value) / Double(scale) == seconds
      let flags: CMTimeFlags = isSame ? .valid : [.valid, .hasBeenRounded]
      return CMTime(value: value, timescale: scale, flags: flags, epoch: 0)
    }
    guard scale > 1 else { return seconds < 0 ? .negativeInfinity : .positiveInfinity }
    scale /= 2
  }
}

public func CMTimeGetSeconds(_ time: CMTime) -> Double {
  if time.isFraction { return Double(time.value) / Double(time.timescale) }
  if time.isPositiveInfinity { return .infinity }
  return time.isNegativeInfinity ? -.infinity : .nan
}

public func CMTimeConvertScale(
  _ time: CMTime, timescale newTimescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
  guard time.isFraction else { return time }
  guard newTimescale > 0 else { return .invalid }
  let (value, isExact) = scaled(
    Int128(time.value), from: Int128(time.timescale), to: newTimescale, method: method)
  guard let value = CMTimeValue(exactly: value) else {
    return time.value < 0 ? .negativeInfinity : .positiveInfinity
  }
  let flags = isExact ? time.flags : time.flags.union(.hasBeenRounded)
  return CMTime(value: value, timescale: newTimescale, flags: flags, epoch: time.epoch)
}

public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  let epoch: CMTimeEpoch? =
    if lhs.epoch == rhs.epoch { 0 } else { lhs.epoch == 0 || rhs.epoch == 0 ? lhs.epoch + rhs.epoch : nil }
  return sum(lhs, rhs, sign: 1, epoch: epoch)
}

public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  let epoch: CMTimeEpoch? = lhs.epoch == rhs.epoch ? 0 : (rhs.epoch == 0 ? lhs.epoch : nil)
  return sum(lhs, rhs, sign: -1, epoch: epoch)
}

public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  time.isFraction ? time.multiplied(by: Int(multiplier)) : time.turned(by: Int64(multiplier))
}

public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  guard time.isFraction else { return time.turned(by: Int64(multiplier) * Int64(divisor)) }
  guard multiplier != 0 || divisor != 0 else { return .invalid }
  let product = Int128(time.value) * Int128(multiplier) * (divisor < 0 ? -1 : 1)
  guard divisor != 0 else { return product < 0 ? .negativeInfinity : .positiveInfinity }
  let divisor = Int128(divisor.magnitude)
  let common = greatestCommonDivisor(Int128(product.magnitude), divisor)
  return CMTime(
    product / common, scale: Int128(time.timescale) * (divisor / common), flags: time.flags, epoch: time.epoch
  )
}

public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int32 {
    first < second ? -1 : (first > second ? 1 : 0)
  }
  guard time1.rank == time2.rank, time1.isNumeric else { return order(time1.rank, time2.rank) }
  guard time1.epoch == time2.epoch else { return order(time1.epoch, time2.epoch) }
  return order(
    Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}

public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
  guard time.isFraction else { return multiplier < 0 ? time.turned(by: -1) : time }
  let seconds = time.seconds * multiplier
  let product = CMTimeMakeWithSeconds(seconds, preferredTimescale: time.timescale)
  guard product.isNumeric, product.flags.contains(.hasBeenRounded) else { return product }
  // A product may lie between two units of the original scale, so the result has a finer scale.
  return CMTimeMakeWithSeconds(seconds, preferredTimescale: max(time.timescale, 1_000_000_000))
}

public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }

public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  guard time.isFraction else { return time.isNegativeInfinity ? .positiveInfinity : time }
  return time.value < 0 ? time.multiplied(by: -1) : time
}

public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

extension CMTime {
  /// Whether the time is numeric with a positive timescale.
  fileprivate var isFraction: Bool { isNumeric && timescale > 0 }

  /// The position of the time's kind in the order of ``CMTimeCompare(_:_:)``.
  fileprivate var rank: Int {
    guard isValid else { return 4 }
    if isNegativeInfinity { return 0 }
    if isPositiveInfinity { return 3 }
    return isIndefinite ? 2 : 1
  }

  /// The sign of an infinite time; zero for other times.
  fileprivate var infinity: Int { isPositiveInfinity ? 1 : (isNegativeInfinity ? -1 : 0) }

  /// Returns an infinite time with the sign of its product with `factor`; any other time unchanged.
  fileprivate func turned(by factor: Int64) -> CMTime {
    guard infinity != 0, factor < 0 else { return self }
    return isPositiveInfinity ? .negativeInfinity : .positiveInfinity
  }

  /// Returns the product with `count` as `CMTimeMultiply` does: infinite if it does not fit.
  func multiplied(by count: Int) -> CMTime {
    guard isFraction else { return self }
    return CMTime(
      Int128(value) * Int128(count), scale: Int128(timescale), flags: flags, epoch: epoch)
  }

  /// Creates the time `total / scale` at the largest timescale that can represent it; infinite if there is none.
  fileprivate init(_ total: Int128, scale: Int128, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    var timescale = CMTimeScale(exactly: scale) ?? .max
    while true {
      let (value, isExact) = scaled(total, from: scale, to: timescale, method: .default)
      if let value = CMTimeValue(exactly: value) {
        self.init(
          value: value, timescale: timescale, flags: isExact ? flags : flags.union(.hasBeenRounded),
          epoch: epoch)
        return
      }
      guard timescale > 1 else {
        self = total < 0 ? .negativeInfinity : .positiveInfinity
        return
      }
      timescale /= 2
    }
  }
}

/// Returns the sum or the difference of two times. If both times are numeric and `epoch` is `nil`, the result is invalid.
private func sum(_ lhs: CMTime, _ rhs: CMTime, sign: Int128, epoch: CMTimeEpoch?) -> CMTime {
  guard lhs.isValid, rhs.isValid else { return .invalid }
  guard lhs.isNumeric, rhs.isNumeric else {
    let infinities = [lhs.infinity, rhs.infinity * Int(sign)].filter { $0 != 0 }
    guard let first = infinities.first else { return .indefinite }
    guard infinities.allSatisfy({ $0 == first }) else { return .invalid }
    return first > 0 ? .positiveInfinity : .negativeInfinity
  }
  guard let epoch else { return .invalid }
  let (scale1, scale2) = (Int128(lhs.timescale), Int128(rhs.timescale))
  guard scale1 > 0, scale2 > 0 else { return .invalid }
  let commonScale = scale1 / greatestCommonDivisor(scale1, scale2) * scale2
  let total =
    Int128(lhs.value) * (commonScale / scale1) + sign * Int128(rhs.value) * (commonScale / scale2)
  return CMTime(total, scale: commonScale, flags: lhs.flags.union(rhs.flags), epoch: epoch)
}

/// Returns `value * to / from`, rounded, and whether the result is exact. If the product exceeds 128 bits, returns the
/// largest or smallest value, because it does not fit a time either way.
private func scaled(
  _ value: Int128, from: Int128, to: CMTimeScale, method: CMTimeRoundingMethod
) -> (value: Int128, isExact: Bool) {
  let (product, overflow) = value.multipliedReportingOverflow(by: Int128(to))
  guard !overflow else { return (value < 0 ? .min : .max, false) }
  let (quotient, remainder) = product.quotientAndRemainder(dividingBy: from)
  guard remainder != 0 else { return (quotient, true) }
  let isAwayFromZero =
    switch method {
    case .roundHalfAwayFromZero: remainder.magnitude * 2 >= from.magnitude
    case .roundTowardZero: false
    case .roundAwayFromZero: true
    case .quickTime: Int128(to) > from || (quotient == 0 && remainder < 0)
    case .roundTowardPositiveInfinity: remainder > 0
    case .roundTowardNegativeInfinity: remainder < 0
    }
  return (isAwayFromZero ? quotient + (remainder < 0 ? -1 : 1) : quotient, false)
}

private func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
