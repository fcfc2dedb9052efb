//! The two sides of a match, and a value for each.

use std::ops::{Add, AddAssign, Index, IndexMut};

/// One of the two sides, in the order in which the match names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    First,
    Second,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct BySide<T> {
    pub first: T,
    pub second: T,
}

impl<T> BySide<T> {
    pub fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// The value that `of` gives for each side.
    pub fn from_fn(mut of: impl FnMut(Side) -> T) -> Self {
        Self { first: of(Side::First), second: of(Side::Second) }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::First, &self.first), (Side::Second, &self.second)].into_iter()
    }

    /// The side whose value fulfils `wanted`; the first if both do.
    pub fn find(&self, mut wanted: impl FnMut(&T) -> bool) -> Option<Side> {
        self.iter().find(|(_, value)| wanted(value)).map(|(side, _)| side)
    }
}

impl<T: Ord> BySide<T> {
    /// The side with the greater value; `None` when they are equal.
    pub fn leader(&self) -> Option<Side> {
        match self.first.cmp(&self.second) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}

impl<T: Add<Output = T>> Add for BySide<T> {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { first: self.first + more.first, second: self.second + more.second }
    }
}

impl<T: AddAssign> AddAssign for BySide<T> {
    fn add_assign(&mut self, more: Self) {
        self.first += more.first;
        self.second += more.second;
    }
}
