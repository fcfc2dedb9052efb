//! Every threshold of detection, in one place. What a module holds as a constant of its own is how it
//! samples, not what it decides by.

use std::ops::Range;

use super::TaughtColours;

crate::options::options! {
    /// Options of [`super::detect`]. "Stops" are factors of two of linear light: a step of one stop is
    /// a face that is twice as bright as what lies beside it, in the channel where they differ most.
    #[derive(Debug, Clone, PartialEq)]
    pub struct DetectOptions {
        /// Cells of the rectified view across the smallest piece. More finds weaker rims, and costs
        /// time with its square.
        pub cells_per_diameter: f64 = 12.0,
        /// Light added to every channel before its logarithm, as a fraction of the surface's own:
        /// keeps noise in the dark from looking like colour. More hides the hue of dark pieces.
        pub dark_floor: f64 = 0.06,

        /// Brightness steps a cell below which a cell of the view does not vote, in stops. Less finds
        /// paler pieces, and lets wood grain vote.
        pub vote_step_min: f32 = 0.12,
        /// Steps from which a cell has its whole vote, in stops.
        pub vote_step_full: f32 = 0.45,
        /// Part of a rim that must have voted for a place to be looked at in the full picture. Less
        /// finds pieces that are mostly hidden, and costs time.
        pub vote_rim_min: f32 = 0.3,
        /// A cap's rim votes for its piece's centre too, at these parts of the piece's radius.
        pub cap_vote_radii: [f32; 2] = [0.76, 0.86],
        /// What such a vote counts.
        pub cap_vote_weight: f32 = 0.6,
        /// How far the middle of a place must be from the bare surface, in stops, in one channel.
        pub place_step_min: f32 = 0.15,
        /// A place whose middle is further than this many standard deviations from every kind is not
        /// looked at, unless so much of a rim has voted for it: what is plainly round is told, whatever its colour. Less of
        /// either costs time where there is clutter.
        pub place_distance_max: f64 = 4.0,
        pub unknown_votes_min: f32 = 0.6,
        /// At most this many places are looked at, the best voted first.
        pub places_max: usize = 96,

        /// Rays around a place along which its rim is looked for.
        pub rays: usize = 48,
        /// Steps across the rim that count in full, in stops; less for a face that itself differs less
        /// from the surface, but not less than the second. Less sees the rims of pale pieces, and takes
        /// noise in dim light for rims.
        pub rim_step_full: f32 = 0.5,
        pub rim_step_min: f32 = 0.2,
        /// Part of the bare surface's own edges that a rim must be stronger than. More asks for stronger rims
        /// on worn boards and in noisy pictures.
        pub texture_share: f64 = 0.9,
        /// How many times as strong a full edge must be. More takes less noise for rims, and misses pale
        /// pieces on rough wood.
        pub texture_factor: f32 = 1.5,
        /// A picture whose bare surface is as rough as rims is smoothed where that leaves no more of the roughness than
        /// this part: noise goes, grain and wear stay. More smooths worn boards and loses their pieces' rims, less takes
        /// noise for rims.
        pub noise_left_max: f32 = 0.75,
        /// How often it is smoothed at most. More rounds off small pieces.
        pub smoothings_max: usize = 2,
        /// Step of a full edge, as part of the face's own contrast; within the limits above.
        pub rim_step_part: f32 = 0.7,
        /// The same for a face with a hue of its own, [`DetectOptions::own_hue_min`]. Less sees the rims of pale pieces in
        /// blurred photos, and takes stains for pieces.
        pub hued_step_part: f32 = 0.5,
        /// How far a hue must be from the surface's to be a face's own, in stops: shade, texture and print of shades of grey
        /// have none. Less takes tinted wood for pieces, more loses pale pieces beside their shadows.
        pub own_hue_min: f32 = 0.2,
        /// Part of a full edge below which there is none.
        pub rim_no_edge: f32 = 0.3,
        /// How far a voted place may be off, as part of the radius.
        pub place_tolerance: f64 = 0.2,
        /// How far a rim may be from where the piece's diameter puts it, as part of the radius.
        pub rim_tolerance: f64 = 0.8 / 15.0,
        /// Part of a rim that must be seen for a place to be looked at any closer.
        pub sight_min: f32 = 0.35,
        /// Part of a rim from which a centre that the face agrees with needs no second thought.
        pub sure_rim_min: f32 = 0.9,
        /// Part of the visible rim that must be seen. Less finds pieces in bad light, and takes other
        /// round things for pieces.
        pub rim_min: f32 = 0.7,
        /// The same for a face that is pale or uneven, as texture and print are.
        pub doubtful_rim_min: f32 = 0.82,
        /// A face without a hue of its own that differs from the surface by less than this is faint, in stops, and needs as much of a rim (0.8). Less takes
        /// bright patches among other things for pieces, more loses dull pieces that are partly spoilt.
        pub faint_max: f32 = 0.8,
        /// A face without a hue of its own that differs from the surface by less than so many times what its roughness shows as edges needs
        /// [`DetectOptions::sure_rim_min`] of a rim (2); below that roughness there is none to be seen. Less pieces rims together from
        /// grain and noise, more loses pale pieces on rough wood.
        pub rough_steps: f32 = 2.0,
        /// A doubtful face that hides the board's paint needs no more than [`DetectOptions::rim_min`]: this part of
        /// the paint under it must not be seen.
        pub hidden_paint_min: f32 = 0.8,
        /// Fewest samples of a face where paint is drawn, to say so.
        pub hidden_paint_samples: usize = 6,
        /// How much such paint must differ from the face, in stops.
        pub hidden_paint_step: f32 = 1.0,
        /// How far inside the drawn paint it is sure to be, in millimetres.
        pub hidden_paint_margin_mm: f64 = 0.3,
        /// Up to which part of the radius what is seen is sure to be the face.
        pub sure_face_reach: f64 = 0.85,
        /// A face that differs from the surface by less is pale, in stops: all edges of its rim must go the
        /// same way, but for those of [`DetectOptions::any_way_step`].
        pub pale_max: f32 = 0.5,
        /// An edge of a pale face's rim that steps by this much may go either way: a piece beside paint has such. Less
        /// takes edges of texture, more loses pale pieces that lie half on a printed fill.
        pub any_way_step: f32 = 1.0,
        /// Part of a pale face's sides that must differ from it, and by how much, as part of its difference from the
        /// surface all around. More loses pale pieces beside paint and others, less takes printed circles for some.
        pub pale_sides_min: f32 = 0.6,
        pub pale_side_step: f32 = 0.5,
        /// The same as [`DetectOptions::rim_min`] for a piece whose coloured cap shows a whole rim of its own: the metal ring around
        /// it mirrors the board and hides its edge.
        pub capped_rim_min: f32 = 0.4,
        /// Part of a cap's rim that must be seen for [`DetectOptions::capped_rim_min`] to apply. Where the board file
        /// gives the cap's diameter, a cap of that size needs no rim besides: metal may look like the board in it.
        pub cap_min: f32 = 0.75,
        /// What tells a cap's metal ring from surface in shadow: its hue, more light, or much less, in stops.
        /// Less takes a smaller disc's shadow for a ring, more misses dull rings.
        pub ring_hue_min: f32 = 0.25,
        pub ring_brighter_min: f32 = 0.3,
        pub ring_darker_min: f32 = 1.5,
        /// Part of the ring that must show it.
        pub ring_part_min: f32 = 0.5,
        /// Where a metal ring is sure to be, as parts of the radius.
        pub ring_radii: Range<f64> = 0.92..0.99,
        /// Part of the whole rim that must be in view (not under another piece, not out of the
        /// picture).
        pub visible_min: f32 = 0.5,

        /// A piece that something else, such as a hand, lies over in part: this part of its face must have a kind's colour, and so much of a
        /// hue, in stops; up to an edge that parts so many of the samples as a straight line does; so much of its rim must be in view,
        /// and that much of this be seen. Less of any finds pieces that are hidden more, and takes sleeves, pockets and wear for some.
        pub part_face_min: f32 = 0.35,
        pub part_hue_min: f32 = 0.6,
        pub part_straight_min: f32 = 0.85,
        pub part_visible_min: f32 = 0.4,
        pub part_rim_min: f32 = 0.85,

        /// Where a face's own look is taken, as parts of the radius: inside any cap, outside a label in its middle.
        pub face_radii: Range<f64> = 0.25..0.55,
        /// How far a face must be from the bare surface, in stops, in one channel at least.
        pub face_step_min: f32 = 0.22,
        /// A part of a face that differs by more than this from what lies at the same distance from its centre
        /// is uneven, in stops.
        pub uneven_step: f32 = 0.5,
        /// Part of a face that is uneven in an even one.
        pub even_max: f32 = 0.36,
        /// Part of a strong face without a cap from which it is like a bold numeral, which needs nearly a whole rim; from the
        /// second part on also a kind's colour beyond doubt, or [`DetectOptions::whole_rim_min`]. A face as near to a kind as the
        /// third, in standard deviations, is no numeral's, which is mixed with the board. Less of any loses glaring pieces, more
        /// takes numerals for some.
        pub print_uneven: f32 = 0.1,
        pub print_uneven_sure: f32 = 0.2,
        pub print_distance: f64 = 1.4,
        /// Part of a rim that is seen of a whole one. More asks for a kind's colour of glaring and dimpled faces too.
        pub whole_rim_min: f32 = 0.98,
        /// Part of a pale face's rim, where no paint is drawn, that must be seen. Less takes wood between two lines for pieces,
        /// more loses pale pieces on lines.
        pub beside_paint_min: f32 = 0.7,
        /// Part of a face that may be uneven at all: glare. More takes print for pieces, less loses glaring ones. A
        /// face of a kind's colour within [`DetectOptions::sure_rim_min`] of a rim may be all uneven.
        pub uneven_max: f32 = 0.45,
        /// Standard deviation of a kind's brightness about its colour in the board file, in stops.
        pub brightness_sigma: f64 = 0.65,
        /// How far the surface's hue must be from the board file's, in stops, for the board to be taken for one of another wood
        /// where its pieces look more like themselves on it; and the shares of that which are tried, the rest being the lamps'.
        /// Less tries it on more boards, which costs time.
        pub other_wood_hue: f32 = 0.2,
        pub wood_shares: Vec<f32> = vec![0.5, 1.0],
        /// By how much, in standard deviations a face, pieces must look more like themselves for that. Less follows noise, more
        /// takes pieces on other woods for foreign things.
        pub other_wood_gain: f64 = 0.3,
        /// Standard deviation of a kind's hue about its colour in the board file, in stops.
        pub hue_sigma: f64 = 0.45,
        /// Standard deviation of the gloss on a face, as a part of the surface's own light.
        pub gloss_sigma: f64 = 0.12,
        /// A face further than this many standard deviations from every kind is no piece.
        pub kind_distance_max: f64 = 3.0,
        /// A strong face with a whole rim may be further off, up to this, if it is nearer to its kind by the second than to any other:
        /// light changes colours. It must keep the third of its kind's hue, or be lighter or darker than the surface as its kind is.
        /// It then has the fourth for its probability at most, so that its colour is told as a doubt. More distance takes coloured
        /// things of a piece's size for pieces, less leaves pieces in odd light unscored.
        pub strained_distance: f64 = 4.5,
        pub strained_lead: f64 = 1.5,
        pub strained_hue: f32 = 0.5,
        pub strained_probability: f64 = 0.8,
        /// A face further than this from every kind needs [`DetectOptions::doubtful_rim_min`] of a rim. Less loses
        /// pieces in odd light, more takes nets and dark corners for pieces.
        pub doubtful_distance: f64 = 2.0,

        /// How far a centre may seem to be off an end without a rail, in millimetres. A piece whose
        /// centre is further out falls; more takes things beside the board for pieces.
        pub edge_tolerance_mm: f64 = 1.5,
        /// How far a rim may seem to be inside a rail, in millimetres: what a place and the rail's foot
        /// may be off. More takes rails' own edges for pieces.
        pub rail_tolerance_mm: f64 = 3.0,
        /// How far a centre may seem to be inside a pocket, in millimetres. More takes what lies in a
        /// pocket for a piece on the board.
        pub pocket_tolerance_mm: f64 = 2.0,
        /// Part of a rim that must be seen of a round thing that is told as foreign. Less warns of print
        /// and hands.
        pub foreign_rim_min: f32 = 0.9,

        /// Faces closer than this to each other are of one kind where a set of unknown colours is learned, in standard deviations
        /// of a kind. Less makes two kinds of one whose pieces glare, more makes one of two colours.
        pub alike_distance: f64 = 1.0,

        /// Colours taught from a photo of the set; the board file's where there are none.
        #[serde(skip)]
        pub taught: Option<TaughtColours> = None,
        /// Least probability of its kind for a thing to be a piece; below it is told as foreign. More
        /// loses pieces whose colour the light spoils, less takes shadows and print for pieces.
        pub kind_min: f64 = 0.35,

        pub surface: SurfaceOptions = SurfaceOptions::default(),
        pub field: FieldOptions = FieldOptions::default(),
        pub print: PrintOptions = PrintOptions::default(),

        /// Sights whose centres are closer than this part of the larger radius are of the same thing.
        pub same_part: f64 = 0.35,
        /// What a radius adds to a sight's rank, a millimetre: of two rims seen alike the larger is taken, since a
        /// groove can be a rim inside a piece but nothing makes one around it.
        pub rank_per_mm: f64 = 0.004,
        /// What is closer to a piece's edge counts as hidden by it, in millimetres: there its own rim is seen.
        pub cover_margin_mm: f64 = 1.0,
        /// How deep two pieces may seem to overlap before one must lie on the other, in millimetres.
        pub overlap_max_mm: f64 = 2.5,
        /// The same as [`DetectOptions::visible_min`] for a piece that lies under another one.
        pub stacked_visible_min: f32 = 0.25,
        /// Part of the visible rim that must be seen of a piece that lies under another one.
        pub stacked_rim_min: f32 = 0.85,
        /// Part of what is seen of such a piece that must have its colour. Less takes print that a piece of its colour
        /// lies on for another piece.
        pub stacked_colour_min: f32 = 0.8,
        /// How much of a hue such a piece's wall must have to be known by it where none of its face shows, in
        /// stops: shade has none.
        pub wall_hue_min: f32 = 0.8,
        /// The same as [`DetectOptions::kind_distance_max`] for such a piece.
        pub stacked_distance_max: f64 = 2.5,
        /// Part of a circle beside the upper rim that such a piece must show.
        pub crescent_min: f32 = 0.15,
        /// How far beside that rim it is looked for, as part of the radius.
        pub crescent_part: f64 = 0.15,
        /// Part of what a piece shows its wall to that must have a piece's colour for another one to be suspected
        /// under it. Less suspects pieces on print of their colour, more takes stacks for single pieces.
        pub beneath_min: f32 = 0.3,
        /// A wall under a piece is suspected where the near side is free in this many places at least, is no darker than the board
        /// by this, in stops, differs from it by this much of a hue, and so in this part of the places. Less suspects gloss and
        /// the light that a piece throws on the board.
        pub wall_rays_min: usize = 6,
        pub wall_darker_max: f32 = 0.15,
        pub wall_tint_min: f32 = 0.15,
        pub wall_agree_min: f32 = 0.7,
        /// Part of a circle beside a piece that must be neither board nor shadow for another one to be suspected under it.
        pub beside_min: f32 = 0.1,
        /// Another one squarely under a piece is suspected where its base, this part of it at least, shows an edge all along;
        /// where that lies this much nearer to the camera than the piece's own, in millimetres; this close to there, as
        /// part of that; and where what is above it is no darker than this, in stops: shadows' edges are arcs as well.
        pub beneath_visible_min: f32 = 0.3,
        pub beneath_nearer_min_mm: f64 = 4.0,
        pub beneath_off_max: f64 = 0.3,
        pub beneath_darker_max: f32 = 1.0,
        /// What lies closer to paint than this may be that paint, in millimetres.
        pub paint_margin_mm: f64 = 2.0,
        /// How dark a piece's own shadow can be, in stops: darker is a piece under it.
        pub shadow_max: f32 = 1.8,
        /// Standard deviation of a shadow's brightness beyond that, in stops.
        pub shadow_sigma: f32 = 0.4,
        /// Standard deviation of a shadow's hue about the surface's, in stops: pieces tint their shadows.
        pub shadow_tint_sigma: f32 = 0.4,
    }
}

