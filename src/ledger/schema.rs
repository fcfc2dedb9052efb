//! The file's form: tables, and the steps from every older form to the present one.

use std::path::Path;

use rusqlite::Connection;

use super::LedgerError;

/// Marks a SQLite file as a ledger ("lcal").
pub(super) const APPLICATION_ID: i64 = 0x6c63_616c;

/// The steps to the present form: the first makes a new file, each other one changes the form
/// before it. A step that has shipped is never edited.
const MIGRATIONS: [&str; 1] = [include_str!("schema_1.sql")];

/// What a copy of another machine's ledger has in addition: the frames that it lacks.
pub(super) const LACKING: &str = "CREATE TABLE lacking (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)) STRICT";

/// The present form's number.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// What a SQLite file turns out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing in it yet.
    Empty,
    /// A ledger of this schema number.
    Ledger(i64),
    Foreign,
}

pub(super) fn form(connection: &Connection) -> rusqlite::Result<Form> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, version, tables) {
        (APPLICATION_ID, version, _) if version > 0 => Form::Ledger(version),
        (0 | APPLICATION_ID, 0, 0) => Form::Empty,
        _ => Form::Foreign,
    })
}

/// Brings a file to the present form, each step in one transaction.
pub(super) fn migrate(connection: &mut Connection, from: i64, path: &Path) -> Result<(), LedgerError> {
    climb(connection, from, &MIGRATIONS, path)
}

fn climb(connection: &mut Connection, from: i64, steps: &[&str], path: &Path) -> Result<(), LedgerError> {
    let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
    for (step, sql) in (1_i64..).zip(steps).filter(|(step, _)| *step > from) {
        let transaction = connection.transaction().map_err(failed)?;
        transaction.execute_batch(sql).map_err(failed)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
        transaction.pragma_update(None, "user_version", step).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
    Ok(())
}

/// Tables, indexes and triggers of a connection, in their own words.
pub(super) fn objects(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = connection
        .prepare("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// What [`objects`] gives for a ledger of the present form.
pub(super) fn expected_objects() -> rusqlite::Result<Vec<(String, String)>> {
    let connection = Connection::open_in_memory()?;
    for sql in MIGRATIONS {
        connection.execute_batch(sql)?;
    }
    objects(&connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A later form as one might be: a new column, and a new table.
    const LATER: &str =
        "ALTER TABLE entries ADD COLUMN place TEXT; CREATE TABLE tables (id INTEGER PRIMARY KEY) STRICT;";

    fn file(folder: &tempfile::TempDir) -> Connection {
        Connection::open(folder.path().join("a.ledger")).unwrap()
    }

    /// A file of the first form with an entry in it.
    fn first_form(folder: &tempfile::TempDir) -> Connection {
        let mut connection = file(folder);
        climb(&mut connection, 0, &MIGRATIONS[..1], folder.path()).unwrap();
        connection
            .execute(
                "INSERT INTO entries (seq, hash, kind, match, at, author, body) VALUES (1, zeroblob(32), 'note', 1, 't', 'a', 'b')",
                [],
            )
            .unwrap();
        connection
    }

    fn notes(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM entries WHERE body = 'b'", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_older_file_is_brought_to_the_present_form_with_all_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        drop(first_form(&folder));
        // Opened again, as a newer program would.
        let mut connection = file(&folder);
        assert_eq!(form(&connection).unwrap(), Form::Ledger(1));
        climb(&mut connection, 1, &[MIGRATIONS[0], LATER], folder.path()).unwrap();
        assert_eq!(form(&connection).unwrap(), Form::Ledger(2));
        assert_eq!(notes(&connection), 1);
        connection.execute("INSERT INTO tables (id) VALUES (1)", []).unwrap();
        // Nothing is left to do, and nothing is done twice.
        climb(&mut connection, 2, &[MIGRATIONS[0], LATER], folder.path()).unwrap();
        assert!(connection.execute("DELETE FROM entries", []).is_err(), "a ledger stays append-only");
    }

    #[test]
    fn a_step_that_fails_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = first_form(&folder);
        let before = objects(&connection).unwrap();
        let broken = "CREATE TABLE tables (id INTEGER PRIMARY KEY) STRICT; ALTER TABLE nothing ADD COLUMN x;";
        assert!(climb(&mut connection, 1, &[MIGRATIONS[0], broken], folder.path()).is_err());
        assert_eq!((form(&connection).unwrap(), notes(&connection)), (Form::Ledger(1), 1));
        assert_eq!(objects(&connection).unwrap(), before);
    }

    #[test]
    fn a_new_file_climbs_every_step() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = file(&folder);
        assert_eq!(form(&connection).unwrap(), Form::Empty);
        migrate(&mut connection, 0, folder.path()).unwrap();
        assert_eq!(form(&connection).unwrap(), Form::Ledger(VERSION));
        assert_eq!(objects(&connection).unwrap(), expected_objects().unwrap());
    }
}
