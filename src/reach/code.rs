//! A link as a code that phones scan.

use qrcode::{
    QrCode,
    render::{svg, unicode},
};

/// For a terminal: dark on light, two rows of the code a line. `None` where the link is too long.
pub fn code_text(link: &str) -> Option<String> {
    let code = QrCode::new(link).ok()?;
    // Terminals are mostly dark: blocks are the light modules.
    Some(
        code.render::<unicode::Dense1x2>()
            .dark_color(unicode::Dense1x2::Light)
            .light_color(unicode::Dense1x2::Dark)
            .build(),
    )
}

/// For a page.
pub fn code_svg(link: &str) -> Option<String> {
    let code = QrCode::new(link).ok()?;
    Some(code.render::<svg::Color<'_>>().min_dimensions(240, 240).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_becomes_a_code() {
        let link = "http://192.168.1.20:8080/";
        assert!(code_text(link).unwrap().lines().count() > 10);
        assert!(code_svg(link).unwrap().contains("<svg"));
        assert!(code_svg(&"x".repeat(10_000)).is_none());
    }
}
