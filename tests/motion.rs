//! Motion on rendered and simulated sequences.
