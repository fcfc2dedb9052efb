//! One photo from pixels to tally: the pipeline, and its report.
