//! The kinds of values that a board file holds, each with what a person is told it should be.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{BoardSide, Colour, End, EndKind, LineRole};
use crate::geometry::Point;

/// A value of one field.
pub(super) trait Value: DeserializeOwned {
    /// Completes "expected …" in a fault.
    const EXPECTED: &'static str;
}

macro_rules! value {
    ($($kind:ty: $expected:expr;)*) => {
        $(impl Value for $kind { const EXPECTED: &'static str = $expected; })*
    };
}

value! {
    Id: "an id in small letters, digits and single hyphens, like \"club-table-2\"";
    Text: "a text that is not empty";
    Names: "a list of game ids, like [\"court\"]";
    Size: "a size in mm above 0";
    Extent: "a finite number of mm, 0 or above";
    Angle: "a finite number of degrees";
    Place: "a place [x, y] in mm";
    Outline: "a list of corners [[x, y], [x, y], …] in mm";
    Count: "a whole number from 1 to 1000";
    Points: "a whole number of points from -1000 to 1000";
    TagId: "a whole number, 0 or above";
    bool: "true or false";
    Colours: "a list of colours, like [\"#c03020\", \"#26241f\"]";
    Sweep: "an angle above 0 and up to 360 degrees";
    Colour: "a colour like \"#c03020\"";
    EndKind: "\"open\", \"gutter\" or \"frame\"";
    End: "\"far\" or \"near\"";
    BoardSide: "\"near\", \"right\", \"far\" or \"left\"";
    Sides: "a list of sides of \"near\", \"right\", \"far\", \"left\"";
    LineRole: "\"area-border\", \"foul\", \"base-rear\", \"base-front\", \"base\", \"moon\" or \"decoration\"";
    MakeName: "\"any\", \"plain\", \"groove\" or \"cap\"";
}

/// Why a value was refused; what is told to people is the kind's `EXPECTED`.
#[derive(Debug)]
pub(super) struct Refused;

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("refused")
    }
}

/// Kebab-case, because ids are typed on command lines and used in file names.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Id(pub(super) String);

impl TryFrom<String> for Id {
    type Error = Refused;

    fn try_from(text: String) -> Result<Self, Refused> {
        let word = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        if text.split('-').all(word) { Ok(Id(text)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Text(pub(super) String);

impl TryFrom<String> for Text {
    type Error = Refused;

    fn try_from(text: String) -> Result<Self, Refused> {
        let visible = !text.trim().is_empty() && !text.chars().any(char::is_control);
        if visible { Ok(Text(text)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Names(pub(super) Vec<Id>);

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Size(pub(super) f64);

impl TryFrom<f64> for Size {
    type Error = Refused;

    fn try_from(mm: f64) -> Result<Self, Refused> {
        if mm.is_finite() && mm > 0.0 { Ok(Size(mm)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Extent(pub(super) f64);

impl TryFrom<f64> for Extent {
    type Error = Refused;

    fn try_from(mm: f64) -> Result<Self, Refused> {
        if mm.is_finite() && mm >= 0.0 { Ok(Extent(mm)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Angle(pub(super) f64);

impl TryFrom<f64> for Angle {
    type Error = Refused;

    fn try_from(degrees: f64) -> Result<Self, Refused> {
        if degrees.is_finite() { Ok(Angle(degrees)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
// A list, because the deserialiser reads a fixed array and passes over what follows it.
#[serde(try_from = "Vec<f64>")]
pub(super) struct Place(pub(super) Point);

impl TryFrom<Vec<f64>> for Place {
    type Error = Refused;

    fn try_from(numbers: Vec<f64>) -> Result<Self, Refused> {
        match numbers[..] {
            [x, y] if x.is_finite() && y.is_finite() => Ok(Place(Point::new(x, y))),
            _ => Err(Refused),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Outline(pub(super) Vec<Place>);

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct Count(pub(super) usize);

impl TryFrom<i64> for Count {
    type Error = Refused;

    fn try_from(count: i64) -> Result<Self, Refused> {
        if (1..=1000).contains(&count) { Ok(Count(count as usize)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct Points(pub(super) i32);

impl TryFrom<i64> for Points {
    type Error = Refused;

    fn try_from(points: i64) -> Result<Self, Refused> {
        if (-1000..=1000).contains(&points) { Ok(Points(points as i32)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct TagId(pub(super) u32);

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Sides(pub(super) Vec<BoardSide>);

/// At least one colour.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<Colour>")]
pub(super) struct Colours(pub(super) Vec<Colour>);

impl TryFrom<Vec<Colour>> for Colours {
    type Error = Refused;

    fn try_from(colours: Vec<Colour>) -> Result<Self, Refused> {
        if colours.is_empty() { Err(Refused) } else { Ok(Colours(colours)) }
    }
}

/// How far round an arc reaches.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Sweep(pub(super) f64);

impl TryFrom<f64> for Sweep {
    type Error = Refused;

    fn try_from(degrees: f64) -> Result<Self, Refused> {
        if degrees > 0.0 && degrees <= 360.0 { Ok(Sweep(degrees)) } else { Err(Refused) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MakeName {
    Any,
    Plain,
    Groove,
    Cap,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `value = TEXT` as `T`.
    fn read<T: Value>(text: &str) -> Option<T> {
        T::deserialize(toml::de::ValueDeserializer::parse(text).ok()?).ok()
    }

    #[test]
    fn ids_are_kebab_case() {
        for good in ["court", "carrom-court", "table-2", "7"] {
            assert!(read::<Id>(&format!("{good:?}")).is_some(), "{good}");
        }
        for bad in ["", "-", "a-", "-a", "a--b", "Court", "a b", "a_b", "é"] {
            assert!(read::<Id>(&format!("{bad:?}")).is_none(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_finite_and_above_zero() {
        for good in ["1", "0.5", "1e3"] {
            assert!(read::<Size>(good).is_some(), "{good}");
        }
        for bad in ["0", "-0.0", "-3", "nan", "inf", "\"4\"", "true", "[4]"] {
            assert!(read::<Size>(bad).is_none(), "{bad}");
        }
        assert!(read::<Extent>("0").is_some() && read::<Extent>("-0.1").is_none());
        assert!(read::<Place>("[1, 2.5]").is_some());
        for bad in ["[1]", "[1, 2, 3]", "[1, nan]", "1", "[]"] {
            assert!(read::<Place>(bad).is_none(), "{bad}");
        }
        assert!(read::<Count>("0").is_none() && read::<Count>("1.5").is_none());
    }

    #[test]
    fn every_word_that_is_expected_is_read() {
        fn words<T: Value>() {
            let words: Vec<_> = T::EXPECTED.split('"').skip(1).step_by(2).collect();
            assert!(words.len() > 1);
            for word in words {
                assert!(read::<T>(&format!("{word:?}")).is_some(), "{word}");
            }
            assert!(read::<T>("\"nonsense\"").is_none());
        }
        words::<EndKind>();
        words::<End>();
        words::<BoardSide>();
        words::<LineRole>();
        words::<MakeName>();
    }
}
