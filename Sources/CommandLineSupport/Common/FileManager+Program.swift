import Foundation

extension FileManager {
  /// Whether `path` names a file that may be executed, or a link to one.
  package func isProgram(atPath path: String) -> Bool {
    var isFolder: ObjCBool = false
    // UNSAFE: the out parameter is a local variable.
    let exists = unsafe fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue && isExecutableFile(atPath: path)
  }
}
