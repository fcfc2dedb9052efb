//! A set whose colours no board file knows.
//!
//! In: what was found in photos of which it is known that nothing but the set lies on the board. Out: for each thing of a
//! piece's size that no kind explains, the kind that it must be. Faces that look alike are of one kind; the kinds that were
//! not found are given to such groups so that all together are as near to their kinds as can be.

use super::{
    DetectOptions, Detection, ForeignReason,
    kinds::{KindColours, square_apart},
    light::{Stops, median},
};

/// A foreign thing: of which picture, which of it, and its face.
type Thing = (usize, usize, Stops);

/// For each picture's foreign things the kind that each is taken for.
pub fn kinds_of_unknown(
    found: &[Detection],
    sizes: &[Vec<usize>],
    colours: &KindColours,
    options: &DetectOptions,
) -> Vec<Vec<Option<usize>>> {
    let mut kinds: Vec<Vec<Option<usize>>> = found.iter().map(|d| vec![None; d.foreign.len()]).collect();
    for of_size in sizes {
        let is_missing =
            |kind: &usize| found.iter().all(|d| d.pieces.iter().all(|piece| piece.kind != *kind));
        let missing: Vec<usize> = of_size.iter().copied().filter(is_missing).collect();
        let things: Vec<Thing> = found
            .iter()
            .enumerate()
            .flat_map(|(picture, d)| {
                let of_picture = d.foreign.iter().enumerate();
                of_picture.map(move |(i, thing)| (picture, i, thing))
            })
            .filter(|(.., thing)| thing.reason != ForeignReason::Print && of_size.contains(&thing.sized_like))
            .map(|(picture, i, thing)| (picture, i, thing.face_stops))
            .collect();
        let mut groups = alike(things, options);
        // What is left over is no kind's: the smallest groups are the odd ones out.
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups.truncate(missing.len());
        for (group, kind) in groups.iter().zip(nearest_together(&groups, &missing, colours, options)) {
            for (picture, i, _) in group {
                kinds[*picture][*i] = Some(kind);
            }
        }
    }
    kinds
}

/// Groups of things whose faces are alike: the two nearest groups are made one until none are near.
fn alike(things: Vec<Thing>, options: &DetectOptions) -> Vec<Vec<Thing>> {
    let mut groups: Vec<Vec<Thing>> = things.into_iter().map(|thing| vec![thing]).collect();
    loop {
        let pairs = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)));
        let with_distance = pairs.map(|(a, b)| (apart(&groups[a], &groups[b], options), a, b));
        let nearest = with_distance.min_by(|one, other| one.0.total_cmp(&other.0));
        let Some((_, a, b)) = nearest.filter(|(distance, ..)| *distance <= options.alike_distance) else {
            return groups;
        };
        let joined = groups.remove(b);
        groups[a].extend(joined);
    }
}

/// How far two groups' faces are apart in the mean, in standard deviations of a kind.
fn apart(a: &[Thing], b: &[Thing], options: &DetectOptions) -> f64 {
    let of_faces = |a: Stops, b: Stops| square_apart(a, b, options).sqrt();
    let sum: f64 = a.iter().flat_map(|(.., a)| b.iter().map(move |(.., b)| of_faces(*a, *b))).sum();
    sum / (a.len() * b.len()) as f64
}

/// A kind for each group, no two the same, so that the groups are nearest to their kinds together. There are no more groups
/// than kinds.
fn nearest_together(
    groups: &[Vec<Thing>],
    kinds: &[usize],
    colours: &KindColours,
    options: &DetectOptions,
) -> Vec<usize> {
    let distance = |group: &[Thing], kind: usize| {
        let mut faces: Vec<Stops> = group.iter().map(|(.., face)| *face).collect();
        let nearest = median(&mut faces).and_then(|face| colours.nearest(face, [kind].into_iter(), options));
        nearest.map_or(f64::INFINITY, |(_, distance)| distance)
    };
    let Some((_, others)) = groups.split_first() else { return Vec::new() };
    let ways = kinds.iter().map(|&kind| {
        let left: Vec<usize> = kinds.iter().copied().filter(|other| *other != kind).collect();
        let rest = nearest_together(others, &left, colours, options);
        let way: Vec<usize> = std::iter::once(kind).chain(rest).collect();
        let miss: f64 = groups.iter().zip(&way).map(|(group, kind)| distance(group, *kind)).sum();
        (miss, way)
    });
    ways.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, way)| way).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{
        board::Board,
        detect::{Existence, Foreign},
        geometry::Point,
    };

    /// Faces that no kind of the court has, as two photos show them.
    fn photos(faces: [&[Stops]; 2]) -> Vec<Detection> {
        let thing = |face: &Stops| Foreign {
            centre: Point::new(100.0, 1500.0),
            reason: ForeignReason::Colour,
            sized_like: 0,
            face_stops: *face,
            existence: Existence::CERTAIN,
        };
        let photo = |faces: &[Stops]| Detection {
            foreign: faces.iter().map(thing).collect(),
            ..Detection::default()
        };
        faces.map(photo).into()
    }

    /// What the foreign things of the two photos are taken for, by name.
    fn named(faces: [&[Stops]; 2]) -> Vec<Vec<Option<String>>> {
        let options = DetectOptions::default();
        let board = Board::named_or_at("carrom-court").unwrap();
        let colours = KindColours::of_board(&board, &options);
        let kinds = kinds_of_unknown(&photos(faces), &[vec![0, 1]], &colours, &options);
        let name = |kind: Option<usize>| kind.map(|kind| board.pieces[kind].name.clone());
        kinds.into_iter().map(|kinds| kinds.into_iter().map(name).collect()).collect()
    }

    const ORANGE: Stops = [0.9, -0.6, -2.0];
    const GREEN: Stops = [-2.6, 0.6, 0.9];

    #[test]
    fn alike_faces_are_one_kind_and_groups_go_to_the_kinds_they_are_nearest_to_together() {
        let paler = ORANGE.map(|v| v + 0.2);
        let [first, second] = <[_; 2]>::try_from(named([&[GREEN, ORANGE], &[paler, GREEN]])).unwrap();
        assert_eq!(first, [Some("blue".to_owned()), Some("red".to_owned())]);
        assert_eq!(second, [Some("red".to_owned()), Some("blue".to_owned())]);
    }

    #[test]
    fn one_coin_among_the_pieces_is_left_over() {
        const COIN: Stops = [0.8, 0.9, 1.0];
        let named = named([&[GREEN, ORANGE, COIN], &[GREEN, ORANGE]]);
        assert_eq!(named[0][2], None);
        assert!(named[0][..2].iter().chain(&named[1]).all(Option::is_some), "{named:?}");
    }
}
