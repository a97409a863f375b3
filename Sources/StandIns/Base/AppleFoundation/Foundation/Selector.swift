import Foundation
import Synchronization

/// Swift on Linux has no `#selector`; `broadcast import` writes `Selector(SampleHandler.tick)` in its place.
public struct Selector: @unchecked Sendable {
  // As on iOS, the method runs where the timer or the notification runs, regardless of the isolation of its type.
  private let method: (AnyObject, Any?) -> Void
  private let isMethod: (AnyObject) -> Bool

  public init<Target: AnyObject, Result>(_ method: @escaping (Target) -> () -> Result) {
    self.method = { target, _ in if let target = target as? Target { _ = method(target)() } }
    isMethod = { $0 is Target }
  }

  /// A method with one argument. It is not called if the argument has another type.
  public init<Target: AnyObject, Argument, Result>(_ method: @escaping (Target) -> (Argument) -> Result) {
    self.method = { target, argument in
      if let target = target as? Target, let argument = argument as? Argument { _ = method(target)(argument) }
    }
    isMethod = { $0 is Target }
  }

  /// No object responds to it, because Swift on Linux has no methods by name. A call is logged.
  public init(_ str: String) {
    method = { target, _ in
      NSLog(
        "%@", "Selector: '\(str)' of \(type(of: target)) is not called: Linux has no methods by name.")
    }
    isMethod = { _ in false }
  }

  package func call(_ target: AnyObject, _ argument: Any?) { method(target, argument) }

  fileprivate func isMethod(of target: AnyObject) -> Bool { isMethod(target) }
}

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
extension NSObject {
  public func responds(to aSelector: Selector!) -> Bool { aSelector?.isMethod(of: self) == true }

  /// Always returns `nil` here: the result of the method is dropped.
  @discardableResult
  public func perform(_ aSelector: Selector!, with object: Any? = nil) -> Unmanaged<AnyObject>! {
    aSelector?.call(self, object)
    return nil
  }
}

/// A target and an argument. As on iOS, the caller of a selector passes them to another thread.
private struct Call: @unchecked Sendable {
  let target: AnyObject
  let selector: Selector
  var argument: Any?

  init(_ target: Any, _ selector: Selector, _ argument: Any? = nil) {
    self.target = target as AnyObject
    self.selector = selector
    self.argument = argument
  }

  func callAsFunction(_ argument: Any? = nil) { selector.call(target, argument ?? self.argument) }
}

extension Timer {
  public convenience init(
    timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
  ) {
    let call = Call(target, selector)
    self.init(timeInterval: timeInterval, repeats: repeats) { call($0) }
  }

  @discardableResult
  public class func scheduledTimer(
    timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
  ) -> Timer {
    let call = Call(target, selector)
    return scheduledTimer(withTimeInterval: timeInterval, repeats: repeats) { call($0) }
  }
}

extension Thread {
  public convenience init(target: Any, selector: Selector, object: Any?) {
    let call = Call(target, selector, object)
    self.init { call() }
  }

  public class func detachNewThreadSelector(_ selector: Selector, toTarget target: Any, with object: Any?) {
    let call = Call(target, selector, object)
    detachNewThread { call() }
  }
}

extension NotificationCenter {
  private struct WeakObserver: @unchecked Sendable {
    weak var object: AnyObject?
  }

  private struct Registration: @unchecked Sendable {
    weak var center: NotificationCenter?
    let observer: WeakObserver
    let name: NSNotification.Name?
    let object: ObjectIdentifier?
    let token: any NSObjectProtocol
  }

  /// The observers with methods, of all centers.
  private static let registrations = Mutex<[Registration]>([])

  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    let observer = WeakObserver(object: observer as AnyObject)
    let token = addObserver(forName: name, object: object, queue: nil) { notification in
      if let target = observer.object { selector.call(target, notification) }
    }
    let registration = Registration(
      center: self, observer: observer, name: name, object: object.map { ObjectIdentifier($0 as AnyObject) },
      token: token)
    Self.remove { $0.observer.object == nil }
    Self.registrations.withLock { $0.append(registration) }
  }

  public func removeObserver(_ observer: AnyObject) {
    Self.remove { $0.center === self && $0.observer.object === observer }
    removeObserver(observer as Any)
  }

  public func removeObserver(_ observer: AnyObject, name: NSNotification.Name?, object: Any?) {
    let identity = object.map { ObjectIdentifier($0 as AnyObject) }
    Self.remove {
      $0.center === self && $0.observer.object === observer && (name == nil || $0.name == name)
        && (identity == nil || $0.object == identity)
    }
    removeObserver(observer as Any, name: name, object: object)
  }

  private static func remove(_ isMeant: (Registration) -> Bool) {
    let removed = registrations.withLock { all in
      defer { all.removeAll(where: isMeant) }
      return all.filter(isMeant)
    }
    // If a center is passed the token of another center, it removes its own observers of that name.
    for registration in removed { registration.center?.removeObserver(registration.token as Any) }
  }
}
