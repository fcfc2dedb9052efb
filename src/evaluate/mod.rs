//! Output against truth, split by stage.
