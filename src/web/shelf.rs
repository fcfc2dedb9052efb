//! The newest few of something that is too large to keep for good, by a name nobody can guess.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::secrets::token;

pub(super) struct Shelf<T> {
    kept: usize,
    things: Mutex<VecDeque<(String, Arc<T>)>>,
}

impl<T> Shelf<T> {
    pub fn new(kept: usize) -> Self {
        Self { kept: kept.max(1), things: Mutex::new(VecDeque::new()) }
    }

    /// Keeps a thing, and drops the oldest when there are too many. Gives its name.
    pub fn put(&self, thing: T) -> String {
        let id = token();
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        while things.len() >= self.kept {
            things.pop_front();
        }
        things.push_back((id.clone(), Arc::new(thing)));
        id
    }

    pub fn get(&self, id: &str) -> Option<Arc<T>> {
        let things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        things.iter().find(|(known, _)| known == id).map(|(_, thing)| thing.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let shelf = Shelf::new(2);
        let ids: Vec<String> = (0..3).map(|thing| shelf.put(thing)).collect();
        assert_eq!(shelf.get(&ids[0]), None);
        assert_eq!(shelf.get(&ids[2]).as_deref(), Some(&2));
        assert_eq!(shelf.get("nothing"), None);
    }
}
