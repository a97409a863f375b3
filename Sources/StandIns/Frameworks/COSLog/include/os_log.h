// The submodule for `import os.log`. The Swift module `os` has the declarations.
