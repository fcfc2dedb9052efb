//! The form of a board file: which fields it has and which may be left out.
//!
//! In: the file's tables. Out: a [`BoardForm`] whose values are each of the right kind; whether
//! they fit together is checked in `validate`, and `assemble` makes a board of them.

use super::table::{At, TableReader};
use super::values::*;
use super::*;

mod marks;

use marks::{read_accuracy, read_arc, read_circle, read_ends, read_line};

/// What could be read of a file. A part that is absent or left out of a list was faulty.
#[derive(Debug)]
pub(super) struct BoardForm {
    pub(super) id: Option<At<Id>>,
    pub(super) name: Option<At<Text>>,
    pub(super) games: Option<At<Names>>,
    pub(super) accuracy_mm: Option<At<Size>>,
    pub(super) surface: Option<SurfaceForm>,
    pub(super) marks: Vec<MarkForm>,
    /// Whether every line, circle and arc could be read.
    pub(super) marks_complete: bool,
    pub(super) areas: Vec<AreaForm>,
    pub(super) hanging: Option<HangingForm>,
    pub(super) pockets: Vec<PocketForm>,
    pub(super) rails: Vec<RailForm>,
    pub(super) gutters: Vec<GutterForm>,
    pub(super) pieces: Vec<PieceForm>,
    /// Whether the file has any `[[pieces]]`, readable or not.
    pub(super) has_pieces: bool,
    pub(super) numerals: Vec<NumeralForm>,
    pub(super) prints: Vec<PrintForm>,
    pub(super) tags: Vec<TagForm>,
}

#[derive(Debug)]
pub(super) struct SurfaceForm {
    pub(super) width_mm: At<Size>,
    pub(super) length_mm: At<Size>,
    pub(super) ends: At<EndKind>,
    pub(super) colour: Colour,
    pub(super) unseen: Option<End>,
}

/// At which ends of the board something is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ends {
    /// It exists once and belongs to no end.
    Once,
    One(End),
    /// As given for the far end, and mirrored about the middle for the near end.
    Mirrored,
}

impl Ends {
    pub(super) fn includes(self, end: End) -> bool {
        self.copies().iter().any(|(at, _)| at.is_none_or(|at| at == end))
    }

    /// Whether everything at these ends finds something at those.
    pub(super) fn within(self, those: Ends) -> bool {
        [End::Far, End::Near].iter().all(|end| !self.includes(*end) || those.includes(*end))
    }

    /// The ends, each with whether the mirror image stands there.
    pub(super) fn copies(self) -> &'static [(Option<End>, bool)] {
        match self {
            Ends::Once => &[(None, false)],
            Ends::One(End::Far) => &[(Some(End::Far), false)],
            Ends::One(End::Near) => &[(Some(End::Near), false)],
            Ends::Mirrored => &[(Some(End::Far), false), (Some(End::Near), true)],
        }
    }
}

