// Empty: this target consists of its module map.
