import CScenarioFiles
import EmbeddedFiles

extension EmbeddedFiles {
  // UNSAFE: the table ends with an entry without a name.
  static let own = unsafe EmbeddedFiles(scenario_files())
}
