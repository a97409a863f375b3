import Foundation

// Names of Foundation that Linux lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "Linux has no file coordination: write another file, and rename it.")
public class NSFileCoordinator { public init(filePresenter: Any? = nil) {} }

@available(*, unavailable, message: "A broadcast extension gets no items.")
public class NSItemProvider { public init() {} }

@available(*, unavailable, message: "Linux has no message ports: use a Unix socket in the app group.")
public class CFMessagePort {}
