//! What the crate promises: kinds of maps, edits, files, errors, objects dropped in any order,
//! threads.
//!
//!     use FOLDER      a folder for files
use cairn_sys::*;
use std::collections::BinaryHeap;

const ROWS: &[u8] = b".........@@@@@........@..@@@@.@.........";
const RULES: [Rule; 5] =
    [Rule::RULE_8, Rule::RULE_4, Rule::RULE_8_ONE_SIDE, Rule::RULE_8_ANY, Rule::HEX];

/// The costs to all nodes by Dijkstra along the steps of the map.
fn costs_from(map: &Map, start: Node) -> Vec<Option<Cost>> {
    let mut costs = vec![None; map.node_count() as usize];
    let mut open = BinaryHeap::from([(std::cmp::Reverse(0), start)]);
    while let Some((std::cmp::Reverse(cost), node)) = open.pop() {
        let known = &mut costs[node as usize];
        if map.is_open(node) && known.is_none() {
            *known = Some(cost);
            let steps = map.steps(node);
            open.extend(steps.iter().map(|step| (std::cmp::Reverse(cost + step.cost), step.to)));
        }
    }
    costs
}

fn holds_everywhere(map: &Map, table: &Table, search: &mut Search) {
    for start in (0..map.node_count()).step_by(7) {
        for (goal, &cost) in costs_from(map, start).iter().enumerate() {
            let path = search.run(map, table, start, goal as Node).unwrap();
            assert_eq!(path.cost(), cost);
            let nodes = path.nodes();
            assert_eq!(nodes.is_empty(), cost.is_none());
            let steps = nodes.windows(2).map(|pair| {
                map.steps(pair[0]).into_iter().find(|step| step.to == pair[1]).expect("a step").cost
            });
            assert_eq!(steps.sum::<Cost>(), cost.unwrap_or(0));
            assert!(cost.is_none() || (nodes[0], nodes[nodes.len() - 1]) == (start, goal as Node));
            assert!(path.corners().iter().all(|corner| nodes.contains(corner)));
        }
    }
}

fn rules_edits_and_files(folder: &str) {
    for rule in RULES {
        let options = MapOptions { rule, ..Default::default() };
        let mut map = Map::from_letters(8, 5, ROWS, &options).unwrap();
        let built = BuildOptions { landmark_count: 3, ..Default::default() };
        let mut table = Table::build(&mut map, &built).unwrap();
        let mut search = Search::new(&map, &table, &SearchOptions::default()).unwrap();
        holds_everywhere(&map, &table, &mut search);
        let before = map.hash();
        map.edit(&[Edit::open(1, 1), Edit::rectangle(4, 2, 2, 1, b'@'), Edit::block(7, 0)])
            .unwrap();
        assert_ne!(map.hash(), before);
        assert_eq!(
            table.save(&map, format!("{folder}/stale.cairn")).unwrap_err().status,
            Status::E_STALE
        );
        holds_everywhere(&map, &table, &mut search);
        while !table.refresh(&map, Budget::Cells(1)).unwrap() {
            holds_everywhere(&map, &table, &mut search);
        }
        table.verify(&map).unwrap();
        let name = format!("{folder}/größe.cairn");
        table.save(&map, &name).unwrap();
        let (again, rows) = load(&name).unwrap();
        assert_eq!((again.hash(), rows.row_count()), (map.hash(), table.row_count()));
        assert_eq!(rows.cost(0, 0), table.cost(0, 0));
        assert_eq!(rows.cost(0, rows.landmarks(0)[0]), Some(0));
        let mut search = Search::new(&again, &rows, &SearchOptions::default()).unwrap();
        holds_everywhere(&again, &rows, &mut search);
    }
}

