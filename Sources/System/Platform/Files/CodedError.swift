/// An error with the nearest `errno`, from which a program derives its exit code.
public protocol CodedError: Error, CustomStringConvertible {
  /// The nearest `errno`.
  var code: Int32 { get }
}

extension StorageError: CodedError {}
