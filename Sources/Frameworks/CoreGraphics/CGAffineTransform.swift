/// A mapping of points: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`. Models CoreGraphics/CGAffineTransform.h.
public struct CGAffineTransform: Sendable, Equatable {
  /// The share of `x` in the new `x`.
  public var a: CGFloat
  /// The share of `x` in the new `y`.
  public var b: CGFloat
  /// The share of `y` in the new `x`.
  public var c: CGFloat
  /// The share of `y` in the new `y`.
  public var d: CGFloat
  /// The translation along `x`.
  public var tx: CGFloat
  /// The translation along `y`.
  public var ty: CGFloat

  /// The mapping that changes nothing.
  public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Creates a mapping from its six numbers.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Creates the mapping that changes nothing.
  public init() { self = .identity }

  /// Creates a mapping that scales.
  public init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// Creates a mapping that moves.
  public init(translationX x: CGFloat, y: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }

  /// Creates a mapping that turns by an angle in radians; counter-clockwise where `y` points up.
  public init(rotationAngle angle: CGFloat) {
    self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
  }

  /// Whether the mapping changes nothing.
  public var isIdentity: Bool { self == .identity }

  /// Returns the mapping that applies this one first and `next` after it.
  public func concatenating(_ next: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d,
      c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// Returns the mapping that scales first and applies this one after it.
  public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
    CGAffineTransform(scaleX: x, y: y).concatenating(self)
  }

  /// Returns the mapping that moves first and applies this one after it.
  public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
    CGAffineTransform(translationX: x, y: y).concatenating(self)
  }

  /// Returns the mapping that turns first and applies this one after it.
  public func rotated(by angle: CGFloat) -> CGAffineTransform {
    CGAffineTransform(rotationAngle: angle).concatenating(self)
  }
}

extension CGPoint {
  /// Returns the point that a mapping makes of this one.
  public func applying(_ transform: CGAffineTransform) -> CGPoint {
    CGPoint(
      x: transform.a * x + transform.c * y + transform.tx, y: transform.b * x + transform.d * y + transform.ty
    )
  }
}

extension CGRect {
  /// Returns the smallest rectangle that contains the mapped corners of this one.
  public func applying(_ transform: CGAffineTransform) -> CGRect {
    let corners = [(minX, minY), (maxX, minY), (minX, maxY), (maxX, maxY)].map {
      CGPoint(x: $0.0, y: $0.1).applying(transform)
    }
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return CGRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }
}

extension CGRect {
  /// The rectangle as a dictionary with the keys `X`, `Y`, `Width` and `Height`. Models CGGeometry.h.
  public var dictionaryRepresentation: CFDictionary {
    ["X": Double(minX), "Y": Double(minY), "Width": Double(width), "Height": Double(height)]
  }

  /// Creates the rectangle of a dictionary; `nil` without one of the four numbers.
  public init?(dictionaryRepresentation dict: CFDictionary) {
    let numbers = ["X", "Y", "Width", "Height"].compactMap { (dict[$0] as? NSNumber)?.doubleValue }
    guard numbers.count == 4 else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
