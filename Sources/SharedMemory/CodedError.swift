/// An error with the nearest `errno`, from which a program derives its exit code.
public protocol CodedError: Error, CustomStringConvertible {
  /// The nearest `errno`.
  var code: Int32 { get }
}

extension StorageError: CodedError {}

extension RingError: CodedError {
  /// The nearest `errno`: of the file, or "invalid" for what is in it.
  public var code: Int32 {
    if case .storage(let error) = self { error.code } else { System.Code.invalid }
  }
}

extension ProducerLock.Failure: CodedError {
  /// The nearest `errno`: of the file, or "exists" for a broadcast that already runs.
  public var code: Int32 {
    if case .storage(let error) = self { error.code } else { System.Code.exists }
  }
}
