#!/usr/bin/env python3
"""Changes a copy of the sources so that Swift 6.2 compiles them: older-compiler.py FOLDER

Debian's cross compiler is of that version, and the package is written for 6.3. No change has to do with arm64.
An edit whose text is no longer there ends the program with an error, so that no dead edit stays in this list.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])

def edit(name, *pairs):
    path = root / name
    text = path.read_text()
    for old, new in pairs:
        if old not in text:
            sys.exit(f"{name} no longer contains: {old}")
        text = text.replace(old, new)
    path.write_text(text)


def add_lifetimes():
    """6.2 wants some lifetimes written out, with an experimental feature: that of `self` in a mutating method of a span,
    and that of a span that is `inout` beside another span."""
    function = re.compile(r"^( +)((?:private |package |public |static |mutating )*)func \w+\(([^{]*?)\)", re.M | re.S)

    def with_lifetime(match):
        target = re.search(r"(\w+): inout MutableSpan", match[3])
        if not target or not re.search(r": Span<", match[3]):
            return match[0]
        return f"{match[1]}@_lifetime({target[1]}: copy {target[1]})\n{match[0]}"

    for path in (root / "Sources").rglob("*.swift"):
        text = path.read_text()
        new = function.sub(with_lifetime, text)
        lines, inside = [], False
        for line in new.split("\n"):
            if line.startswith("extension"):
                inside = line.startswith("extension MutableSpan")
            method = re.match(r"( +)((public|package) )?mutating func", line)
            if inside and method:
                lines.append(method[1] + "@_lifetime(self: copy self)")
            lines.append(line)
        new = "\n".join(lines)
        if new != text:
            path.write_text(new)


def change_manifest():
    path = root / "Package.swift"
    text = path.read_text()
    text = text.replace("swift-tools-version: 6.3", "swift-tools-version: 6.2")
    feature = '  .enableUpcomingFeature("MemberImportVisibility"),\n'
    text = text.replace(feature, feature + '  .enableExperimentalFeature("Lifetimes"),\n')
    path.write_text(text)


def cancel_no_tests():
    """6.2 cannot skip the rest of a test. Here it counts as passed: what it does not judge, it does not judge here."""
    for path in (root / "Tests").rglob("*.swift"):
        text = path.read_text()
        new = re.sub(r"try Test\.cancel\(.*\)", "return", text)
        if new != text:
            path.write_text(new)


add_lifetimes()
change_manifest()
cancel_no_tests()
# Captures that 6.2 rejects.
edit(
    "Sources/Phone/BroadcastExtension/Control/ControlService.swift",
    ("service.answer { line, send in", "service.answer { [weak system] line, send in"),
    ("DispatchQueue.main.sync { MainActor.assumeIsolated { send(answer(line, system)) } }",
     "let running = system; DispatchQueue.main.sync { MainActor.assumeIsolated { send(answer(line, running)) } }"))
# An expression that the type checker of 6.2 gives up on.
edit(
    "Sources/Phone/EmulatedSystem/Report/BroadcastProgress.swift",
    ("return frames > 1 && framesSpan > .zero ? Double(frames - 1) / (framesSpan / .seconds(1)) : 0",
     "let span: Double = framesSpan / .seconds(1)\n    return frames > 1 && span > 0 ? Double(frames - 1) / span : 0"))
