import Testing

/// A phrase that makes a sentence hard to read, with the fix. `Docs/Internals/Style.md` has the rules.
struct Habit: CustomTestStringConvertible {
  /// The row of the habit in `.ci/habits`.
  let name: String
  /// A regular expression, in which `^` is the start of a comment, literal or paragraph, and a space is any white space.
  /// Letters match in both cases, except after `(?-i)`.
  let pattern: String
  let fix: String
  /// A sentence with the habit.
  let example: String

  var testDescription: String { name }

  static let all = [
    Habit(
      name: "that-of", pattern: #"\b(that|those) of\b"#,
      fix: #"Repeat the noun: "the options of the check", not "those of it"."#,
      example: "Returns the options of the program and those of the check."),
    Habit(
      name: "of-its-own", pattern: #"\bof (its|his|their|your|her) own\b|'s? own\b"#,
      fix: #"Say "separate" or "another", or omit the words: "a separate process"."#,
      example: "Each call has a thread of its own."),
    Habit(
      name: "what-it",
      pattern:
        #"(^|[.;:] |, |\b(of|for|with|by|from|on|is|in) )what (a|an|the|it|is|was|they|you|follows|has|came|comes|one|this|no|none)\b"#,
      fix: #""What" asks a question. Write the noun: "the result of a run", "the reason", "data received"."#,
      example: "What the run found."),
    Habit(
      name: "which", pattern: #", (of |with |from |in |for |by )?(which|whose|who)\b"#,
      fix: #"Put the statement into the main clause, or write two sentences: "because", "so", "otherwise"."#,
      example: "Closes the file, which ends the reader."),
    Habit(
      name: "none", pattern: #"(?<!\b(there is|there are|if|or) )\bnone\b(?!;)"#,
      fix: #"Repeat the noun: "no frame", "does not have one", "empty"."#,
      example: "The reader has none."),
    Habit(
      name: "is-no", pattern: #"(?<!\bthere )\b(is|are|was|were) no (?!longer|more)[a-z]"#,
      fix: #"Use the positive form: "is not a fault", "is ignored", "does not count"."#,
      example: "A late frame is no fault."),
    Habit(
      name: "one-that",
      pattern: #"\bone (that|which|with|without|whose|over)\b|\b(a further|another) one\b"#,
      fix: #"Repeat the noun: "a frame that is torn", not "one that is torn"."#,
      example: "Skips the frame, and then another one."),
    Habit(
      name: "beside", pattern: #"\bbesides?\b"#,
      fix: #"Write "next to", "in parallel", "alongside" or "in addition to"."#,
      example: "The page shows the picture beside the sound."),
    Habit(
      name: "asked-for", pattern: #"\bask(ed|s)? for\b|\bby a request\b"#,
      fix: #"Write "request", "requested"."#, example: "An event that the person asked for."),
    Habit(
      name: "late-machine", pattern: #"\blate machine\b|\bmachine (was|is|runs) late\b"#,
      fix: #"Write "the host was overloaded", "host load"."#,
      example: "The handler is slow because the machine was late."),
    Habit(
      name: "that-first", pattern: #"(?-i)^(The same|As (?!on|in|since|long)|Those|That)\b(?! (is|are)\b)"#,
      fix: "Begin with the noun, or with the verb of the function.",
      example: "That of the other process."),
    Habit(
      name: "of-a-first",
      pattern: #"(?-i)(^|[.;:] )Of (a|an|the|several|two|other|those|more|another|what|such)\b"#,
      fix: #"Put the condition first: "If a run has several frames, …"."#,
      example: "Of several frames it shows the newest."),
    Habit(
      name: "at-rest", pattern: #"\b(way out|far end|told|at rest|rests)\b"#,
      fix: #"Write "fix", "receiver" or "remote side", "reported", "idle" or "unchanged"."#,
      example: "The thread is at rest."),
    Habit(
      name: "but-for", pattern: #"\b(in front|but for|all but|meanwhile)\b|(^|[.:;,] )who [a-z]+s\b"#,
      fix: #"Write "before", "except", "in the meantime", "a program that reads"."#,
      example: "Removes all files but for the newest."),
    Habit(
      name: "takes-first", pattern: #"(?-i)^(Takes|Notes|Makes|Gives|Lets|Has)\b"#,
      fix: #"Use the verb of the field: "Records", "Creates", "Passes", "Allows"."#,
      example: "Notes a call of the handler."),
    Habit(
      name: "c-function", pattern: #"\bthe (corresponding )?C functions? (is|are)\b"#,
      fix: #"Write "Wraps `connect(2)`."."#, example: "The corresponding C function is here."),
  ]
}
