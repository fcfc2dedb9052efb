//! A ray caster: scenes with known truth become photos.
