//! Names of people, put out of texts.

/// Names, and what stands in their place.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<(String, String)>);

impl Names {
    /// The names of people: each becomes `person 1`, `person 2` …
    pub fn of_people(names: impl IntoIterator<Item = String>) -> Names {
        let mut known: Vec<String> = Vec::new();
        for name in names {
            let name = name.trim().to_owned();
            if !name.is_empty() && !known.contains(&name) {
                known.push(name);
            }
        }
        let numbered = known.into_iter().zip(1..);
        let mut names: Vec<_> = numbered.map(|(name, number)| (name, format!("person {number}"))).collect();
        // "Ann Lee" before "Ann", so that no half of a name is left.
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Names(names)
    }

    /// Folders that say whose computer it is are put out too.
    pub fn and_folder(mut self, folder: &std::path::Path) -> Names {
        let folder = folder.to_string_lossy().into_owned();
        if folder.len() > 1 {
            self.0.insert(0, (folder, "~".to_owned()));
        }
        self
    }

    /// A text without them. A name counts where it stands as a whole word.
    pub fn put_out(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, instead)| replaced(&text, name, instead))
    }
}

fn replaced(text: &str, name: &str, instead: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let begins_whole =
            !is_part(before.chars().next_back().or(out.chars().next_back())) || !is_part(name.chars().next());
        let ends_whole = !is_part(after.chars().next()) || !is_part(name.chars().next_back());
        out.push_str(before);
        out.push_str(if begins_whole && ends_whole { instead } else { name });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_go_and_parts_of_words_stay() {
        let names = Names::of_people(["Ann".to_owned(), "Ann Lee".to_owned(), "Bo".to_owned()]);
        let text = "Ann Lee beat Bo on the Board; Anna saw it, said \"Ann\", ÄBo, Bo.";
        let without = "person 2 beat person 3 on the Board; Anna saw it, said \"person 1\", ÄBo, person 3.";
        assert_eq!(names.put_out(text), without);
    }

    #[test]
    fn the_home_folder_goes() {
        let names = Names::default().and_folder(std::path::Path::new("/home/ann"));
        assert_eq!(names.put_out("/home/ann/photos/1.jpg"), "~/photos/1.jpg");
    }
}