fn graphs_and_terrain() {
    let step = |from, to, cost| Step { from, to, cost };
    let mut roads = Map::from_arcs(
        3,
        &[step(0, 1, 5), step(1, 2, 7), step(0, 2, 20)],
        &[(0, 0), (3, 0), (9, 0)],
    )
    .unwrap();
    let rows = Table::build(&mut roads, &BuildOptions { landmark_count: 1, ..Default::default() });
    let rows = rows.unwrap();
    let mut search = Search::new(&roads, &rows, &SearchOptions::default()).unwrap();
    assert_eq!(search.run(&roads, &rows, 0, 2).unwrap().cost(), Some(12));
    roads.edit(&[Edit::arc(1, 2, 70)]).unwrap();
    assert_eq!(search.run(&roads, &rows, 0, 2).unwrap().nodes(), [0, 2]);
    assert_eq!(search.run_to_any(&roads, &rows, 0, &[2, 1]).unwrap().which(), 1);
    assert_eq!(search.run_from_any(&roads, &rows, &[1, 0], 2).unwrap().which(), 1);
    search.begin_to_any(&roads, &rows, 0, &[2, 1]).unwrap();
    assert_eq!(search.resume(&roads, &rows, 99).unwrap().which(), 1);
    search.begin_from_any(&roads, &rows, &[1, 0], 2).unwrap();
    assert_eq!(search.resume(&roads, &rows, 99).unwrap().which(), 1);
    assert_eq!(search.run(&roads, &rows, 2, 0).unwrap().cost(), None);

    let options = MapOptions { terrain: "S=3", metric: (10, 14), ..Default::default() };
    let swamp = Map::from_letters(3, 1, b".S.", &options).unwrap();
    let mut search = Search::new(&swamp, None, &SearchOptions::default()).unwrap();
    assert_eq!(search.run(&swamp, None, 0, 2).unwrap().cost(), Some(40));
    search.avoid(&swamp, &[1]).unwrap();
    let outcome = search.run(&swamp, None, 0, 2).unwrap().outcome();
    assert_eq!(outcome, Outcome::NONE);
    search.avoid(&swamp, &[]).unwrap();
    assert_eq!(search.run(&swamp, None, 0, 2).unwrap().outcome(), Outcome::FOUND);
}

fn errors_say_why() {
    let options = MapOptions::default();
    let text = b"type octile\nheight 2\nwidth 2\nmap\n..\n.x\n";
    let error = Map::parse(text, &options).err().unwrap();
    assert_eq!((error.status, error.line), (Status::E_FORMAT, 6));
    assert_eq!(
        error.to_string(),
        format!("line 6: {}", error.to_string().split_once(": ").unwrap().1)
    );
    assert!(error.to_string().contains("found x"), "{error}");
    let status = |error: Option<Error>| error.unwrap().status;
    assert_eq!(status(Map::load("missing.map", &options).err()), Status::E_IO);
    assert_eq!(status(Map::load("a\0b", &options).err()), Status::E_ARGUMENT);
    assert_eq!(status(Map::from_letters(3, 3, b"..", &options).err()), Status::E_ARGUMENT);
    let terrain = MapOptions { terrain: "S=", ..Default::default() };
    assert_eq!(status(Map::from_letters(1, 1, b".", &terrain).err()), Status::E_FORMAT);
    assert_eq!(status(Map::from_arcs(2, &[], &[(0, 0)]).err()), Status::E_ARGUMENT);
    let error = Map::from_arcs(2, &[Step { from: 0, to: 2, cost: 5 }], &[]).err().unwrap();
    assert!(error.line == 1 && error.to_string().contains("nodes of the graph"), "{error}");

    // Two maps that are alike are two maps: another thread may edit the other one.
    let map = Map::from_letters(2, 2, b"....", &options).unwrap();
    let mut alike = map.try_clone().unwrap();
    let rows = Table::build(&mut alike, &BuildOptions::default()).unwrap();
    let mut search = Search::new(&map, &rows, &SearchOptions::default()).unwrap();
    assert!(search.run(&map, &rows, 0, 3).is_ok());
    assert_eq!(status(search.run(&alike, &rows, 0, 3).err()), Status::E_ARGUMENT);
    assert_eq!(status(search.run(&map, None, 0, 3).err()), Status::E_ARGUMENT);
    assert_eq!(status(search.run(&map, &rows, 0, 4).err()), Status::E_ARGUMENT);
    assert_eq!(status(search.avoid(&alike, &[1]).err()), Status::E_ARGUMENT);
    drop(map);
    drop(rows);
    assert_eq!(status(search.run(&alike, None, 0, 3).err()), Status::E_ARGUMENT);
}

