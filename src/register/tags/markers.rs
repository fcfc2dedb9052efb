//! OpenCV's marker detector, which moved between modules with version 4.7: the one place that
//! knows which one this machine has.

use image::GrayImage;
use opencv::{
    core::{Mat, Point2f, Vector},
    prelude::*,
};

use crate::camera::Pixel;

#[cfg(not(opencv_4_7))]
use opencv::aruco;
#[cfg(opencv_4_7)]
use opencv::objdetect as aruco;

/// A marker as it was seen: its corners clockwise from the top left of its print.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Marker {
    pub id: u32,
    pub corners: [Pixel; 4],
}

/// A chessboard with markers in its white squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CharucoPattern {
    /// Squares across and down.
    pub squares: [u32; 2],
    pub square_mm: f64,
    pub marker_mm: f64,
    /// OpenCV's number of the family, from [`family_number`].
    pub family: i32,
}

/// Families by the names that board files and people use.
const FAMILIES: [(&str, i32); 21] = [
    ("aruco-4x4-50", 0),
    ("aruco-4x4-100", 1),
    ("aruco-4x4-250", 2),
    ("aruco-4x4-1000", 3),
    ("aruco-5x5-50", 4),
    ("aruco-5x5-100", 5),
    ("aruco-5x5-250", 6),
    ("aruco-5x5-1000", 7),
    ("aruco-6x6-50", 8),
    ("aruco-6x6-100", 9),
    ("aruco-6x6-250", 10),
    ("aruco-6x6-1000", 11),
    ("aruco-7x7-50", 12),
    ("aruco-7x7-100", 13),
    ("aruco-7x7-250", 14),
    ("aruco-7x7-1000", 15),
    ("aruco-original", 16),
    ("tag16h5", 17),
    ("tag25h9", 18),
    ("tag36h10", 19),
    ("tag36h11", 20),
];

/// OpenCV's number of a family; `DICT_4X4_50` and `4x4_50` mean `aruco-4x4-50`.
pub(crate) fn family_number(name: &str) -> Option<i32> {
    let plain = name.to_ascii_lowercase().replace('_', "-");
    let plain = plain.trim_start_matches("dict-").replace("apriltag-", "tag");
    FAMILIES
        .iter()
        .find(|(known, _)| *known == plain || known.strip_prefix("aruco-") == Some(plain.as_str()))
        .map(|(_, number)| *number)
}

/// All family names, for messages.
pub(crate) fn family_names() -> String {
    FAMILIES.map(|(name, _)| name).join(", ")
}

/// A grey picture as OpenCV wants it.
pub(crate) fn mat_of(grey: &GrayImage) -> opencv::Result<Mat> {
    let rows = i32::try_from(grey.height()).unwrap_or(i32::MAX);
    Mat::from_slice(grey.as_raw())?.reshape(1, rows)?.try_clone()
}

/// Finds the markers of one family, ordered by id.
#[cfg(not(opencv_4_7))]
pub(crate) fn find_markers(grey: &GrayImage, family: i32) -> opencv::Result<Vec<Marker>> {
    let dictionary = aruco::get_predefined_dictionary_i32(family)?;
    let mut parameters = aruco::DetectorParameters::create()?;
    parameters.set_corner_refinement_method(aruco::CORNER_REFINE_SUBPIX);
    let mut corners = Vector::<Vector<Point2f>>::new();
    let mut ids = Vector::<i32>::new();
    let mut rejected = Vector::<Vector<Point2f>>::new();
    aruco::detect_markers(&mat_of(grey)?, &dictionary, &mut corners, &mut ids, &parameters, &mut rejected)?;
    Ok(markers_of(&corners, &ids))
}

/// Finds the markers of one family, ordered by id.
#[cfg(opencv_4_7)]
pub(crate) fn find_markers(grey: &GrayImage, family: i32) -> opencv::Result<Vec<Marker>> {
    let dictionary = aruco::get_predefined_dictionary_i32(family)?;
    let mut parameters = aruco::DetectorParameters::default()?;
    parameters.set_corner_refinement_method(aruco::CORNER_REFINE_SUBPIX);
    let refine = aruco::RefineParameters::new_def()?;
    let detector = aruco::ArucoDetector::new(&dictionary, &parameters, refine)?;
    let mut corners = Vector::<Vector<Point2f>>::new();
    let mut ids = Vector::<i32>::new();
    detector.detect_markers_def(&mat_of(grey)?, &mut corners, &mut ids)?;
    Ok(markers_of(&corners, &ids))
}

