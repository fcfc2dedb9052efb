//! For each stage, the first thing that a user of OpenCV would write for it. They answer less (no
//! uncertainty, no solid, no check of what was found) and are here for their time alone.

use linecall::capture::Picture;
use opencv::{
    Result,
    core::{Mat, Point, Rect, Size, ToInputArray, Vec3b, Vec3f, Vec4i, Vector},
    imgcodecs, imgproc,
    prelude::*,
};

/// Decoding: `imdecode`.
pub fn decode(bytes: &[u8]) -> Result<Mat> {
    imgcodecs::imdecode(&Mat::from_slice(bytes)?, imgcodecs::IMREAD_COLOR)
}

/// A picture as OpenCV holds it.
pub fn mat_of(picture: &Picture) -> Result<Mat> {
    let [width, height] = picture.size().map(|side| side as i32);
    Mat::new_rows_cols_with_bytes::<Vec3b>(height, width, picture.rgb().as_raw())?.try_clone()
}

fn grey_of(colour: &impl ToInputArray) -> Result<Mat> {
    let mut grey = Mat::default();
    imgproc::cvt_color_def(colour, &mut grey, imgproc::COLOR_RGB2GRAY)?;
    Ok(grey)
}

/// The board's lines: grey, Canny, probabilistic Hough transform.
pub fn lines(colour: &Mat) -> Result<usize> {
    let (mut edges, mut lines) = (Mat::default(), Vector::<Vec4i>::new());
    imgproc::canny(&grey_of(colour)?, &mut edges, 50.0, 150.0, 3, false)?;
    imgproc::hough_lines_p(&edges, &mut lines, 1.0, 0.0174, 80, 60.0, 5.0)?;
    Ok(lines.len())
}

/// Pieces: grey, median, Hough circles of about the radius.
pub fn circles(colour: &Mat, radius_px: f64) -> Result<usize> {
    let mut smooth = Mat::default();
    imgproc::median_blur(&grey_of(colour)?, &mut smooth, 5)?;
    let mut circles = Vector::<Vec3f>::new();
    let (least, most) = ((radius_px * 0.85) as i32, (radius_px * 1.15).ceil() as i32);
    let (method, apart_px) = (imgproc::HOUGH_GRADIENT, 1.8 * radius_px);
    imgproc::hough_circles(&smooth, &mut circles, method, 1.0, apart_px, 100.0, 22.0, least, most)?;
    Ok(circles.len())
}

/// Where a piece lies: around each place grey, blur, Otsu's threshold, contours, an ellipse through the
/// longest.
pub fn ellipses(colour: &Mat, places: &[(f64, f64)], radius_px: f64) -> Result<usize> {
    let mut found = 0;
    for &(u, v) in places {
        let reach = (1.5 * radius_px) as i32;
        let around = Rect::new(u as i32 - reach, v as i32 - reach, 2 * reach, 2 * reach);
        let around = around & Rect::new(0, 0, colour.cols(), colour.rows());
        if around.area() == 0 {
            continue;
        }
        let (mut smooth, mut mask) = (Mat::default(), Mat::default());
        let grey = grey_of(&Mat::roi(colour, around)?)?;
        imgproc::gaussian_blur_def(&grey, &mut smooth, Size::new(5, 5), 0.0)?;
        imgproc::threshold(
            &smooth,
            &mut mask,
            0.0,
            255.0,
            imgproc::THRESH_BINARY_INV | imgproc::THRESH_OTSU,
        )?;
        let mut contours = Vector::<Vector<Point>>::new();
        let (outer, all_points) = (imgproc::RETR_EXTERNAL, imgproc::CHAIN_APPROX_NONE);
        imgproc::find_contours(&mask, &mut contours, outer, all_points, Point::new(0, 0))?;
        if let Some(longest) = contours.iter().max_by_key(Vector::len).filter(|contour| contour.len() >= 5) {
            imgproc::fit_ellipse(&longest)?;
            found += 1;
        }
    }
    Ok(found)
}
