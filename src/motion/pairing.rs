//! Two lists matched one to one.

/// Of the pairs on offer (how far apart, an index into either list) the nearest are taken first, and nothing twice.
/// Ties go by the order of the lists.
pub fn nearest_first(mut pairs: Vec<(f64, usize, usize)>) -> Vec<(usize, usize)> {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (_, one, other) in pairs {
        if taken.iter().all(|pair| pair.0 != one && pair.1 != other) {
            taken.push((one, other));
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_paired_and_nothing_is_taken_twice() {
        let offered = vec![(2.0, 0, 0), (1.0, 1, 0), (3.0, 0, 1), (3.0, 1, 1), (4.0, 2, 0)];
        assert_eq!(nearest_first(offered), [(1, 0), (0, 1)]);
        assert_eq!(nearest_first(vec![(1.0, 1, 0), (1.0, 0, 0)]), [(0, 0)], "ties go by order");
    }
}
