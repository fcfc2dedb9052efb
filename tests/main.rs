//! Integration tests: one binary, a topic a module.

mod register_accuracy;
