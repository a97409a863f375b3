/// An object that announces its changes. Models the protocol of Combine.
///
/// On Apple's platforms ``Published`` properties announce themselves through `objectWillChange`. Here a subscriber
/// observes each property: `$property`.
public protocol ObservableObject: AnyObject {}

/// A property with a publisher of its values, `$property`. Models the property wrapper of Combine.
///
/// Subscribers receive the new value before the property has it, as on Apple's platforms.
@propertyWrapper
public struct Published<Value> {
  private let subject: CurrentValueSubject<Value, Never>

  /// Creates a property with its first value.
  public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }

  /// Creates a property with its first value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// The value.
  public var wrappedValue: Value {
    get { subject.value }
    nonmutating set { subject.sendThenKeep(newValue) }
  }

  /// The publisher of the present value and of later ones.
  public var projectedValue: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }
}
