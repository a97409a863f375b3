enum CompletionShell: String, CaseIterable, Sendable { case bash, zsh }

extension Program {
  /// Returns shell code that completes the subcommands, the options and their choices.
  func completion(for shell: CompletionShell) -> String {
    func lines(_ cases: [(pattern: String, words: [String])], indent: String) -> String {
      cases.map { "\(indent)\($0.pattern)) words='\($0.words.joined(separator: " "))' ;;" }.joined(
        separator: "\n")
    }
    let valued = options.filter { $0.placeholder != nil && $0.impliedValue == nil }
    let choices = options.filter { !$0.choices.isEmpty }.map { ($0.name, $0.choices) }
    // If there are no words, the shell completes file names.
    let others = [(valued.filter { $0.choices.isEmpty }.map(\.name).joined(separator: "|"), [String]())]
    let terms = subcommands.map(\.term)
    let ofSubcommands = subcommands.map { subcommand in
      let takesWords = operands.contains { $0.subcommand == subcommand.term }
      let vocabulary = takesWords ? vocabularies(of: [subcommand.term]).flatMap(\.value).map(\.term) : []
      // Complete only up to the colon: the user types the value.
      let words = vocabulary.map { String($0.prefix { $0 != ":" }) }
      return (subcommand.term, words + options.filter { $0.goes(with: subcommand.term) }.map(\.name))
    }
    let script = """
      _\(name)() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} subcommand= other words
        # The shell splits --option=value at the sign.
        if [[ $word == '=' ]]; then word=
        elif [[ $previous == '=' ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
        for other in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $other in \(terms.joined(separator: "|"))) subcommand=$other; break ;; esac
        done
        case $previous in
      \(lines(choices + others, indent: "    "))
          *)
            case ${subcommand:-\(terms.first ?? "")} in
      \(lines(ofSubcommands, indent: "        "))
            esac
            [[ $subcommand ]] || words+=' \(terms.joined(separator: " "))' ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
      }
      complete -o default -F _\(name) \(name)
      """
    return (shell == .zsh ? "autoload -U +X bashcompinit && bashcompinit\n" : "") + script
  }
}
