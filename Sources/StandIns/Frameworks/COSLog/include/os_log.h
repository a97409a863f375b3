// The submodule of `import os.log`, whose declarations are those of the Swift module `os`.
