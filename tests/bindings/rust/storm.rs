//! Calls everything with numbers and texts of any kind: errors are answers, an end of the process
//! is a fault, and so is a path that another search of the same query does not find.
//!
//!     storm CALLS SEED
use cairn_sys::*;

struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % count
    }

    fn number(&mut self) -> u32 {
        const SPECIAL: [u32; 10] =
            [0, 1, 255, 256, 65535, 65536, 1 << 24, 0x3fff_ffff, 1 << 31, u32::MAX];
        match self.below(5) {
            0 => SPECIAL[self.below(SPECIAL.len() as u64) as usize],
            _ => self.below(40) as u32,
        }
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    fn numbers(&mut self, most: u64) -> Vec<u32> {
        (0..self.below(most)).map(|_| self.number()).collect()
    }

    fn letters(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| self.pick(b".......@@TSG^vWx\0\xff")).collect()
    }

    fn map_options(&mut self) -> MapOptions<'static> {
        let rules =
            [Rule::RULE_8, Rule::RULE_4, Rule::RULE_8_ONE_SIDE, Rule::RULE_8_ANY, Rule::HEX];
        MapOptions {
            metric: if self.below(3) > 0 { (0, 0) } else { (self.number(), self.number()) },
            rule: self.pick(&rules),
            charge: self.pick(&[Charge::ENTERED, Charge::AVERAGE]),
            terrain: self.pick(&["", "S=3", "x=9 one-way", "S=", "\0", "W=65534,S=65534"]),
        }
    }

    fn map(&mut self) -> Result<Map, Error> {
        let options = self.map_options();
        let (width, height) = (1 + self.below(9) as u32, 1 + self.below(9) as u32);
        let mut letters = self.letters(u64::from(width * height));
        if self.below(4) > 0 {
            letters
                .iter_mut()
                .for_each(|letter| *letter = if *letter == b'@' { b'@' } else { b'.' });
        }
        match self.below(12) {
            0 => Map::from_letters(self.number(), height, &letters, &options),
            1 => Map::parse(&self.letters(60), &options),
            2 => Map::load(self.pick(&["/no such file", "a\0b", "", "/"]), &options),
            3 => {
                let step =
                    |numbers: &[u32]| Step { from: numbers[0], to: numbers[1], cost: numbers[2] };
                let arcs: Vec<Step> = self.numbers(60).chunks_exact(3).map(step).collect();
                let count = self.below(40) as usize;
                let places =
                    vec![(self.number() as i32, 7); if self.below(2) > 0 { count } else { 0 }];
                Map::from_arcs(count as u32, &arcs, &places)
            }
            _ => Map::from_letters(width, height, &letters, &options),
        }
    }

    fn edit(&mut self) -> Edit {
        let (a, b, c, d) = (self.number(), self.number(), self.number(), self.number());
        match self.below(5) {
            0 => Edit::rectangle(a, b, c, d, self.pick(b".@Sx\0\xff")),
            1 => Edit::arc(a, b, c),
            2 => Edit::open(a % 9, b % 9),
            3 => Edit::block(a % 9, b % 9),
            _ => Edit::block(a, b),
        }
    }

    fn build_options<'a>(&mut self, listed: &'a [Node]) -> BuildOptions<'a> {
        let placements = [
            Placement::AUTO,
            Placement::FARTHEST,
            Placement::RANDOM,
            Placement::BORDER,
            Placement::AVOID,
            Placement::REFINED,
            Placement::LIST,
        ];
        let placement = self.pick(&placements);
        // A list is refused with any other placement.
        let takes_list = placement == Placement::LIST || self.below(8) == 0;
        BuildOptions {
            landmark_count: self.pick(&[0, 1, 2, 3, 9, 257, u32::MAX]),
            thread_count: self.pick(&[0, 1, 2]),
            seed: self.below(9),
            placement,
            metric: self.pick(&[MetricChoice::OF_MAP, MetricChoice::COMPACT]),
            resident: self.pick(&[Resident::CELLS, Resident::CELLS, Resident::CORNERS]),
            listed: if takes_list { listed } else { &[] },
        }
    }

    fn search_options(&mut self) -> SearchOptions {
        SearchOptions {
            space: self.pick(&[Space::AUTO, Space::CELLS, Space::JUMP]),
            form: self.pick(&[Form::CELLS, Form::CORNERS, Form::NONE]),
            heuristic: self.pick(&[
                Heuristic::BEST,
                Heuristic::ZERO,
                Heuristic::EUCLIDEAN,
                Heuristic::HEX,
                Heuristic::SQUARED,
            ]),
            weight: self.pick(&[0, 0, 1000, 1500, 1, u32::MAX]),
            ties: self.pick(&[Ties::LAST, Ties::FIRST, Ties::LARGER_G]),
            nearest: self.below(4) == 0,
            never_reopen: self.below(4) == 0,
        }
    }

    fn budget(&mut self) -> Budget {
        let (cells, time) = (u64::from(self.number()), self.below(300));
        self.pick(&[
            Budget::Cells(cells),
            Budget::Microseconds(time),
            Budget::Cells(u64::MAX),
            Budget::Unlimited,
        ])
    }
}

/// One call of the map, its table or its search; whether it was answered.
fn call(random: &mut Random, map: &mut Map, table: &mut Table, search: &mut Search) -> bool {
    let (a, b) = (random.number(), random.number());
    let nodes = random.numbers(6);
    match random.below(12) {
        0 => map.edit(&[random.edit(), random.edit()][random.below(2) as usize..]).is_ok(),
        1 => table.refresh(map, random.budget()).is_ok(),
        2 => table.verify(map).is_ok(),
        3 => search.avoid(map, &nodes).is_ok(),
        4 => search.run_to_any(map, &*table, a, &nodes).is_ok(),
        5 => table.cost(a, b).is_some() || !table.landmarks(a).is_empty(),
        6 => map.xy(a).is_some() || map.node_at(a, b).is_some() || map.connected(a, b),
        7 => !map.steps(a).is_empty(),
        8 => map.try_clone().is_ok_and(|copy| search.run(&copy, &*table, a, b).is_err()),
        _ => match search.run(map, &*table, a, b) {
            Ok(path) => {
                path.nodes().iter().chain(path.corners()).all(|&node| node < map.node_count())
            }
            Err(_) => false,
        },
    }
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let (calls, mut random) = (numbers[0], Random(numbers[1] * 2 + 1));
    let (mut made, mut answered) = (0, 0);
    while made < calls {
        made += 3;
        let Ok(mut map) = random.map() else { continue };
        let listed = random.numbers(4);
        let Ok(mut table) = Table::build(&mut map, &random.build_options(&listed)) else {
            continue;
        };
        let options = random.search_options();
        let Ok(mut search) = Search::new(&map, &table, &options) else {
            continue;
        };
        for _ in 0..100 {
            made += 1;
            answered += u64::from(call(&mut random, &mut map, &mut table, &mut search));
        }
        if random.below(2) > 0 {
            drop(map);
            drop(table);
        }
    }
    println!("{made} calls, {answered} of them answered");
    assert!(answered > calls / 5);
}
