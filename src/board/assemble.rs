//! The way from a read and checked form to a [`Board`]: what is `mirrored` is spelled out for both
//! ends, diameters become radii.

use super::form::*;
use super::values::MakeName;
use super::*;

impl BoardForm {
    /// The board; `None` if a part that every board needs could not be read.
    pub(super) fn into_board(self) -> Option<Board> {
        let surface = self.surface?;
        let (width_mm, length_mm) = (surface.width_mm.value.0, surface.length_mm.value.0);
        let middle_y = length_mm / 2.0;
        let rails = self.rails.iter().flat_map(|rail| {
            let RailForm { width_mm, height_mm, colour, .. } = *rail;
            let other_colours = &rail.other_colours;
            let rounding_mm = rail.rounding_mm.as_ref().map(|rounding| rounding.value.0);
            rail.sides.value.0.iter().map(move |&side| Rail {
                side,
                width_mm,
                height_mm,
                rounding_mm,
                colour,
                other_colours: other_colours.clone(),
            })
        });
        let gutters = self.gutters.iter().flat_map(|gutter| {
            let GutterForm { width_mm, depth_mm, colour, .. } = *gutter;
            gutter.sides.value.0.iter().map(move |&side| Gutter { side, width_mm, depth_mm, colour })
        });
        let middle = Point::new(width_mm / 2.0, middle_y);
        Some(Board {
            id: self.id?.value.0,
            name: self.name?.value.0,
            games: self.games?.value.0.into_iter().map(|game| game.0).collect(),
            accuracy_mm: self.accuracy_mm.map_or(0.0, |at| at.value.0),
            surface: Surface {
                width_mm,
                length_mm,
                ends: surface.ends.value,
                colour: surface.colour,
                unseen: surface.unseen,
            },
            lines: self.marks.iter().flat_map(|mark| mark.lines(middle_y)).collect(),
            areas: self.areas.iter().flat_map(|area| area.areas(middle_y)).collect(),
            hanging: self.hanging.map(|h| Hanging { area: h.area.value.0, value: h.value }),
            rails: rails.collect(),
            gutters: gutters.collect(),
            pockets: self
                .pockets
                .iter()
                .map(|p| Pocket { centre: p.centre.value, radius_mm: p.diameter_mm.value.0 / 2.0 })
                .collect(),
            pieces: self.pieces.into_iter().map(PieceForm::into_kind).collect(),
            numerals: self.numerals.iter().flat_map(|n| n.numerals(width_mm, length_mm)).collect(),
            prints: self.prints.iter().flat_map(|print| print.prints(middle)).collect(),
            tags: self.tags.into_iter().map(TagForm::into_tag).collect(),
        })
    }
}

impl MarkForm {
    /// The paint at every end it is at.
    pub(super) fn paints(&self, middle_y: f64) -> impl Iterator<Item = (Option<End>, Paint)> + '_ {
        self.ends.copies().iter().map(move |&(end, mirrored)| {
            (end, if mirrored { self.paint.mirrored_y(middle_y) } else { self.paint })
        })
    }

    fn lines(&self, middle_y: f64) -> impl Iterator<Item = Line> + '_ {
        self.paints(middle_y).map(|(end, paint)| Line {
            name: self.name.value.0.clone(),
            role: self.role.value,
            end,
            base: self.base.as_ref().map(|base| base.value),
            paint,
            colour: self.colour,
            fill: self.fill.as_ref().map(|fill| fill.value),
            optional: self.optional,
            accuracy_mm: self.accuracy_mm,
        })
    }
}

impl AreaForm {
    /// The outline at every end it is at.
    pub(super) fn polygons(&self, middle_y: f64) -> impl Iterator<Item = (Option<End>, Polygon)> + '_ {
        self.ends.copies().iter().map(move |&(end, mirrored)| {
            let polygon = Polygon::new(self.outline.value.clone());
            (end, if mirrored { polygon.mirrored_y(middle_y) } else { polygon })
        })
    }

    fn areas(&self, middle_y: f64) -> impl Iterator<Item = Area> + '_ {
        self.polygons(middle_y).map(|(end, polygon)| Area {
            name: self.name.value.0.clone(),
            value: self.value,
            end,
            polygon,
            clears: self.clears.as_ref().map(|line| line.value.0.clone()),
        })
    }
}

impl PieceForm {
    fn into_kind(self) -> PieceKind {
        PieceKind {
            name: self.name.value.0,
            diameter_mm: self.diameter_mm.value.0,
            accuracy_mm: self.accuracy_mm,
            height_mm: self.height_mm.value.0,
            count: self.count,
            colour: self.colour.value,
            rim_mm: self.rim_mm.value.0,
            make: match self.make {
                MakeName::Any => Make::Any,
                MakeName::Plain => Make::Plain,
                MakeName::Groove => Make::Groove,
                MakeName::Cap => Make::Cap { diameter_mm: self.cap_diameter_mm.map(|at| at.value.0) },
            },
            shooter: self.shooter,
        }
    }
}

impl NumeralForm {
    /// Mirrored, it stands at the other end turned half round, as a player there reads it.
    fn numerals(&self, width_mm: f64, length_mm: f64) -> impl Iterator<Item = Numeral> {
        let given = Numeral {
            text: self.text.clone(),
            centre: self.centre.value,
            height_mm: self.height_mm,
            angle_deg: self.angle_deg,
            colour: self.colour,
            optional: self.optional,
        };
        let turned = self.mirrored.then(|| Numeral {
            centre: Point::new(width_mm - given.centre.x, length_mm - given.centre.y),
            angle_deg: given.angle_deg + 180.0,
            ..given.clone()
        });
        turned.into_iter().chain([given])
    }
}

impl PrintForm {
    /// Mirrored, it lies at the other end turned half round, as numerals do.
    fn prints(&self, middle: Point) -> impl Iterator<Item = Print> {
        let given = Print {
            name: self.name.value.0.clone(),
            region: self.region.value.clone(),
            colours: self.colours.clone(),
            optional: self.optional,
        };
        let turned =
            self.mirrored.then(|| Print { region: given.region.turned_about(middle), ..given.clone() });
        [given].into_iter().chain(turned)
    }
}

impl TagForm {
    fn into_tag(self) -> Tag {
        Tag {
            family: self.family.value.0,
            id: self.id.value.0,
            centre: self.centre,
            size_mm: self.size_mm,
            angle_deg: self.angle_deg,
        }
    }
}
