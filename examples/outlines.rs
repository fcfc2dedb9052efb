fn main() {
    for path in std::env::args().skip(1) {
        let p =
            linecall::capture::load_photo(std::path::Path::new(&path), &Default::default()).expect("photo");
        let t = std::time::Instant::now();
        let o = linecall::outline::surface_outlines(&p, &Default::default());
        println!("{path} {:.0} ms", t.elapsed().as_secs_f64() * 1e3);
        for o in o {
            println!("   {:.3} {:?} {:?}", o.overlap, o.sides, o.corners.map(|c| (c.x.round(), c.y.round())));
        }
    }
}
