import Foundation
import FoundationNetworking

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

extension ProcessInfo {
  @available(*, unavailable, message: "Apps are suspended at once here: release locks in didEnterBackground.")
  public func performExpiringActivity(withReason reason: String, using block: @escaping (Bool) -> Void) {}
}

extension DispatchSource {
  public enum MemoryPressureEvent { case all, normal, warning, critical }
  @available(*, unavailable, message: "The emulated phone sends no warnings: read os_proc_available_memory.")
  public class func makeMemoryPressureSource(eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil)
    -> any DispatchSourceProtocol
  { makeTimerSource() }
  @available(*, unavailable, message: "The emulated phone sends no warnings: read os_proc_available_memory.")
  public class func makeMemoryPressureSource(eventMask: [MemoryPressureEvent], queue: DispatchQueue? = nil)
    -> any DispatchSourceProtocol
  { makeTimerSource() }
}

extension URLSessionConfiguration {
  @available(*, unavailable, message: "Linux has no background sessions: use a default session.")
  public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
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
@available(*, unavailable, message: "Dictionaries of Core Foundation are Swift's here: use a subscript.")
public func CFDictionaryContainsKey(_ theDict: Any?, _ key: UnsafeRawPointer?) -> Bool { false }
@available(*, unavailable, message: "Dictionaries of Core Foundation are Swift's here: use a subscript.")
public func CFDictionaryGetValue(_ theDict: Any?, _ key: UnsafeRawPointer?) -> UnsafeRawPointer! { nil }
@available(*, unavailable, message: "Dictionaries of Core Foundation are Swift's here: use a subscript.")
public func CFDictionarySetValue(_ theDict: Any?, _ key: UnsafeRawPointer?, _ value: UnsafeRawPointer?) {}

@available(*, unavailable, message: "Linux does not know languages: send the text to the app.")
public class NLTagger {
  public init(tagSchemes: [NLTagScheme]) {}
  public var string: String?
}
/// Holds its text. The functions that tag the text are unavailable.
public class NSLinguisticTagger {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let omitWords = Options(rawValue: 1 << 0)
    public static let omitPunctuation = Options(rawValue: 1 << 1)
    public static let omitWhitespace = Options(rawValue: 1 << 2)
    public static let omitOther = Options(rawValue: 1 << 3)
    public static let joinNames = Options(rawValue: 1 << 4)
  }
  public let tagSchemes: [NSLinguisticTagScheme]
  public var string: String?
  public init(tagSchemes: [NSLinguisticTagScheme], options opts: Int) { self.tagSchemes = tagSchemes }

  @available(*, unavailable, message: "Linux does not know languages: send the text to the app.")
  public var dominantLanguage: String? { nil }
  @available(*, unavailable, message: "Linux does not know languages: send the text to the app.")
  public func enumerateTags(
    in range: NSRange, unit: NSLinguisticTaggerUnit, scheme: NSLinguisticTagScheme, options: Options = [],
    using block: (String?, NSRange, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {}
}
public enum NSLinguisticTaggerUnit { case word, sentence, paragraph, document }
public typealias NSLinguisticTagScheme = NLTagScheme
public struct NLTagScheme: Sendable {
  public static var script: NLTagScheme { NLTagScheme() }
  public static var nameType: NLTagScheme { NLTagScheme() }
  public static var lexicalClass: NLTagScheme { NLTagScheme() }
}
