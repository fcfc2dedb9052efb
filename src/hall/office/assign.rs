//! Which pairing goes to which table.

use super::{Floor, Office, OfficeError, TableView};
use crate::{
    hall::{command::Order, tournament::Pairing},
    ledger::Hash,
};

/// Sends a pairing to a table, by a person's name.
pub fn assign(
    office: &Office,
    pairing: &str,
    table: &str,
    by: &str,
    replace: bool,
) -> Result<String, OfficeError> {
    let (ledger, header) = office.look(|floor| {
        let view = floor.tables.get(table).ok_or_else(|| OfficeError::NoTable(table.to_owned()))?;
        let ledger = view.ledger().ok_or_else(|| OfficeError::NoLedger(table.to_owned()))?;
        Ok::<_, OfficeError>((ledger, floor.book.get(pairing)?.header()))
    })?;
    let Some(header) = header else {
        let why = "waits for who plays";
        return Err(super::super::tournament::BookError::Stage { id: pairing.to_owned(), why }.into());
    };
    let order = Order::Pairing { pairing: pairing.to_owned(), header, replace };
    let given = office.prepared(table, ledger, by, None, order);
    let id = given.command.id.clone();
    // In one go, so that nothing is sent twice.
    office.change(|floor| {
        floor.book.sent(pairing, table, ledger, &id)?;
        floor.orders.push(given);
        Ok(id)
    })
}

/// What can begin by itself now: pairings in their order, each at the table that the organiser named or
/// at the next free one.
pub fn due(floor: &Floor) -> Vec<(String, String)> {
    let mut free: Vec<(&str, &TableView)> = floor
        .tables
        .iter()
        .filter(|(name, table)| is_free(table) && floor.book.at_table(name).is_none())
        .map(|(name, table)| (name.as_str(), table))
        .collect();
    let mut due = Vec::new();
    for pairing in floor.book.ready() {
        let fits = |(name, table): &(&str, &TableView)| {
            pairing.table.as_deref().is_none_or(|wanted| wanted == *name) && plays(table, pairing)
        };
        if let Some(place) = free.iter().position(fits) {
            let (table, _) = free.remove(place);
            due.push((pairing.id.clone(), table.to_owned()));
        }
    }
    due
}

fn is_free(table: &TableView) -> bool {
    table.online && table.fault.is_none() && table.state.as_ref().is_some_and(|state| state.free)
}

fn plays(table: &TableView, pairing: &Pairing) -> bool {
    let games = table.state.as_ref().map(|state| state.games.as_slice()).unwrap_or_default();
    games.is_empty() || games.contains(&pairing.game)
}

/// The match that a pairing is played as, where it is at a table.
pub fn place_of(pairing: &Pairing) -> Option<(&str, Hash, u32)> {
    use super::super::tournament::Stage;
    match &pairing.stage {
        Stage::Playing { table, ledger, match_number } => Some((table, *ledger, *match_number)),
        // Still followed: a ruling after the last shot can change a result.
        Stage::Done(outcome) => Some((outcome.table.as_deref()?, outcome.ledger?, outcome.match_number?)),
        Stage::Waiting | Stage::Sent { .. } => None,
    }
}
