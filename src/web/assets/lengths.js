// Lengths as people write them.

const UNITS = { mm: 1, cm: 10, m: 1000, in: 25.4, inch: 25.4, inches: 25.4, '"': 25.4, "\u2033": 25.4, "\u201d": 25.4 };

/** "740", "74,5 cm", "29 1/8 in" in mm; null where it is no length. */
export function length_mm(text) {
  const found = /^(\d+(?:[.,]\d+)?)?(?:\s*(\d+)\s*\/\s*(\d+))?\s*([a-z"\u2033\u201d]*)$/.exec(text.trim().toLowerCase());
  if (!found || (found[1] === undefined && found[2] === undefined)) return null;
  const unit = UNITS[found[4] || "mm"];
  const whole = found[1] === undefined ? 0 : Number(found[1].replace(",", "."));
  const part = found[2] === undefined ? 0 : Number(found[2]) / Number(found[3]);
  const mm = (whole + part) * (unit || 0);
  return mm > 0 && Number.isFinite(mm) ? mm : null;
}
