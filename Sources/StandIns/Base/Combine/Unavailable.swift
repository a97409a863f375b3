// Names of Combine that the emulator lacks. The error of the compiler says what to use instead.

import Dispatch

@available(*, unavailable, message: "The emulator has no subscribers with a demand: use sink or assign.")
public protocol Subscriber {}

@available(*, unavailable, message: "The emulator has no Fail: use a Future.")
public struct Fail<Output, Failure: Error> { public init(error: Failure) {} }
@available(*, unavailable, message: "The emulator has no Empty: use a PassthroughSubject.")
public struct Empty<Output, Failure: Error> { public init(completeImmediately: Bool = true) {} }

extension Publisher {
  @available(*, unavailable, message: "The emulator has no flatMap: send the inner values to a subject.")
  public func flatMap(_ transform: (Output) -> Any) -> Self { self }
  @available(*, unavailable, message: "The emulator has no catch: handle the error in receiveCompletion.")
  public func `catch`(_ handler: (Failure) -> Any) -> Self { self }
  @available(*, unavailable, message: "The emulator has no merge: send the values of both to one subject.")
  public func merge(with other: Any) -> Self { self }
  @available(*, unavailable, message: "The emulator has no debounce: send the last value from a work item.")
  public func debounce(for dueTime: DispatchTimeInterval, scheduler: Any) -> Self { self }
}
