//! Reads a map and a scenario, builds a table and answers 500 queries; then what a query between two
//! neighbours takes, where hardly anything is left but the call.
//!
//!     cargo run --release --example queries MAP SCEN
use cairn_sys::{BuildOptions, Map, MapOptions, Node, Search, SearchOptions, Table};
use std::time::Instant;

const QUERIES: usize = 500;
const ROUNDS: usize = 9;
const TIMES: u32 = 20_000;

/// Start and goal of each line of a scenario: bucket, map, width, height, x, y, x, y, length.
fn queries_of(map: &Map, scenario: &str) -> Option<Vec<(Node, Node)>> {
    let lines = scenario.lines().skip(1).filter(|line| !line.trim().is_empty());
    let query = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[_, _, _, _, x, y, goal_x, goal_y, _] = &words[..] else {
            return None;
        };
        let node = |x: &str, y: &str| map.node_at(x.parse().ok()?, y.parse().ok()?);
        Some((node(x, y)?, node(goal_x, goal_y)?))
    };
    lines.map(query).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [map_path, scenario_path] = &words[..] else {
        return Err("usage: queries MAP SCEN".into());
    };
    let mut map = Map::load(map_path, &MapOptions::default())?;
    let table = Table::build(&mut map, &BuildOptions::default())?;
    let mut search = Search::new(&map, &table, &SearchOptions::default())?;
    let scenario = std::fs::read_to_string(scenario_path)?;
    let queries = queries_of(&map, &scenario).ok_or("a line of the scenario is not understood")?;
    for index in 0..QUERIES {
        let (start, goal) = queries[index * queries.len() / QUERIES];
        println!("{}", search.run(&map, &table, start, goal)?.cost().unwrap_or(u32::MAX));
    }

    let step = map.steps(queries[0].0)[0];
    let mut rounds = [0.0; ROUNDS];
    for round in &mut rounds {
        let begun = Instant::now();
        for _ in 0..TIMES {
            search.run(&map, &table, step.from, step.to)?;
        }
        *round = begun.elapsed().as_secs_f64() / f64::from(TIMES) * 1e6;
    }
    rounds.sort_by(f64::total_cmp);
    println!("time {:.3}", rounds[ROUNDS / 2]);
    Ok(())
}
