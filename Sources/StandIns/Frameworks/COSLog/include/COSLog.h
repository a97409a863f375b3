// The module of this target; its map is what counts.
