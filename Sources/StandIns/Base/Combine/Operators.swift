import Foundation
import Platform
import Synchronization

// The operator that combines two publishers, and the operator that changes the times of values.

extension Publisher {
  public func combineLatest<Other: Publisher>(
    _ other: Other
  ) -> AnyPublisher<(Output, Other.Output), Failure> where Other.Failure == Failure {
    AnyPublisher { completion, value in
      let last = Mutex(UncheckedBox<(Output?, Other.Output?)>((nil, nil)))
      func update(_ change: (inout (Output?, Other.Output?)) -> Void) {
        let state = last.withLock { last in
          change(&last.value)
          return UncheckedBox(last.value)
        }.value
        if let first = state.0, let second = state.1 { value((first, second)) }
      }
      let end = lastOfTwo(completion)
      let first = attach(completion: end) { new in update { $0.0 = new } }
      let second = other.attach(completion: end) { new in update { $0.1 = new } }
      return AnyCancellable {
        first.cancel()
        second.cancel()
      }
    }
  }

  public func throttle(
    for interval: DispatchQueue.SchedulerTimeType.Stride, scheduler: DispatchQueue, latest: Bool
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { completion, value in
      let waiting = Mutex(UncheckedBox<(isOpen: Bool, output: Output?)>((true, nil)))
      @Sendable func open() {
        let next = waiting.withLock { waiting in
          defer { waiting.value.output = nil }
          if waiting.value.output == nil { waiting.value.isOpen = true }
          return UncheckedBox(waiting.value.output)
        }.value
        if let next { send(UncheckedBox(next)) }
      }
      let deliver = UncheckedBox(value)
      @Sendable func send(_ output: UncheckedBox<Output>) {
        deliver.value(output.value)
        scheduler.asyncAfter(deadline: .now() + interval.seconds, execute: open)
      }
      return attach(completion: { end in scheduler.async(execute: UncheckedBox { completion(end) }.value) }) {
        output in
        let new = UncheckedBox(output)
        let isFirst = waiting.withLock { waiting in
          guard !waiting.value.isOpen else {
            waiting.value.isOpen = false
            return true
          }
          if latest || waiting.value.output == nil { waiting.value.output = new.value }
          return false
        }
        if isFirst { scheduler.async { send(new) } }
      }
    }
  }
}

extension DispatchQueue {
  /// Only the stride is used: the instants of a queue are not modelled.
  public enum SchedulerTimeType {
    public struct Stride: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
      let seconds: Double

      public init(floatLiteral value: Double) { seconds = value }
      public init(integerLiteral value: Int) { seconds = Double(value) }
      public static func seconds(_ value: Double) -> Stride { Stride(floatLiteral: value) }
      public static func seconds(_ value: Int) -> Stride { Stride(integerLiteral: value) }
      public static func milliseconds(_ value: Int) -> Stride { Stride(floatLiteral: Double(value) / 1e3) }
      public static func microseconds(_ value: Int) -> Stride { Stride(floatLiteral: Double(value) / 1e6) }
    }
  }
}

/// Returns a closure that passes on the second completion of two publishers, or the first failure.
private func lastOfTwo<Failure>(
  _ completion: @escaping (Subscribers.Completion<Failure>) -> Void
) -> (Subscribers.Completion<Failure>) -> Void {
  let rest = Mutex(2)
  return { result in
    let isLast = rest.withLock { rest in
      if case .failure = result { rest = 1 }
      rest -= 1
      return rest == 0
    }
    if isLast { completion(result) }
  }
}
