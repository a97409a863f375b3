// Names of Combine that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no subscribers with a demand: use sink or assign.")
public protocol Subscriber {}

extension Publisher {
  @available(*, unavailable, message: "The emulator has no flatMap: send the inner values to a subject.")
  public func flatMap(_ transform: (Output) -> Any) -> Self { self }
  @available(*, unavailable, message: "The emulator has no catch: handle the error in receiveCompletion.")
  public func `catch`(_ handler: (Failure) -> Any) -> Self { self }
}