crate::options::options! {
    /// What bare surface looks like, in stops.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SurfaceOptions {
        /// How far its hue may stray over one board (mixed light, wood grain).
        pub hue_tolerance: f32 = 0.4,
        /// How much darker (shadow) and brighter (glare) than the board's median it can be. Black pieces, which
        /// can fill a block of the view, begin at about two and a half.
        pub darker_max: f32 = 2.2,
        pub brighter_max: f32 = 2.0,
        /// The same beside a piece, against the estimate there.
        pub beside_darker_max: f32 = 2.0,
        pub beside_brighter_max: f32 = 1.0,
        /// Part of the rays around a piece that must show surface for it to be taken from them.
        pub beside_min: f32 = 0.25,
        /// Fewest samples of the surface's hue that a block's own estimate needs; others take their
        /// neighbours'.
        pub samples_min: usize = 6,
        /// How much light may change from a block of the view to the next, in stops: under glare the surface has
        /// another hue than elsewhere, and comes to it gradually. More takes pale pieces for surface.
        pub block_step_max: f32 = 0.5,
        /// Glare below this part of the surface's own light is taken for its grain. Less takes bluish grain for
        /// glare, more leaves dark pieces paler than they are.
        pub glare_min: f32 = 0.15,
    }
}

crate::options::options! {
    /// The field in the middle of a face: a cap, or what lies inside a groove. Lengths are parts of the
    /// piece's radius.
    #[derive(Debug, Clone, PartialEq)]
    pub struct FieldOptions {
        /// Radii that it can have.
        pub radii: Range<f64> = 0.6..0.93,
        /// Its outline is where the look has changed by this much, in stops.
        pub step: f32 = 0.5,
        /// The same as part of the face's contrast, for pale ones.
        pub pale_step: f32 = 0.5,
        /// An outline point further than this from the fitted circle is not on it.
        pub tolerance: f64 = 0.06,
        /// Part of its outline that must be there.
        pub outline_min: f32 = 0.7,
        /// How far a place may be off its centre.
        pub offset_max: f64 = 0.3,
        /// Nearness of its centre to the rim's from which they agree.
        pub agreement: f64 = 0.06,
        /// By how much its centre must be better than the rim's own to be taken.
        pub gain_min: f32 = 0.05,
        /// How far a cap's edge may be from where the board file has it.
        pub cap_tolerance: f64 = 0.08,
    }
}

crate::options::options! {
    /// Printed circles that look like pieces. Lengths are parts of the print's radius.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PrintOptions {
        /// A face that coincides with a printed fill is that fill unless it differs from it by more, in
        /// stops.
        pub tolerance: f32 = 0.9,
        /// How near a face must be to coincide.
        pub same_place: f64 = 0.4,
        /// Print of a roughly known board is looked for as far around its drawing as so many of its file's `accuracy_mm` (2), at
        /// places as far apart as this part of its radius (0.4). More finds other print, and costs time.
        pub rough_reach: f64 = 2.0,
        pub rough_pitch: f64 = 0.4,
        /// Part of the radius within which a fill's look is taken.
        pub fill_part: f64 = 0.6,
        /// Fewest fills of one colour in view for their median to be the print's own look.
        pub fills_min: usize = 3,
        /// Part of a fill's own outline that is seen when nothing lies on it.
        pub outline_min: f32 = 0.8,
        /// Part of its outline that others must leave visible for that to say anything (0.3). Less takes a piece of the print's
        /// colour among others for it, more takes what others leave of the print for a piece.
        pub visible_min: f32 = 0.3,
    }
}