/// A painted line, circle or arc.
#[derive(Debug)]
pub(super) struct MarkForm {
    pub(super) called: String,
    pub(super) line: usize,
    pub(super) name: At<Text>,
    pub(super) role: At<LineRole>,
    pub(super) paint: Paint,
    /// The places that must lie on the board, with their field's name.
    pub(super) places: Vec<(&'static str, At<Point>)>,
    /// Line of the field that gives the paint's size.
    pub(super) size_line: usize,
    pub(super) ends: Ends,
    pub(super) base: Option<At<BoardSide>>,
    pub(super) colour: Colour,
    pub(super) fill: Option<At<Colour>>,
    pub(super) optional: bool,
    pub(super) accuracy_mm: Option<f64>,
}

#[derive(Debug)]
pub(super) struct AreaForm {
    pub(super) called: String,
    pub(super) name: At<Text>,
    pub(super) value: i32,
    pub(super) outline: At<Vec<Point>>,
    pub(super) ends: Ends,
    pub(super) clears: Option<At<Text>>,
}

#[derive(Debug)]
pub(super) struct HangingForm {
    pub(super) line: usize,
    pub(super) area: At<Text>,
    pub(super) value: i32,
}

#[derive(Debug)]
pub(super) struct PocketForm {
    pub(super) called: String,
    pub(super) centre: At<Point>,
    pub(super) diameter_mm: At<Size>,
}

#[derive(Debug)]
pub(super) struct RailForm {
    pub(super) called: String,
    pub(super) sides: At<Sides>,
    pub(super) width_mm: f64,
    pub(super) height_mm: f64,
    pub(super) rounding_mm: Option<At<Extent>>,
    pub(super) colour: Colour,
    pub(super) other_colours: Vec<Colour>,
}

#[derive(Debug)]
pub(super) struct GutterForm {
    pub(super) called: String,
    pub(super) sides: At<Sides>,
    pub(super) width_mm: f64,
    pub(super) depth_mm: f64,
    pub(super) colour: Colour,
}

#[derive(Debug)]
pub(super) struct PieceForm {
    pub(super) called: String,
    pub(super) name: At<Text>,
    pub(super) diameter_mm: At<Size>,
    pub(super) accuracy_mm: Option<f64>,
    pub(super) height_mm: At<Size>,
    pub(super) count: usize,
    pub(super) colour: At<Colour>,
    pub(super) rim_mm: At<Extent>,
    pub(super) make: MakeName,
    pub(super) cap_diameter_mm: Option<At<Size>>,
    pub(super) shooter: bool,
}

#[derive(Debug)]
pub(super) struct NumeralForm {
    pub(super) called: String,
    pub(super) text: String,
    pub(super) centre: At<Point>,
    pub(super) height_mm: f64,
    pub(super) angle_deg: f64,
    pub(super) colour: Colour,
    pub(super) optional: bool,
    pub(super) mirrored: bool,
}

#[derive(Debug)]
pub(super) struct PrintForm {
    pub(super) called: String,
    pub(super) name: At<Text>,
    pub(super) region: At<PrintRegion>,
    pub(super) colours: Vec<Colour>,
    pub(super) optional: bool,
    pub(super) mirrored: bool,
}

#[derive(Debug)]
pub(super) struct TagForm {
    pub(super) called: String,
    pub(super) family: At<Text>,
    pub(super) id: At<TagId>,
    pub(super) centre: Point,
    pub(super) size_mm: f64,
    pub(super) angle_deg: f64,
}

impl BoardForm {
    pub(super) fn read(mut file: TableReader<'_, '_>) -> BoardForm {
        let id = file.required("id");
        let name = file.required("name");
        let games = file.required("games");
        let accuracy_mm = file.optional("accuracy_mm");
        if !file.has("surface") {
            file.fault(1, "[surface] is missing, expected its width_mm, length_mm, ends and colour");
        }
        let surface = file.table("surface", "surface").and_then(read_surface);
        let lines = file.list("lines", "line");
        let circles = file.list("circles", "circle");
        let arcs = file.list("arcs", "arc");
        let expected_marks = lines.len() + circles.len() + arcs.len();
        let marks: Vec<_> = (lines.into_iter().filter_map(read_line))
            .chain(circles.into_iter().filter_map(read_circle))
            .chain(arcs.into_iter().filter_map(read_arc))
            .collect();
        let areas = file.list("areas", "area").into_iter().filter_map(read_area).collect();
        let hanging = file.table("hanging", "hanging").and_then(read_hanging);
        let pockets = file.list("pockets", "pocket").into_iter().filter_map(read_pocket).collect();
        let rails = file.list("rails", "rail").into_iter().filter_map(read_rail).collect();
        let gutters = file.list("gutters", "gutter").into_iter().filter_map(read_gutter).collect();
        let pieces = file.list("pieces", "piece");
        let has_pieces = !pieces.is_empty();
        let pieces = pieces.into_iter().filter_map(read_piece).collect();
        let numerals = file.list("numerals", "numeral").into_iter().filter_map(read_numeral).collect();
        let prints = file.list("prints", "print").into_iter().filter_map(read_print).collect();
        let tags = file.list("tags", "tag").into_iter().filter_map(read_tag).collect();
        file.finish();
        let marks_complete = marks.len() == expected_marks;
        BoardForm {
            id,
            name,
            games,
            accuracy_mm,
            surface,
            marks,
            marks_complete,
            areas,
            hanging,
            pockets,
            rails,
            gutters,
            pieces,
            has_pieces,
            numerals,
            prints,
            tags,
        }
    }
}

// Each reader below asks for every field before it gives up on one, so that all faults are found.

fn read_surface(mut table: TableReader<'_, '_>) -> Option<SurfaceForm> {
    let (width_mm, length_mm) = (table.required("width_mm"), table.required("length_mm"));
    let (ends, colour) = (table.required("ends"), table.required("colour"));
    let unseen = value(table.optional("unseen"));
    table.finish();
    Some(SurfaceForm {
        width_mm: width_mm?,
        length_mm: length_mm?,
        ends: ends?,
        colour: value(colour)?,
        unseen,
    })
}

fn read_area(mut table: TableReader<'_, '_>) -> Option<AreaForm> {
    let (name, points) = (table.required("name"), table.required::<Points>("value"));
    let outline = table.required::<Outline>("polygon");
    let ends = read_ends(&mut table);
    let clears = table.optional("clears");
    let called = table.called.clone();
    table.finish();
    let At { line, value: Outline(places) } = outline?;
    let outline = At { line, value: places.into_iter().map(|place| place.0).collect() };
    Some(AreaForm { called, name: name?, value: points?.value.0, outline, ends, clears })
}

fn read_hanging(mut table: TableReader<'_, '_>) -> Option<HangingForm> {
    let (area, points) = (table.required("area"), table.required::<Points>("value"));
    let line = table.line;
    table.finish();
    Some(HangingForm { line, area: area?, value: points?.value.0 })
}

fn read_pocket(mut table: TableReader<'_, '_>) -> Option<PocketForm> {
    let (centre, diameter_mm) = (table.required("centre"), table.required("diameter_mm"));
    let called = table.called.clone();
    table.finish();
    Some(PocketForm { called, centre: point(centre)?, diameter_mm: diameter_mm? })
}

fn read_rail(mut table: TableReader<'_, '_>) -> Option<RailForm> {
    let sides = table.required("sides");
    let (width_mm, height_mm) = (table.required::<Size>("width_mm"), table.required::<Size>("height_mm"));
    let rounding_mm = table.optional("rounding_mm");
    let colours = read_colours(&mut table);
    let called = table.called.clone();
    table.finish();
    let (colour, other_colours) = colours?;
    Some(RailForm {
        called,
        sides: sides?,
        width_mm: width_mm?.value.0,
        height_mm: height_mm?.value.0,
        rounding_mm,
        colour,
        other_colours,
    })
}

/// `colour`, or `colours` where makers use several: the usual one and the others.
fn read_colours(table: &mut TableReader<'_, '_>) -> Option<(Colour, Vec<Colour>)> {
    if !table.has("colours") {
        return value(table.required("colour")).map(|colour| (colour, Vec::new()));
    }
    let colours: Option<At<Colours>> = table.optional("colours");
    if let Some(At { line, .. }) = table.optional::<Colour>("colour") {
        table.fault(line, "colour stands beside colours, expected one of the two");
    }
    let mut colours = colours?.value.0.into_iter();
    Some((colours.next()?, colours.collect()))
}

fn read_gutter(mut table: TableReader<'_, '_>) -> Option<GutterForm> {
    let sides = table.required("sides");
    let (width_mm, depth_mm) = (table.required::<Size>("width_mm"), table.required::<Size>("depth_mm"));
    let colour = table.required("colour");
    let called = table.called.clone();
    table.finish();
    Some(GutterForm {
        called,
        sides: sides?,
        width_mm: width_mm?.value.0,
        depth_mm: depth_mm?.value.0,
        colour: value(colour)?,
    })
}

fn read_piece(mut table: TableReader<'_, '_>) -> Option<PieceForm> {
    let name = table.required("name");
    let (diameter_mm, height_mm) = (table.required("diameter_mm"), table.required("height_mm"));
    let accuracy_mm = read_accuracy(&mut table);
    let count = table.required::<Count>("count");
    let (colour, rim_mm) = (table.required("colour"), table.required("rim_mm"));
    let make = table.optional("make");
    let cap_diameter_mm = table.optional("cap_diameter_mm");
    let shooter = table.optional("shooter");
    let called = table.called.clone();
    table.finish();
    Some(PieceForm {
        called,
        name: name?,
        diameter_mm: diameter_mm?,
        accuracy_mm,
        height_mm: height_mm?,
        count: count?.value.0,
        colour: colour?,
        rim_mm: rim_mm?,
        make: value(make).unwrap_or(MakeName::Any),
        cap_diameter_mm,
        shooter: value(shooter).unwrap_or(false),
    })
}

fn read_numeral(mut table: TableReader<'_, '_>) -> Option<NumeralForm> {
    let text = table.required::<Text>("text");
    let (centre, height_mm) = (table.required("centre"), table.required::<Size>("height_mm"));
    let angle_deg = table.optional::<Angle>("angle_deg");
    let colour = table.required("colour");
    let (optional, mirrored) = (table.optional("optional"), table.optional("mirrored"));
    let called = table.called.clone();
    table.finish();
    Some(NumeralForm {
        called,
        text: text?.value.0,
        centre: point(centre)?,
        height_mm: height_mm?.value.0,
        angle_deg: angle_deg.map_or(0.0, |at| at.value.0),
        colour: value(colour)?,
        optional: value(optional).unwrap_or(false),
        mirrored: value(mirrored).unwrap_or(false),
    })
}

fn read_print(mut table: TableReader<'_, '_>) -> Option<PrintForm> {
    let name = table.required("name");
    let region = read_region(&mut table);
    let colours = table.required::<Colours>("colours");
    let (optional, mirrored) = (table.optional("optional"), table.optional("mirrored"));
    let called = table.called.clone();
    table.finish();
    Some(PrintForm {
        called,
        name: name?,
        region: region?,
        colours: colours?.value.0,
        optional: value(optional).unwrap_or(true),
        mirrored: value(mirrored).unwrap_or(false),
    })
}

/// A disc by its centre and diameter, or a polygon.
fn read_region(table: &mut TableReader<'_, '_>) -> Option<At<PrintRegion>> {
    if !table.has("polygon") {
        let (centre, diameter_mm) = (table.required("centre"), table.required::<Size>("diameter_mm"));
        let At { line, value: centre } = point(centre)?;
        return Some(At { line, value: PrintRegion::Disc { centre, radius_mm: diameter_mm?.value.0 / 2.0 } });
    }
    let outline = table.required::<Outline>("polygon");
    if let Some(At { line, .. }) = table.optional::<Place>("centre") {
        table.fault(line, "centre stands beside polygon, expected one of the two");
    }
    let At { line, value: Outline(places) } = outline?;
    let corners = places.into_iter().map(|place| place.0).collect();
    Some(At { line, value: PrintRegion::Polygon(Polygon::new(corners)) })
}

fn read_tag(mut table: TableReader<'_, '_>) -> Option<TagForm> {
    let (family, id) = (table.required("family"), table.required("id"));
    let centre = table.required("centre");
    let size_mm = table.required::<Size>("size_mm");
    let angle_deg = table.optional::<Angle>("angle_deg");
    let called = table.called.clone();
    table.finish();
    Some(TagForm {
        called,
        family: family?,
        id: id?,
        centre: point(centre)?.value,
        size_mm: size_mm?.value.0,
        angle_deg: angle_deg.map_or(0.0, |at| at.value.0),
    })
}

fn value<T>(at: Option<At<T>>) -> Option<T> {
    at.map(|at| at.value)
}

fn point(place: Option<At<Place>>) -> Option<At<Point>> {
    place.map(|At { line, value: Place(value) }| At { line, value })
}
