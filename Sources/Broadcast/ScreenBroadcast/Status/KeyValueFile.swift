import Foundation
import Platform
import SharedMemory

/// The app group's defaults: values under keys in one property list that several processes share.
///
/// It stands where the article has `UserDefaults(suiteName:)`, whose changes other processes do not see on
/// Linux. The file is replaced as a whole, by rename, so a reader never sees a part; a writer reads, changes
/// and replaces under the folder's lock, so writers of different keys lose nothing. Other programs may read
/// and write it too (`plutil`, Python's `plistlib`).
public struct KeyValueFile: Sendable {
  /// The path of the property list.
  public let path: String
  private let folder: String

  /// The largest file that is read, in bytes. Preferences are small; anything larger is not one.
  public static let sizeLimit = 1 << 20

  /// The key-value file of a container.
  public init(container: AppGroupContainer) {
    path = container.preferencesFile
    folder = container.preferencesFolder
  }

  /// The value under `key`, by the rules of `UserDefaults.bool(forKey:)`: numbers count as true unless 0,
  /// texts when they say yes, true or 1; false when there is none.
  public func bool(forKey key: String) throws(Failure) -> Bool {
    switch try values()[key] {
    case let value as Bool: value
    case let value as NSNumber: value.doubleValue != 0  // Not boolValue: on Linux it is false for 0.5.
    case let text as String: ["yes", "true", "1", "y", "t"].contains(text.lowercased())
    default: false
    }
  }

  /// Puts a value under `key`; the other keys keep theirs.
  ///
  /// A file that is no property list is not overwritten: it is moved aside, and its new path returned.
  /// - Returns: where a damaged file was moved to, if there was one.
  @discardableResult
  public func set(_ value: Bool, forKey key: String) throws(Failure) -> String? {
    do {
      return try FolderLock.hold(on: folder) {
        var (values, setAside) = try usableValues()
        values[key] = value
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        try PlainFile.replace(path, with: Array(data))
        return setAside
      }
    } catch let error as Failure {
      throw error
    } catch let error as StorageError {
      throw .storage(error)
    } catch {
      throw .damaged(path: path)
    }
  }

  /// The values to change: those in the file, or none, after a damaged file was moved aside.
  private func usableValues() throws -> ([String: Any], setAside: String?) {
    do throws(Failure) {
      let values = try settledValues()
      if Self.surviveWriting(values) { return (values, nil) }
    } catch {
      guard case .damaged = error else { throw error }
    }
    return ([:], try moveAside())
  }

  /// Whether the values can be written, and read again. A binary list may hold a date that is
  /// no number, for which there is no text.
  private static func surviveWriting(_ values: [String: Any]) -> Bool {
    do {
      let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
      // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
      _ = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      return true
    } catch {
      return false
    }
  }

  /// All values; none when there is no file yet.
  private func values() throws(Failure) -> [String: Any] {
    let bytes: [UInt8]
    do throws(StorageError) {
      bytes = try PlainFile.read(path, limit: Self.sizeLimit + 1)
    } catch {
      if error.isMissing { return [:] }
      throw .storage(error)
    }
    guard bytes.count <= Self.sizeLimit, BinaryPropertyList.isReadable(bytes) else {
      throw .damaged(path: path)
    }
    do {
      // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
      let list = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      guard let values = list as? [String: Any] else { throw Failure.damaged(path: path) }
      return values
    } catch {
      throw .damaged(path: path)
    }
  }

  /// The values, after giving a program that rewrites the file in place a moment to finish.
  private func settledValues() throws(Failure) -> [String: Any] {
    for _ in 0..<10 {
      do throws(Failure) {
        return try values()
      } catch {
        guard case .damaged = error else { throw error }
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    return try values()
  }

  private func moveAside() throws(StorageError) -> String {
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

extension KeyValueFile {
  /// Why a value cannot be read or written.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file or its folder cannot be used.
    case storage(StorageError)
    /// The file is not a property list with keys and values.
    case damaged(path: String)

    /// One sentence: what is wrong with which file, and the way out.
    public var description: String {
      switch self {
      case .storage(let error): error.description
      case .damaged(let path):
        "\(path) is not a property list of keys and values; the next start or stop of a broadcast moves it aside"
      }
    }
  }
}
