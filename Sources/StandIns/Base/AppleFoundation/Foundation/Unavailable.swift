import Foundation

// Names of Foundation that Linux lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "Linux has no file coordination: write another file, and rename it.")
public class NSFileCoordinator {
  public init(filePresenter: Any? = nil) {}
  public func coordinate(
    readingItemAt url: URL, options: ReadingOptions = [], error: UnsafeMutablePointer<NSError?>?,
    byAccessor: (URL) -> Void
  ) {}
  public func coordinate(
    writingItemAt url: URL, options: ReadingOptions = [], error: UnsafeMutablePointer<NSError?>?,
    byAccessor: (URL) -> Void
  ) {}
  public enum Option { case withoutChanges, forReplacing }
  public typealias ReadingOptions = [Option]
}

@available(*, unavailable, message: "A broadcast extension gets no items.")
public class NSItemProvider { public init() {} }

@available(*, unavailable, message: "Linux has no message ports: use a Unix socket in the app group.")
public class CFMessagePort {}
@available(*, unavailable, message: "Linux has no message ports: use a Unix socket in the app group.")
public func CFMessagePortCreateLocal(
  _ allocator: CFAllocator?, _ name: CFString?,
  _ callout: ((CFMessagePort?, Int32, CFData?, UnsafeMutableRawPointer?) -> Any?)?, _ context: Any?,
  _ shouldFreeInfo: UnsafeMutablePointer<Bool>?
) -> CFMessagePort? { nil }
@available(*, unavailable, message: "Linux has no message ports: use a Unix socket in the app group.")
public func CFMessagePortCreateRemote(_ allocator: CFAllocator?, _ name: CFString?) -> CFMessagePort? { nil }

@available(*, unavailable, message: "Arrays of Core Foundation are Swift's here: cast to [[CFString: Any]].")
public func CFArrayGetCount(_ theArray: CFArray) -> Int { 0 }
@available(*, unavailable, message: "Arrays of Core Foundation are Swift's here: cast to [[CFString: Any]].")
public typealias CFMutableDictionary = NSMutableDictionary
@available(*, unavailable, message: "Arrays of Core Foundation are Swift's here: cast to [[CFString: Any]].")
public func CFArrayGetValueAtIndex(_ theArray: CFArray, _ idx: Int) -> UnsafeRawPointer! { nil }
