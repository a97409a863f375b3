import Foundation

/// The app group's defaults: keys and values in a property list that several processes share.
///
/// `UserDefaults(suiteName:)` of an app group uses it, because on Linux Foundation's changes do not reach other processes. A
/// writer replaces the file atomically by a rename, so readers never see a partial file. Only if the file system is full, the
/// file is overwritten in place. A writer holds the folder's lock while it reads, changes and replaces the file, so concurrent
/// writers of different keys lose nothing. Other programs can read and write the file too (`plutil`, Python's `plistlib`).
public struct KeyValueFile: Sendable {
  /// The path of the property list.
  public let path: String
  private let folder: String
  private let clock: any MonotonicClock

  /// The maximum size of the file, in bytes. Preferences are smaller; a larger file is damaged.
  public static let sizeLimit = 1 << 20

  /// Creates a key-value file `name` in a folder. The folder must exist by the time of the first write. `clock` times the wait
  /// for other writers.
  package init(folder: String, name: String, clock: any MonotonicClock = SystemClock()) {
    self.clock = clock
    path = folder + "/" + name
    self.folder = folder
  }

  /// Returns the value of `key` by the rules of `UserDefaults.bool(forKey:)`: a number is true unless it is 0, a string is true
  /// by `NSString.boolValue` (YES, true, 1, 2), and a missing value is false.
  public func bool(forKey key: String) throws(FileError) -> Bool {
    switch try values()[key] {
    case let value as Bool: value
    case let value as NSNumber: value.doubleValue != 0  // Not boolValue: on Linux it is false for 0.5.
    case let text as String: NSString(string: text).boolValue
    default: false
    }
  }

  /// Sets the value of `key`, and keeps all other keys. The file is not written if it has the value already.
  ///
  /// A file that is not a property list is moved aside. Throws if the file or its folder cannot be used.
  /// - Returns: the new path of a damaged file, if there was one.
  @discardableResult
  public func set(_ value: Bool, forKey key: String) throws(FileError) -> String? {
    try update { values in
      if values[key] as? Bool == value { return false }
      values[key] = value
      return true
    }
  }

  /// Changes the values while holding the folder's lock. `change` returns whether to write the file. It runs a second time, with
  /// no values, if the file is damaged or has values that cannot be written.
  /// - Returns: the new path of a damaged file, if there was one.
  @discardableResult
  package func update(_ change: (inout [String: Any]) -> Bool) throws(FileError) -> String? {
    try FolderLock.hold(on: folder, clock: clock) { () throws(FileError) in
      var aside: String?
      while true {
        do throws(FileError) {
          let old = try settledValues()
          var values = old
          guard change(&values) else { return aside }
          guard let bytes = Self.bytes(of: values) else {
            throw FileError(Self.bytes(of: old) == nil ? .notAPropertyList : .unwritableValue, path)
          }
          try write(bytes)
          return aside
        } catch {
          guard error.reason == .notAPropertyList, aside == nil else { throw error }
          aside = try moveAside()
        }
      }
    }
  }

  /// Serializes values to a property list; `nil` if the list could not be read again. The text format cannot represent a date
  /// that is not finite, although a caller may set one.
  private static func bytes(of values: [String: Any]) -> [UInt8]? {
    do {
      let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
      return PropertyList.dictionary(in: Array(data), limit: .max) == nil ? nil : Array(data)
    } catch {
      return nil
    }
  }

  /// Replaces the file. On a full file system it is overwritten in place, so that a broadcast can still end.
  private func write(_ bytes: [UInt8]) throws(FileError) {
    guard bytes.count <= Self.sizeLimit else {
      throw FileError(.call("write", Errno(rawValue: EFBIG)), path)
    }
    try PlainFile.replaceOrOverwrite(path, with: bytes)
  }

  /// Returns all values; empty if the file does not exist yet.
  package func values() throws(FileError) -> [String: Any] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try PlainFile.read(path, limit: Self.sizeLimit + 1)
    } catch {
      if error.isMissing { return [:] }
      throw error
    }
    guard let values = PropertyList.dictionary(in: bytes, limit: Self.sizeLimit) else {
      throw FileError(.notAPropertyList, path)
    }
    return values
  }

  /// Throws if the folder of the file is missing, because a missing file then says nothing about its values.
  package func checkFolder() throws(FileError) {
    if try FileStatus.read(at: folder) == nil { throw FileError(.moved, folder) }
  }

  /// Returns the values. A program that rewrites the file in place has up to 50 ms to finish.
  private func settledValues() throws(FileError) -> [String: Any] {
    for _ in 0..<10 {
      do { return try values() } catch {
        guard error.reason == .notAPropertyList else { throw error }
        clock.wait(until: clock.now + .milliseconds(5))
      }
    }
    return try values()
  }

  private func moveAside() throws(FileError) -> String {
    var number = 1
    var destination = path + ".damaged"
    while FileManager.default.fileExists(atPath: destination) {
      number += 1
      destination = path + ".damaged-\(number)"
    }
    try PlainFile.move(path, to: destination)
    return destination
  }
}

/// A short-lived lock for processes that replace files of a folder.
///
/// The lock is on the folder itself and needs no file. The kernel releases it when the process ends.
public enum FolderLock {
  /// Runs `body` while holding the lock of the folder. Waits up to two seconds for the lock.
  /// - Throws: `busy` if another process holds the lock, and the errors of `body`.
  public static func hold<Result: ~Copyable>(
    on path: String, clock: any MonotonicClock = SystemClock(), _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let folder = try PrivateFolder.open(path)
    guard try System.lockFolder(folder, clock: clock) else { throw FileError(.busy, path) }
    defer {
      do {
        // Unlock explicitly: a child between fork and exec shares the open file, and may not be scheduled for seconds.
        try System.unlockFolder(folder)
      } catch {
        // Closing the folder releases the lock too, once no child process shares the open file.
      }
    }
    return try body()
  }
}
