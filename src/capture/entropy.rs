//! Whether a JPEG's picture data is what an encoder wrote.
//!
//! In: a JPEG's bytes. Out: nothing, or the first thing that no encoder writes. Decoders go on over damage and
//! report success: the rest of the picture is then displaced by some blocks, or of another brightness. Here
//! the data is walked without making pixels: every code must exist, every scan must hold as many blocks as the
//! picture has and end where its data does, restart markers must come in their order, and no block may be
//! brighter or darker than pixels can be.
//!
//! Sequential Huffman coding (that of cameras) is walked; what is coded otherwise is left to the decoder.

/// What no encoder writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Torn {
    #[error("a header of it is cut or contradicts itself")]
    Header,
    #[error("its picture data has a code that does not exist, after {0} % of it")]
    Code(u8),
    #[error("its picture data ends after {0} % of it")]
    Missing(u8),
    #[error("its picture data goes on after its last block")]
    TooMuch,
    #[error("a restart marker is missing or out of order, after {0} % of it")]
    Restart(u8),
    #[error("it has a block that is brighter or darker than pixels can be, after {0} % of it")]
    Range(u8),
}

#[derive(Clone, Copy, Default)]
struct Component {
    id: u8,
    across: usize,
    down: usize,
    table: usize,
}

/// A Huffman table: by the next nine bits the code's length and symbol, and canonical limits for longer ones.
#[derive(Clone)]
struct Codes {
    short: Vec<(u8, u8)>,
    /// A length's first code, how many it has, and where its symbols begin.
    by_length: [(u32, u32, usize); 17],
    symbols: Vec<u8>,
}

const SHORT_BITS: u32 = 9;

impl Codes {
    fn read(counts: &[u8], symbols: &[u8]) -> Option<Codes> {
        let mut codes = Codes {
            short: vec![(0, 0); 1 << SHORT_BITS],
            by_length: [(0, 0, 0); 17],
            symbols: symbols.to_vec(),
        };
        let (mut code, mut at) = (0_u32, 0_usize);
        for length in 1..=16_u32 {
            let count = u32::from(*counts.get(length as usize - 1)?);
            codes.by_length[length as usize] = (code, count, at);
            for _ in 0..count {
                if code >> length != 0 {
                    return None;
                }
                if length <= SHORT_BITS {
                    let first = (code << (SHORT_BITS - length)) as usize;
                    let symbol = *symbols.get(at)?;
                    codes.short[first..first + (1 << (SHORT_BITS - length))].fill((length as u8, symbol));
                }
                code += 1;
                at += 1;
            }
            code <<= 1;
        }
        Some(codes)
    }
}

/// The bits of a scan, up to a marker.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
    held: u64,
    count: u32,
    /// Bits that were made up after the data's end.
    made_up: u32,
}

impl Bits<'_> {
    fn fill(&mut self, wanted: u32) {
        while self.count < wanted {
            let byte = match (self.bytes.get(self.at), self.bytes.get(self.at + 1)) {
                (Some(0xFF), Some(0)) => {
                    self.at += 2;
                    0xFF
                }
                (Some(0xFF), _) | (None, _) => {
                    self.made_up += 8;
                    0
                }
                (Some(byte), _) => {
                    self.at += 1;
                    *byte
                }
            };
            self.held = (self.held << 8) | u64::from(byte);
            self.count += 8;
        }
    }

    fn peek(&mut self, bits: u32) -> u32 {
        self.fill(bits);
        ((self.held >> (self.count - bits)) & ((1 << bits) - 1)) as u32
    }

    fn take(&mut self, bits: u32) -> u32 {
        if bits == 0 {
            return 0;
        }
        let value = self.peek(bits);
        self.count -= bits;
        value
    }

    /// Whether more bits were taken than there are.
    fn is_over(&self) -> bool {
        self.made_up > self.count
    }

    /// The symbol of the next code.
    fn symbol(&mut self, codes: &Codes) -> Option<u8> {
        let (length, symbol) = codes.short[self.peek(SHORT_BITS) as usize];
        if length > 0 {
            self.count -= u32::from(length);
            return Some(symbol);
        }
        let sixteen = self.peek(16);
        let longer = (SHORT_BITS + 1..=16).find_map(|length| {
            let code = sixteen >> (16 - length);
            let (first, count, at) = codes.by_length[length as usize];
            (code >= first && code < first + count).then(|| (length, at + (code - first) as usize))
        });
        let (length, at) = longer?;
        self.count -= length;
        codes.symbols.get(at).copied()
    }

    /// A number of so many bits, as JPEG writes positive and negative ones.
    fn signed(&mut self, bits: u32) -> i32 {
        if bits == 0 {
            return 0;
        }
        let value = self.take(bits) as i32;
        if value < 1 << (bits - 1) { value - (1 << bits) + 1 } else { value }
    }

    /// Drops what is left of a byte, and gives the place of what follows the data.
    fn end(&mut self) -> Option<usize> {
        let whole_bytes = self.count.saturating_sub(self.made_up) / 8;
        self.held = 0;
        self.count = 0;
        self.made_up = 0;
        (whole_bytes == 0).then_some(self.at)
    }
}

