//! How a stage declares its options: meaning, type and default of each in one place.

/// What is said about a kind of options where they are printed.
#[derive(Debug)]
pub struct About {
    pub name: &'static str,
    /// Lines.
    pub meaning: &'static [&'static str],
    /// In the order of their declaration.
    pub fields: &'static [Field],
}

/// One option.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    /// Its type, as it is written.
    pub kind: &'static str,
    /// Lines; none where the option before it says it for both.
    pub meaning: &'static [&'static str],
}

/// Options that say what they mean.
pub trait Documented {
    const ABOUT: About;
}

/// Declares a struct of options. Each has its meaning as a doc comment and its default behind an equals sign; the struct is read
/// from and written as TOML, where unknown names are refused and what is left out has its default.
macro_rules! options {
    (
        $(#[doc = $about:literal])*
        #[derive($($derive:ident),* $(,)?)]
        $visible:vis struct $name:ident {
            $(
                $(#[doc = $meaning:literal])*
                $(#[serde($($serde:tt)*)])?
                $field_visible:vis $field:ident : $kind:ty = $default:expr
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive($($derive,)* serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        $visible struct $name {
            $(
                $(#[doc = $meaning])*
                $(#[serde($($serde)*)])?
                $field_visible $field: $kind
            ),*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $crate::options::Documented for $name {
            const ABOUT: $crate::options::About = $crate::options::About {
                name: stringify!($name),
                meaning: &[$($about),*],
                fields: &[
                    $($crate::options::Field {
                        name: stringify!($field),
                        kind: stringify!($kind),
                        meaning: &[$($meaning),*],
                    }),*
                ],
            };
        }
    };
}

pub(crate) use options;