/// What cannot be read or written is named; what is no file has no name.
fn errors_name_the_file(folder: &str) {
    let options = MapOptions::default();
    let in_folder = |name: &str| std::path::Path::new(folder).join(name);
    let names = |error: Option<Error>, path: &std::path::Path, place: &str| {
        let error = error.unwrap();
        assert_eq!(error.path.as_deref(), Some(path));
        let begin = format!("{}{place}: ", path.display());
        assert!(error.to_string().starts_with(&begin), "{error}");
    };

    let mut map = Map::from_letters(2, 2, b"....", &options).unwrap();
    let table = Table::build(&mut map, &BuildOptions::default()).unwrap();
    let nowhere = in_folder("nowhere/a.cairn");
    names(table.save(&map, &nowhere).err(), &nowhere, "");
    for reason in [
        table.save(&map, &nowhere).err(),
        load(&nowhere).err(),
        Map::load(&nowhere, &options).err(),
    ] {
        assert!(reason.unwrap().to_string().to_lowercase().contains(": no such file"));
    }
    let long = in_folder(&"x".repeat(300));
    let error = table.save(&map, &long).err().unwrap();
    assert!(!error.to_string().contains("input or output"), "{error}");
    names(Some(error), &long, "");
    names(load(&nowhere).err(), &nowhere, "");
    names(Map::load(&nowhere, &options).err(), &nowhere, "");
    names(Map::load("a\0b", &options).err(), "a\0b".as_ref(), "");

    let broken = in_folder("broken.map");
    std::fs::write(&broken, b"type octile\nheight 2\nwidth 2\nmap\n..\n.x\n").unwrap();
    names(Map::load(&broken, &options).err(), &broken, ":6");
    names(load(&broken).err(), &broken, "");
    let terrain = MapOptions { terrain: "S=", ..Default::default() };
    assert_eq!(Map::load(&broken, &terrain).err().unwrap().path, None);
    let refused = map.edit(&[Edit::block(0, 0), Edit::block(2, 0)]).err().unwrap();
    assert_eq!((refused.path, refused.line), (None, 2));
}

/// Searches go to threads, which share the map; edits come between.
fn threads_share_a_map() {
    let mut map = Map::from_letters(8, 5, ROWS, &MapOptions::default()).unwrap();
    let mut table = Table::build(&mut map, &BuildOptions::default()).unwrap();
    let search =
        |map: &Map, table: &Table| Search::new(map, table, &SearchOptions::default()).unwrap();
    let mut searches = [search(&map, &table), search(&map, &table)];
    for round in 0..20 {
        map.edit(&[if round % 2 == 0 { Edit::block(0, 3) } else { Edit::open(0, 3) }]).unwrap();
        let costs = costs_from(&map, 0);
        std::thread::scope(|threads| {
            for search in &mut searches {
                threads.spawn(|| {
                    for (goal, &cost) in costs.iter().enumerate() {
                        assert_eq!(search.run(&map, &table, 0, goal as Node).unwrap().cost(), cost);
                    }
                });
            }
        });
        table.refresh(&map, Budget::Unlimited).unwrap();
    }
}

/// A query in slices gives the path of one at once, also beside a refresh, but not after an edit;
/// cells come when they are asked for. Edits and paths go to other threads.
fn queries_pause() {
    let mut map = Map::from_letters(8, 5, ROWS, &MapOptions::default()).unwrap();
    let mut table = Table::build(&mut map, &BuildOptions::default()).unwrap();
    let options = SearchOptions { form: Form::CORNERS, space: Space::CELLS, ..Default::default() };
    let mut search = Search::new(&map, &table, &options).unwrap();
    let whole = search.run(&map, &table, 0, 39).unwrap();
    let (cost, corners) = (whole.cost(), whole.corners().to_vec());
    assert!(cost.is_some());

    let mut slices = 0;
    let mut outcome = search.begin(&map, &table, 0, 39).unwrap().outcome();
    while outcome == Outcome::PAUSED {
        slices += 1;
        table.refresh(&map, Budget::Unlimited).unwrap();
        outcome = search.resume(&map, &table, 1).unwrap().outcome();
    }
    assert!(slices > 1 && outcome == Outcome::FOUND);
    let path = search.cells(&map, &table).unwrap();
    assert_eq!((path.cost(), path.corners()), (cost, &corners[..]));
    assert_eq!((path.nodes()[0], *path.nodes().last().unwrap()), (0, 39));
    std::thread::scope(|threads| {
        threads.spawn(|| {
            assert!(path.nodes().len() >= corners.len() && !format!("{path:?}").is_empty())
        });
    });

    assert_eq!(search.begin(&map, &table, 0, 39).unwrap().outcome(), Outcome::PAUSED);
    let edit = std::thread::spawn(|| vec![Edit::block(0, 3)]).join().unwrap();
    map.edit(&edit).unwrap();
    let refused = search.resume_for(&map, &table, 1000).unwrap_err();
    assert_eq!(refused.status, Status::E_CHANGED);
    assert_eq!(format!("{map:?}, {edit:?}"), "Map(8 x 5), [Edit(@ at (0, 3), 1 x 1)]");
    assert!(format!("{table:?}, {search:?}").starts_with("Table("));
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    rules_edits_and_files(&folder);
    graphs_and_terrain();
    errors_say_why();
    errors_name_the_file(&folder);
    threads_share_a_map();
    queries_pause();
    println!("version {}", version());
}
