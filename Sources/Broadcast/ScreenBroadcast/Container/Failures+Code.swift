import Foundation
import Platform
import SharedMemory

extension BroadcastBufferContext.Failure: CodedError {
  /// The nearest `errno`: of the file, or "invalid" for what is in it.
  public var code: Int32 {
    if case .ring(let error) = self { error.code } else { EINVAL }
  }
}

extension AudioBufferContext.Failure: CodedError {
  /// The nearest `errno`: of the file, or "invalid" for what is in it.
  public var code: Int32 {
    switch self {
    case .ring(let error): error.code
    }
  }
}
