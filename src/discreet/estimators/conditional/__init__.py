"""Where it comes from: columns alone and given others, pairs that tell only together, single values."""
