//! The file's form: tables, and the steps from every older form to the present one.

use std::path::Path;

use rusqlite::Connection;

use super::LedgerError;

/// Marks a SQLite file as a ledger ("lcal").
pub(super) const APPLICATION_ID: i64 = 0x6c63_616c;

/// The steps to the present form: the first makes a new file, each other one changes the form
/// before it. A step that has shipped is never edited.
const MIGRATIONS: [&str; 1] = [include_str!("schema_1.sql")];

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
    let failed = |error: rusqlite::Error| LedgerError::of(&error, path);
    for (step, sql) in (1_i64..).zip(MIGRATIONS).filter(|(step, _)| *step > from) {
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
