//! The form of what is painted: `[[lines]]`, `[[circles]]` and `[[arcs]]`.

use super::*;

/// Colour of paint where the file gives none.
const DEFAULT_PAINT: Colour = Colour([0x26, 0x24, 0x1f]);

pub(super) fn read_ends(table: &mut TableReader<'_, '_>) -> Ends {
    let mirrored: Option<At<bool>> = table.optional("mirrored");
    let end: Option<At<End>> = table.optional("end");
    match (mirrored, end) {
        (Some(At { value: true, line }), Some(_)) => {
            table.fault(line, "mirrored is at both ends, expected either mirrored = true or an end");
            Ends::Mirrored
        }
        (Some(At { value: true, .. }), None) => Ends::Mirrored,
        (_, Some(end)) => Ends::One(end.value),
        (_, None) => Ends::Once,
    }
}

pub(super) fn read_line(mut table: TableReader<'_, '_>) -> Option<MarkForm> {
    let (name, role) = (table.required("name"), table.required("role"));
    let (from, to) = (table.required::<Place>("from"), table.required::<Place>("to"));
    let width_mm: Option<At<Size>> = table.required("width_mm");
    let shared = read_shared(&mut table);
    table.finish();
    let (from, to, width) = (point(from)?, point(to)?, width_mm?);
    let paint = Paint::Stroke { from: from.value, to: to.value, width_mm: width.value.0 };
    let places = vec![("from", from), ("to", to)];
    Some(shared.mark(name?, role?, paint, places, width.line, None))
}

/// What lines, circles and arcs have in common.
struct Shared {
    called: String,
    line: usize,
    ends: Ends,
    base: Option<At<BoardSide>>,
    colour: Colour,
    optional: bool,
    accuracy_mm: Option<f64>,
}

fn read_shared(table: &mut TableReader<'_, '_>) -> Shared {
    Shared {
        ends: read_ends(table),
        base: table.optional("base"),
        colour: value(table.optional("colour")).unwrap_or(DEFAULT_PAINT),
        optional: value(table.optional("optional")).unwrap_or(false),
        accuracy_mm: read_accuracy(table),
        called: table.called.clone(),
        line: table.line,
    }
}

pub(super) fn read_accuracy(table: &mut TableReader<'_, '_>) -> Option<f64> {
    value(table.optional::<Extent>("accuracy_mm")).map(|Extent(mm)| mm)
}

impl Shared {
    fn mark(
        self,
        name: At<Text>,
        role: At<LineRole>,
        paint: Paint,
        places: Vec<(&'static str, At<Point>)>,
        size_line: usize,
        fill: Option<At<Colour>>,
    ) -> MarkForm {
        let Shared { called, line, ends, base, colour, optional, accuracy_mm } = self;
        MarkForm {
            called,
            line,
            name,
            role,
            paint,
            places,
            size_line,
            ends,
            base,
            colour,
            fill,
            optional,
            accuracy_mm,
        }
    }
}

pub(super) fn read_circle(mut table: TableReader<'_, '_>) -> Option<MarkForm> {
    let (name, role) = (table.required("name"), table.required("role"));
    let centre = table.required::<Place>("centre");
    let diameter_mm: Option<At<Size>> = table.required("diameter_mm");
    // Absent: a filled spot.
    let width_mm: Option<At<Size>> = table.optional("width_mm");
    let fill = table.optional("fill");
    let shared = read_shared(&mut table);
    table.finish();
    let (place, diameter) = (point(centre)?, diameter_mm?);
    let (centre, radius_mm) = (place.value, diameter.value.0 / 2.0);
    let paint = match width_mm {
        Some(width) => Paint::Ring { centre, radius_mm, width_mm: width.value.0 },
        None => Paint::Spot { centre, radius_mm },
    };
    Some(shared.mark(name?, role?, paint, vec![("centre", place)], diameter.line, fill))
}

pub(super) fn read_arc(mut table: TableReader<'_, '_>) -> Option<MarkForm> {
    let (name, role) = (table.required("name"), table.required("role"));
    let centre = table.required::<Place>("centre");
    let diameter_mm: Option<At<Size>> = table.required("diameter_mm");
    let width_mm: Option<At<Size>> = table.required("width_mm");
    let from_deg: Option<At<Angle>> = table.required("from_deg");
    let sweep_deg: Option<At<Sweep>> = table.required("sweep_deg");
    let shared = read_shared(&mut table);
    table.finish();
    let (place, diameter) = (point(centre)?, diameter_mm?);
    let paint = Paint::Arc {
        centre: place.value,
        radius_mm: diameter.value.0 / 2.0,
        width_mm: width_mm?.value.0,
        start_rad: from_deg?.value.0.to_radians(),
        sweep_rad: sweep_deg?.value.0.to_radians(),
    };
    Some(shared.mark(name?, role?, paint, vec![("centre", place)], diameter.line, None))
}
