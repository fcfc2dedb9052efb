//! Calls: piece and paint become area, signed gap, probability of contact.