/// What the headers said so far.
struct Headers {
    size: [usize; 2],
    components: Vec<Component>,
    quantisation: [[i32; 64]; 4],
    dc: [Option<Codes>; 4],
    ac: [Option<Codes>; 4],
    restart_every: usize,
}

/// Walks a JPEG's picture data; `None` where it is not coded as cameras do.
pub(super) fn check(bytes: &[u8]) -> Result<(), Torn> {
    let mut headers = Headers {
        size: [0; 2],
        components: Vec::new(),
        quantisation: [[1; 64]; 4],
        dc: Default::default(),
        ac: Default::default(),
        restart_every: 0,
    };
    let mut at = 2;
    loop {
        // Between segments some programs leave bytes that mean nothing.
        at += bytes
            .get(at..)
            .and_then(|rest| rest.iter().position(|byte| *byte == 0xFF))
            .ok_or(Torn::Header)?;
        let marker = next_marker(bytes, &mut at).ok_or(Torn::Header)?;
        match marker {
            0xD9 => return Ok(()),
            0x01 | 0xD0..=0xD7 => continue,
            _ => {}
        }
        let length = match bytes.get(at..at + 2) {
            Some(&[high, low]) => usize::from(u16::from_be_bytes([high, low])),
            _ => return Err(Torn::Header),
        };
        let segment = bytes.get(at + 2..at + length.max(2)).ok_or(Torn::Header)?;
        at += length.max(2);
        match marker {
            0xC0 | 0xC1 => match headers.frame(segment) {
                Some(true) => {}
                Some(false) => return Ok(()),
                None => return Err(Torn::Header),
            },
            0xC4 => headers.codes(segment).ok_or(Torn::Header)?,
            // Progressive, arithmetic, lossless.
            0xC2..=0xCF => return Ok(()),
            0xDB => headers.quantisation(segment).ok_or(Torn::Header)?,
            0xDD => {
                let every = segment.get(..2).ok_or(Torn::Header)?;
                headers.restart_every = usize::from(u16::from_be_bytes([every[0], every[1]]));
            }
            0xDA => at = headers.scan(segment, bytes, at)?,
            _ => {}
        }
    }
}

/// The next marker's second byte; `at` moves behind it.
fn next_marker(bytes: &[u8], at: &mut usize) -> Option<u8> {
    if *bytes.get(*at)? != 0xFF {
        return None;
    }
    while *bytes.get(*at)? == 0xFF {
        *at += 1;
    }
    *at += 1;
    bytes.get(*at - 1).copied()
}

impl Headers {
    /// Whether the frame can be walked.
    fn frame(&mut self, segment: &[u8]) -> Option<bool> {
        let &[precision, h1, h0, w1, w0, count, ref rest @ ..] = segment else { return None };
        self.size = [usize::from(u16::from_be_bytes([w1, w0])), usize::from(u16::from_be_bytes([h1, h0]))];
        self.components = rest
            .chunks_exact(3)
            .take(usize::from(count))
            .map(|part| Component {
                id: part[0],
                across: usize::from(part[1] >> 4),
                down: usize::from(part[1] & 15),
                table: usize::from(part[2] & 3),
            })
            .collect();
        let sane = |part: &Component| (1..=4).contains(&part.across) && (1..=4).contains(&part.down);
        if self.components.len() != usize::from(count) || !self.components.iter().all(sane) {
            return None;
        }
        // A height of 0 comes later, in a form that nobody writes.
        Some(precision == 8 && self.size[1] > 0 && self.size[0] > 0)
    }

    fn codes(&mut self, mut segment: &[u8]) -> Option<()> {
        while let [class, rest @ ..] = segment {
            let counts = rest.get(..16)?;
            let symbols: usize = counts.iter().map(|count| usize::from(*count)).sum();
            let codes = Codes::read(counts, rest.get(16..16 + symbols)?)?;
            let tables = if class >> 4 == 0 { &mut self.dc } else { &mut self.ac };
            *tables.get_mut(usize::from(class & 15))? = Some(codes);
            segment = rest.get(16 + symbols..)?;
        }
        Some(())
    }

