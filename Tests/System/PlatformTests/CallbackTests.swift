import TestSupport

@Suite struct CallbackTests {
  /// Returns the number of stack addresses at which the closure that `call` receives has run.
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

  /// If this test fails, Swift no longer adds a thunk on each access, and `Callback` can be removed.
  @Test func aFunctionAloneNeedsMoreAtEachCall() {
    let count = places { function in
      let action = Mutex<(@Sendable () -> Void)?>(function)
      for _ in 0..<100 { action.withLock { $0 }?() }
    }
    #expect(count == 100)
  }
}
