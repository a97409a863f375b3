import Platform
import Synchronization
import Testing

@Suite struct CallbackTests {
  /// The places on the stack of a function that is called a hundred times.
  private func places(_ call: (@escaping @Sendable () -> Void) -> Void) -> Int {
    let addresses = Mutex<Set<UInt>>([])
    call {
      var value = 0
      // UNSAFE: the address is not used as a pointer.
      let address = unsafe withUnsafePointer(to: &value) { UInt(bitPattern: $0) }
      addresses.withLock { _ = $0.insert(address) }
    }
    return addresses.withLock { $0.count }
  }

  @Test func aCallNeedsNoMoreStackThanTheFirst() {
    let count = places { function in
      let action = Mutex<Callback<@Sendable () -> Void>?>(Callback(function))
      for _ in 0..<100 { action.withLock { $0 }?.call() }
    }
    #expect(count == 1)
  }

  /// When this fails, the compiler wraps no more, and `Callback` may go.
  @Test func aFunctionAloneNeedsMoreAtEachCall() {
    let count = places { function in
      let action = Mutex<(@Sendable () -> Void)?>(function)
      for _ in 0..<100 { action.withLock { $0 }?() }
    }
    #expect(count == 100)
  }
}