    fn quantisation(&mut self, mut segment: &[u8]) -> Option<()> {
        while let [class, rest @ ..] = segment {
            let bytes_each = if class >> 4 == 0 { 1 } else { 2 };
            let table = self.quantisation.get_mut(usize::from(class & 15))?;
            let values = rest.get(..64 * bytes_each)?;
            for (step, value) in table.iter_mut().zip(values.chunks_exact(bytes_each)) {
                *step = value.iter().fold(0, |sum, byte| sum << 8 | i32::from(*byte));
            }
            segment = rest.get(64 * bytes_each..)?;
        }
        Some(())
    }

    /// Walks a scan's data; gives the place behind it.
    fn scan(&self, segment: &[u8], bytes: &[u8], at: usize) -> Result<usize, Torn> {
        let (&count, rest) = segment.split_first().ok_or(Torn::Header)?;
        let mut parts = Vec::new();
        for chosen in rest.chunks_exact(2).take(usize::from(count)) {
            let component = self.components.iter().find(|part| part.id == chosen[0]).ok_or(Torn::Header)?;
            let (dc, ac) = (usize::from(chosen[1] >> 4), usize::from(chosen[1] & 15));
            let tables =
                self.dc.get(dc).zip(self.ac.get(ac)).and_then(|(dc, ac)| Some((dc.as_ref()?, ac.as_ref()?)));
            let (dc, ac) = tables.ok_or(Torn::Header)?;
            parts.push(Part { component: *component, dc, ac, level: 0 });
        }
        if parts.is_empty() {
            return Err(Torn::Header);
        }
        let units = self.units(&mut parts);
        let mut bits = Bits { bytes, at, held: 0, count: 0, made_up: 0 };
        let mut expected = 0;
        for unit in 0..units {
            let share = (100 * unit / units) as u8;
            if self.restart_every > 0 && unit > 0 && unit % self.restart_every == 0 {
                let mut behind = bits.end().ok_or(Torn::Restart(share))?;
                if next_marker(bytes, &mut behind) != Some(0xD0 + expected) {
                    return Err(Torn::Restart(share));
                }
                bits.at = behind;
                expected = (expected + 1) % 8;
                parts.iter_mut().for_each(|part| part.level = 0);
            }
            for part in &mut parts {
                let steps = &self.quantisation[part.component.table];
                for _ in 0..part.component.across * part.component.down {
                    block(&mut bits, part, steps, share)?;
                }
            }
            if bits.is_over() {
                return Err(Torn::Missing(share));
            }
        }
        let behind = bits.end().ok_or(Torn::TooMuch)?;
        // Whatever is not a marker here are blocks that the picture does not have.
        if bytes.get(behind) == Some(&0xFF) { Ok(behind) } else { Err(Torn::TooMuch) }
    }

    /// How many units the scan has; alone, a component has as many as it has blocks.
    fn units(&self, parts: &mut [Part<'_>]) -> usize {
        let most = |of: fn(&Component) -> usize| self.components.iter().map(of).max().unwrap_or(1);
        let (most_across, most_down) = (most(|part| part.across), most(|part| part.down));
        let [width, height] = self.size;
        match parts {
            [alone] => {
                let Component { across, down, .. } = alone.component;
                (alone.component.across, alone.component.down) = (1, 1);
                let blocks = |side: usize, own: usize, most: usize| (side * own).div_ceil(most).div_ceil(8);
                blocks(width, across, most_across) * blocks(height, down, most_down)
            }
            _ => width.div_ceil(8 * most_across) * height.div_ceil(8 * most_down),
        }
    }
}

struct Part<'c> {
    component: Component,
    dc: &'c Codes,
    ac: &'c Codes,
    /// The last block's mean, which the next one's is counted from.
    level: i32,
}

/// Pixels of 8 bits give means from -1024 to 1016 once multiplied by eight; rounding adds half a step.
const MEAN_LIMIT: i32 = 1024;

fn block(bits: &mut Bits<'_>, part: &mut Part<'_>, steps: &[i32; 64], share: u8) -> Result<(), Torn> {
    let size = u32::from(bits.symbol(part.dc).ok_or(Torn::Code(share))?);
    if size > 11 {
        return Err(Torn::Code(share));
    }
    part.level += bits.signed(size);
    if part.level.abs() * steps[0] > MEAN_LIMIT + steps[0] {
        return Err(Torn::Range(share));
    }
    let mut index = 1;
    while index < 64 {
        let symbol = bits.symbol(part.ac).ok_or(Torn::Code(share))?;
        let (zeros, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
        match (zeros, size) {
            (0, 0) => return Ok(()),
            (15, 0) => index += 16,
            // Runs without a value are of progressive coding only.
            (_, 0) => return Err(Torn::Code(share)),
            _ => {
                index += zeros;
                if index > 63 || size > 10 {
                    return Err(Torn::Code(share));
                }
                bits.take(size);
                index += 1;
            }
        }
    }
    // Sixteen zeros at a block's end are written as its end.
    if index > 64 { Err(Torn::Code(share)) } else { Ok(()) }
}