fn markers_of(corners: &Vector<Vector<Point2f>>, ids: &Vector<i32>) -> Vec<Marker> {
    let mut markers: Vec<Marker> = corners
        .iter()
        .zip(ids.iter())
        .filter_map(|(quad, id)| {
            let corners: Vec<Pixel> = quad.iter().map(pixel_of).collect();
            Some(Marker { id: u32::try_from(id).ok()?, corners: corners.try_into().ok()? })
        })
        .collect();
    markers.sort_by_key(|marker| marker.id);
    markers
}

fn pixel_of(point: Point2f) -> Pixel {
    Pixel::new(f64::from(point.x), f64::from(point.y))
}

/// The pattern's inner corners that are seen, each with its number, row by row.
#[cfg(not(opencv_4_7))]
pub(crate) fn find_charuco(
    grey: &GrayImage,
    pattern: &CharucoPattern,
) -> opencv::Result<Vec<(usize, Pixel)>> {
    let dictionary = aruco::get_predefined_dictionary_i32(pattern.family)?;
    let [across, down] = pattern.squares.map(|n| n as i32);
    let board = aruco::CharucoBoard::create(
        across,
        down,
        pattern.square_mm as f32,
        pattern.marker_mm as f32,
        &dictionary,
    )?;
    let picture = mat_of(grey)?;
    let mut marker_corners = Vector::<Vector<Point2f>>::new();
    let mut marker_ids = Vector::<i32>::new();
    aruco::detect_markers_def(&picture, &dictionary, &mut marker_corners, &mut marker_ids)?;
    if marker_ids.is_empty() {
        return Ok(Vec::new());
    }
    let (mut corners, mut ids) = (Mat::default(), Mat::default());
    aruco::interpolate_corners_charuco_def(
        &marker_corners,
        &marker_ids,
        &picture,
        &board,
        &mut corners,
        &mut ids,
    )?;
    numbered(&corners, &ids)
}

/// The pattern's inner corners that are seen, each with its number, row by row.
#[cfg(opencv_4_7)]
pub(crate) fn find_charuco(
    grey: &GrayImage,
    pattern: &CharucoPattern,
) -> opencv::Result<Vec<(usize, Pixel)>> {
    let dictionary = aruco::get_predefined_dictionary_i32(pattern.family)?;
    let [across, down] = pattern.squares.map(|n| n as i32);
    let size = opencv::core::Size::new(across, down);
    let (square, marker) = (pattern.square_mm as f32, pattern.marker_mm as f32);
    let board = aruco::CharucoBoard::new_def(size, square, marker, &dictionary)?;
    let detector = aruco::CharucoDetector::new_def(&board)?;
    let (mut corners, mut ids) = (Mat::default(), Mat::default());
    detector.detect_board_def(&mat_of(grey)?, &mut corners, &mut ids)?;
    numbered(&corners, &ids)
}

fn numbered(corners: &Mat, ids: &Mat) -> opencv::Result<Vec<(usize, Pixel)>> {
    if corners.empty() || ids.empty() {
        return Ok(Vec::new());
    }
    let points = corners.data_typed::<Point2f>()?;
    let numbers = ids.data_typed::<i32>()?;
    let seen = numbers.iter().zip(points);
    Ok(seen.filter_map(|(&id, &p)| Some((usize::try_from(id).ok()?, pixel_of(p)))).collect())
}

/// A marker as it is printed, black border included, `side_px` wide.
#[cfg(all(test, not(opencv_4_7)))]
pub(crate) fn print_marker(family: i32, id: u32, side_px: u32) -> opencv::Result<GrayImage> {
    let mut drawn = Mat::default();
    let dictionary = aruco::get_predefined_dictionary_i32(family)?;
    aruco::draw_marker_def(&dictionary, id as i32, side_px as i32, &mut drawn)?;
    Ok(grey_of(&drawn, side_px))
}

/// A marker as it is printed, black border included, `side_px` wide.
#[cfg(all(test, opencv_4_7))]
pub(crate) fn print_marker(family: i32, id: u32, side_px: u32) -> opencv::Result<GrayImage> {
    let mut drawn = Mat::default();
    let dictionary = aruco::get_predefined_dictionary_i32(family)?;
    aruco::generate_image_marker_def(&dictionary, id as i32, side_px as i32, &mut drawn)?;
    Ok(grey_of(&drawn, side_px))
}

#[cfg(test)]
fn grey_of(mat: &Mat, side_px: u32) -> GrayImage {
    let bytes = mat.data_bytes().expect("a drawn marker is continuous").to_vec();
    GrayImage::from_raw(side_px, side_px, bytes).expect("one byte a pixel")
}
