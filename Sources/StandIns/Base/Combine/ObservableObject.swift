import Foundation
import Synchronization

public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  public var objectWillChange: ObservableObjectPublisher { AnnouncedObjects.publisher(of: self) }
}

public final class ObservableObjectPublisher: Publisher, Sendable {
  public typealias Output = Void
  public typealias Failure = Never
  private let subject = PassthroughSubject<Void, Never>()

  public init() {}

  public func send() { subject.send() }

  public func eraseToAnyPublisher() -> AnyPublisher<Void, Never> { subject.eraseToAnyPublisher() }
}

/// The publishers of objects that do not declare `objectWillChange`.
private enum AnnouncedObjects {
  private struct Entry: @unchecked Sendable {
    // Unchecked `Sendable`: the object is compared and not used.
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let entry = Entry(object: object, publisher: ObservableObjectPublisher())
    let id = ObjectIdentifier(object)
    return entries.withLock { entries in
      // The address may have belonged to an object that no longer exists.
      if let known = entries[id], known.object != nil { return known.publisher }
      if entries.count % 64 == 63 { entries = entries.filter { $0.value.object != nil } }
      entries[id] = entry
      return entry.publisher
    }
  }
}

@propertyWrapper
public struct Published<Value> {
  private let subject: CurrentValueSubject<Value, Never>
  private let assigned = AssignedSubscriptions()

  public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  public static subscript<Object: AnyObject>(
    _enclosingInstance object: Object, wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].subject.value }
    set {
      if let observed = object as? any ObservableObject { announce(observed) }
      object[keyPath: storageKeyPath].subject.sendThenKeep(newValue)
    }
  }

  private static func announce(_ object: some ObservableObject) {
    (object.objectWillChange as? ObservableObjectPublisher)?.send()
  }

  public var projectedValue: Publisher {
    get { Publisher(subject: subject, assigned: assigned) }
    set {}
  }

  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never
    fileprivate let subject: CurrentValueSubject<Value, Never>
    fileprivate let assigned: AssignedSubscriptions

    public func eraseToAnyPublisher() -> AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }

    func assign(_ source: some Combine.Publisher<Value, Never>) {
      assigned.keep(source.sink { [weak subject] in subject?.sendThenKeep($0) })
    }
  }
}

/// The subscriptions that end with a property. A completed subscription keeps nothing of its publisher.
final class AssignedSubscriptions: Sendable {
  private let all = Mutex<[AnyCancellable]>([])

  func keep(_ subscription: AnyCancellable) { all.withLock { $0.append(subscription) } }
}
