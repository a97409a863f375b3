package func makeShellScript(_ text: String, at path: String) throws {
  try makeProgram("#!/bin/sh\n\(text)\n", at: path)
}

/// Creates an executable file.
///
/// Another process writes the file. If this process did, a program that another test launches at that moment would hold the
/// file open for writing, and the system does not run such a file ("text file busy").
package func makeProgram(_ text: String, at path: String) throws {
  let command = #"printf '%s' "$1" > "$0" && chmod 700 "$0""#
  let shell = try ChildProcess(URL(filePath: "/bin/sh"), ["-c", command, path, text])
  guard shell.end() == .exit(0) else { throw CocoaError(.fileWriteUnknown) }
}
