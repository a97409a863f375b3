/// A fault that an input from outside has caused.
package struct FuzzFinding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ finding: @autoclosure () -> String) throws(FuzzFinding) {
  guard condition else { throw FuzzFinding(finding()) }
}

extension String {
  /// Whether the string prints as one line.
  var isOneLine: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
