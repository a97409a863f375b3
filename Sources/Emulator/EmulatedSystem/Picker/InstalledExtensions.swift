import Foundation
import Platform
import SharedMemory

/// The extensions of a device: the bundles `*.appex` in a folder.
package struct InstalledExtensions: Sendable {
  /// The folder.
  package let folder: String
  /// Those that say what they are, by their path.
  let extensions: [AppExtension]
  /// What is wrong with the others.
  let unreadable: [ExtensionInfo.Failure]

  /// Looks into a folder.
  package init(folder: String) throws(PickerFailure) {
    self.folder = folder
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .noFolder(
        SystemError(call: "opendir", path: folder, code: InfoPropertyList.errno(of: error)))
    }
    var extensions: [AppExtension] = []
    var unreadable: [ExtensionInfo.Failure] = []
    for name in names.sorted() where name.hasSuffix(".appex") {
      do throws(ExtensionInfo.Failure) {
        extensions.append(try AppExtension(path: folder + "/" + name))
      } catch {
        unreadable.append(error)
      }
    }
    self.extensions = extensions
    self.unreadable = unreadable
  }

  /// The one a person can choose: the preferred one, or the only one there is.
  package func choose(_ preferredExtension: String?) throws(PickerFailure) -> AppExtension {
    let chosen = try find(preferredExtension)
    try chosen.check()
    return chosen
  }

  private func find(_ preferredExtension: String?) throws(PickerFailure) -> AppExtension {
    if let preferredExtension {
      let found = extensions.filter { $0.identifier == preferredExtension }
      guard found.count < 2 else { throw .doubled(preferredExtension, found.map(\.path)) }
      guard let chosen = found.first else {
        throw .unknown(preferredExtension, known: identifiers, unreadable: unreadable, folder: folder)
      }
      return chosen
    }
    // The system's list has what can broadcast, and nothing else.
    let shown = extensions.filter { $0.refusal == nil }
    if let only = shown.first, shown.count == 1 { return only }
    // One that cannot is a better answer than none.
    if shown.isEmpty, let only = extensions.first, extensions.count == 1 { return only }
    guard !shown.isEmpty else { throw .empty(folder, unreadable: unreadable) }
    throw .severalToChooseFrom(shown.map(\.identifier).sorted())
  }

  private var identifiers: [String] { Set(extensions.map(\.identifier)).sorted() }
}
