//! Home Assistant finds the table by itself: a sensor for the score, one for what it is doing, and one
//! for open questions.

use serde_json::{Value, json};

use super::TableOptions;
use crate::{
    camera::PROGRAM,
    hall::topics::{About, OFFLINE, ONLINE, of_table},
};

/// Topics under Home Assistant's own prefix, with what to keep there.
pub fn messages(options: &TableOptions) -> Vec<(String, Value)> {
    let hall = &options.address.hall;
    let table = &options.table;
    let node = format!("linecall_{hall}_{table}");
    let sensor = |kind: &str, id: &str, name: &str, template: &str, more: Value| {
        let mut config = json!({
            "name": name,
            "unique_id": format!("{node}_{id}"),
            "state_topic": of_table(hall, table, About::State),
            "value_template": template,
            "availability_topic": of_table(hall, table, About::Availability),
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": { "identifiers": [node], "name": options.name, "manufacturer": "linecall", "sw_version": PROGRAM },
        });
        if let (Value::Object(config), Value::Object(more)) = (&mut config, more) {
            config.extend(more);
        }
        (format!("homeassistant/{kind}/{node}/{id}/config"), config)
    };
    let score = "{% if value_json.match %}{% for side in value_json.match.sides %}{{ side.name }} {{ side.score }}\
                 {% if not loop.last %} : {% endif %}{% endfor %}{% else %}no match{% endif %}";
    let status = "{{ value_json.doing or (value_json.match.status if value_json.match else 'no match') }}";
    let asks = "{{ 'ON' if value_json.asks > 0 else 'OFF' }}";
    vec![
        sensor("sensor", "score", "Score", score, json!({ "icon": "mdi:scoreboard" })),
        sensor("sensor", "state", "State", status, json!({})),
        sensor("binary_sensor", "asks", "Question open", asks, json!({ "device_class": "problem" })),
    ]
}
