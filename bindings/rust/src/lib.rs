//! Shortest paths on grids and graphs, many times faster with landmarks: the C library Cairn.
//!
//! [`ffi`] has every declaration of the C headers, which say what each call does. This module is a
//! safe layer over those that most programs need: maps, tables, searches and paths.
//!
//! ```
//! use cairn_sys::{BuildOptions, Edit, Map, MapOptions, Search, SearchOptions, Table};
//!
//! let mut map = Map::from_letters(8, 2, b".....@.......@..", &MapOptions::default())?;
//! let mut table =
//!     Table::build(&mut map, &BuildOptions { landmark_count: 2, ..Default::default() })?;
//! let mut search = Search::new(&map, &table, &SearchOptions::default())?;
//! let (start, goal) = (map.node_at(0, 0).unwrap(), map.node_at(7, 1).unwrap());
//! assert_eq!(search.run(&map, &table, start, goal)?.cost(), None);
//!
//! map.edit(&[Edit::open(5, 0)])?;                 // searches stay exact
//! assert!(search.run(&map, &table, start, goal)?.cost().is_some());
//! while !table.refresh(&map, Budget::Microseconds(200))? {}
//! # use cairn_sys::Budget;
//! # Ok::<(), cairn_sys::Error>(())
//! ```
//!
//! Nodes are numbers from 0, on a grid row after row; costs are whole numbers in the metric of the
//! map, lengths count straight steps. A search is made for one map and its table and is given both
//! again with every query: so the borrow checker sees that nothing edits them meanwhile, and a
//! program may edit them between two queries. Any number of threads may share a map and a table,
//! each with a search of its own. A path borrows its search, and an edit needs the map alone:
//!
//! ```compile_fail,E0499
//! # use cairn_sys::*;
//! # let mut map = Map::from_letters(2, 2, b"....", &MapOptions::default()).unwrap();
//! # let mut search = Search::new(&map, None, &SearchOptions::default()).unwrap();
//! let first = search.run(&map, None, 0, 3).unwrap();
//! let second = search.run(&map, None, 1, 2).unwrap();
//! // The second run has overwritten the first.
//! println!("{:?} {:?}", first.nodes(), second.nodes());
//! ```
//!
//! ```compile_fail,E0502
//! # use cairn_sys::*;
//! # let mut map = Map::from_letters(2, 2, b"....", &MapOptions::default()).unwrap();
//! let mut search = Search::new(&map, None, &SearchOptions::default()).unwrap();
//! std::thread::scope(|threads| {
//!     threads.spawn(|| search.run(&map, None, 0, 3).is_ok());
//!     map.edit(&[Edit::block(1, 1)]).unwrap();               // beside a search in another thread
//! });
//! ```
#![warn(missing_docs)]

use std::ffi::{CStr, CString};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::path::{Path as FilePath, PathBuf};
use std::ptr::{self, NonNull};
use std::sync::Arc;

/// The declarations of `cairn.h`: every call, struct and constant under its own name; values of an
/// enum are constants of its type, `CAIRN_RULE_HEX` is [`cairn_rule::HEX`](ffi::cairn_rule::HEX).
/// Options begin with `Default::default()`, which sets their size.
#[allow(missing_docs, non_camel_case_types, clippy::missing_safety_doc)]
pub mod ffi {
    include!("declarations.rs");
}

use ffi::*;
#[doc(no_inline)]
pub use ffi::{
    cairn_arc as Step, cairn_charge as Charge, cairn_form as Form, cairn_heuristic as Heuristic,
    cairn_metric as Metric, cairn_metric_choice as MetricChoice, cairn_outcome as Outcome,
    cairn_placement as Placement, cairn_resident as Resident, cairn_rule as Rule,
    cairn_space as Space, cairn_status as Status, cairn_ties as Ties,
};

/// A node: a cell of a grid, or a node of a graph.
pub type Node = cairn_node;
/// A cost in the metric of the map.
pub type Cost = cairn_cost;

// ------------------------------------------------------------------------------------ errors --

/// What the library refused, and why: [`fmt::Display`] says it in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure.
    pub status: Status,
    /// The file that could not be read or written; none where it was no file.
    pub path: Option<PathBuf>,
    /// Of a text, counted from 1; 0 where lines mean nothing.
    pub line: u64,
    /// In bytes from the begin of the file or the text.
    pub offset: u64,
    /// What should have been there; empty where that is not known.
    pub expected: String,
    /// What was there, or why a file could not be read or written; may be empty.
    pub found: String,
}

impl Error {
    fn new(status: Status, problem: &cairn_error) -> Error {
        let found = problem.found.map(|byte| byte as u8);
        let expected = match problem.expected.is_null() {
            true => String::new(),
            false => unsafe { CStr::from_ptr(problem.expected) }.to_string_lossy().into_owned(),
        };
        Error {
            status,
            path: None,
            line: problem.line,
            offset: problem.offset,
            expected,
            found: CStr::from_bytes_until_nul(&found)
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// Of a call that has just failed, with what the system says where the library does not know
    /// it.
    fn of_call(status: Status, problem: &cairn_error) -> Error {
        let reason = io::Error::last_os_error();
        let mut error = Error::new(status, problem);
        let has_reason = reason.raw_os_error().is_some_and(|number| number != 0);
        if status == Status::E_IO && error.found.is_empty() && has_reason {
            error.found = reason.to_string();
        }
        error
    }

    /// The same, of a file.
    fn of(self, path: &FilePath) -> Error {
        Error { path: Some(path.into()), ..self }
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Error {
        Error::new(status, &cairn_error::default())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match &self.path {
            Some(path) if self.line > 0 => write!(to, "{}:{}: ", path.display(), self.line)?,
            Some(path) => write!(to, "{}: ", path.display())?,
            None if self.line > 0 => write!(to, "line {}: ", self.line)?,
            None => (),
        }
        if self.status == Status::E_IO && self.expected.is_empty() && !self.found.is_empty() {
            return write!(to, "{}", self.found);
        }
        let words = unsafe { CStr::from_ptr(cairn_status_text(self.status)) };
        write!(to, "{}", words.to_string_lossy())?;
        if !self.expected.is_empty() {
            write!(to, ": expected {}", self.expected)?;
        }
        if !self.found.is_empty() {
            write!(to, ", found {}", self.found)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// What a call says that has just returned.
fn check(status: Status) -> Result<(), Error> {
    match status {
        Status::OK => Ok(()),
        _ => Err(Error::of_call(status, &cairn_error::default())),
    }
}

/// What a call made that says in `problem` why it did not.
fn made<T>(status: Status, object: *mut T, problem: &cairn_error) -> Result<NonNull<T>, Error> {
    match (status, NonNull::new(object)) {
        (Status::OK, Some(object)) => Ok(object),
        _ => Err(Error::of_call(status, problem)),
    }
}

fn file_name(path: &FilePath) -> Result<CString, Error> {
    CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|_| Error::from(Status::E_ARGUMENT).of(path))
}

/// What C wrote: an empty slice where it is NULL.
unsafe fn slice<'a, T>(items: *const T, count: usize) -> &'a [T] {
    match items.is_null() {
        true => &[],
        false => std::slice::from_raw_parts(items, count),
    }
}

/// The version of the library.
pub fn version() -> &'static str {
    unsafe { CStr::from_ptr(cairn_version()) }.to_str().unwrap_or_default()
}

// -------------------------------------------------------------------------------------- maps --

/// Objects of the library, which may be read by any number of threads. A search keeps those that it
/// was made for: so neither is another one's memory taken for theirs.
struct MapOwner(NonNull<cairn_map>);
struct TableOwner(NonNull<cairn_table>);

unsafe impl Send for MapOwner {}
unsafe impl Sync for MapOwner {}
unsafe impl Send for TableOwner {}
unsafe impl Sync for TableOwner {}

impl Drop for MapOwner {
    fn drop(&mut self) {
        unsafe { cairn_map_free(self.0.as_ptr()) }
    }
}

impl Drop for TableOwner {
    fn drop(&mut self) {
        unsafe { cairn_table_free(self.0.as_ptr()) }
    }
}

/// How a grid is read; heights are left to [`ffi::cairn_map_options`].
#[derive(Clone, Debug, Default)]
pub struct MapOptions<'a> {
    /// What a straight and a diagonal step cost; 0 and 0: the default, 2378 and 3363.
    pub metric: (u32, u32),
    /// Which steps there are.
    pub rule: Rule,
    /// What a step over terrain costs.
    pub charge: Charge,
    /// What letters mean, e.g. `"S=3, W=blocked"`; empty: as in Moving AI's maps.
    pub terrain: &'a str,
}

impl MapOptions<'_> {
    /// Calls `make` with the struct of C.
    fn pass<R>(&self, make: impl FnOnce(&cairn_map_options) -> R) -> Result<R, Error> {
        let mut alphabet = cairn_alphabet::default();
        let mut problem = cairn_error::default();
        let text = self.terrain.as_bytes();
        let status = unsafe {
            cairn_alphabet_init(&mut alphabet);
            cairn_alphabet_parse(text.as_ptr().cast(), text.len(), &mut alphabet, &mut problem)
        };
        if status != Status::OK {
            return Err(Error::new(status, &problem));
        }
        let (straight, diagonal) = self.metric;
        Ok(make(&cairn_map_options {
            metric: cairn_metric { straight, diagonal },
            rule: self.rule,
            charge: self.charge,
            alphabet: &alphabet,
            ..Default::default()
        }))
    }
}

/// A change of a grid's cells, or of the cost of a graph's arc.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Edit(cairn_edit);

impl fmt::Debug for Edit {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let edit = &self.0;
        if edit.kind == cairn_edit_kind::ARC {
            return write!(to, "Edit(arc {} to {}: {})", edit.arc.from, edit.arc.to, edit.arc.cost);
        }
        let (letter, place) = (edit.letter as u8 as char, (edit.x, edit.y));
        write!(to, "Edit({letter} at {place:?}, {} x {})", edit.width, edit.height)
    }
}

// None of these has data elsewhere.
unsafe impl Send for Edit {}
unsafe impl Sync for Edit {}

impl Edit {
    /// Blocks a cell.
    pub fn block(x: u32, y: u32) -> Edit {
        Edit(unsafe { cairn_block(x, y) })
    }

    /// Opens a cell.
    pub fn open(x: u32, y: u32) -> Edit {
        Edit(unsafe { cairn_open(x, y) })
    }

    /// Writes a letter into every cell of a rectangle.
    pub fn rectangle(x: u32, y: u32, width: u32, height: u32, letter: u8) -> Edit {
        Edit(unsafe { cairn_rectangle(x, y, width, height, letter as _) })
    }

    /// Gives an arc another cost.
    pub fn arc(from: Node, to: Node, cost: Cost) -> Edit {
        Edit(unsafe { cairn_arc_cost(from, to, cost) })
    }
}

/// A grid with its terrain, or a graph.
pub struct Map(Arc<MapOwner>);

impl fmt::Debug for Map {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "Map({} x {})", self.width(), self.height())
    }
}

impl Map {
    fn make(
        call: impl FnOnce(*mut *mut cairn_map, *mut cairn_error) -> Status,
    ) -> Result<Map, Error> {
        let mut map = ptr::null_mut();
        let mut problem = cairn_error::default();
        let status = call(&mut map, &mut problem);
        Ok(Map(Arc::new(MapOwner(made(status, map, &problem)?))))
    }

    /// Reads a Moving AI `.map` file, or a road network (`.gr`).
    pub fn load(path: impl AsRef<FilePath>, options: &MapOptions) -> Result<Map, Error> {
        let path = path.as_ref();
        let name = file_name(path)?;
        let loaded = options.pass(|options| {
            Map::make(|map, error| unsafe { cairn_map_load(name.as_ptr(), options, map, error) })
        })?;
        loaded.map_err(|error| error.of(path))
    }

    /// The same from the text of a file.
    pub fn parse(text: &[u8], options: &MapOptions) -> Result<Map, Error> {
        let (start, size) = (text.as_ptr().cast(), text.len());
        options.pass(|options| {
            Map::make(|map, error| unsafe { cairn_map_parse(start, size, options, map, error) })
        })?
    }

    /// A grid from its letters, row after row.
    pub fn from_letters(
        width: u32,
        height: u32,
        letters: &[u8],
        options: &MapOptions,
    ) -> Result<Map, Error> {
        if u64::from(width) * u64::from(height) != letters.len() as u64 {
            return Err(Status::E_ARGUMENT.into());
        }
        let start = letters.as_ptr().cast();
        options.pass(|options| {
            Map::make(|map, error| unsafe {
                cairn_map_from_letters(width, height, start, options, map, error)
            })
        })?
    }

    /// A graph of nodes 0 to `node_count` - 1, with places of all nodes or of none.
    pub fn from_arcs(node_count: u32, arcs: &[Step], places: &[(i32, i32)]) -> Result<Map, Error> {
        let (x, y): (Vec<i32>, Vec<i32>) = places.iter().copied().unzip();
        let (x, y) = match places.len() {
            0 => (ptr::null(), ptr::null()),
            count if count == node_count as usize => (x.as_ptr(), y.as_ptr()),
            _ => return Err(Status::E_ARGUMENT.into()),
        };
        let (start, count) = (arcs.as_ptr(), arcs.len());
        Map::make(|map, error| unsafe {
            cairn_map_from_arcs(node_count, start, count, x, y, ptr::null(), map, error)
        })
    }

    /// An independent copy.
    pub fn try_clone(&self) -> Result<Map, Error> {
        Map::make(|copy, _| unsafe { cairn_map_clone(self.as_ptr(), copy) })
    }

    /// For calls of [`ffi`]. Whoever changes the map by it answers for that no other thread reads
    /// it.
    pub fn as_ptr(&self) -> *mut cairn_map {
        self.0 .0.as_ptr()
    }

    /// In cells; of a graph the number of its nodes.
    pub fn width(&self) -> u32 {
        unsafe { cairn_map_width(self.as_ptr()) }
    }

    /// In cells; of a graph 1.
    pub fn height(&self) -> u32 {
        unsafe { cairn_map_height(self.as_ptr()) }
    }

    /// Blocked cells included.
    pub fn node_count(&self) -> u32 {
        unsafe { cairn_map_node_count(self.as_ptr()) }
    }

    /// What a straight and a diagonal step cost.
    pub fn metric(&self) -> (u32, u32) {
        let metric = unsafe { cairn_map_metric(self.as_ptr()) };
        (metric.straight, metric.diagonal)
    }

    /// Changes with everything that decides costs.
    pub fn hash(&self) -> u64 {
        unsafe { cairn_map_hash(self.as_ptr()) }
    }

    /// The node of a cell; none outside of the grid.
    pub fn node_at(&self, x: u32, y: u32) -> Option<Node> {
        let node = unsafe { cairn_node_at(self.as_ptr(), x, y) };
        (node != CAIRN_NO_NODE).then_some(node)
    }

    /// The cell of a node; none for a node that is not on the map.
    pub fn xy(&self, node: Node) -> Option<(u32, u32)> {
        let (mut x, mut y) = (0, 0);
        unsafe { cairn_node_xy(self.as_ptr(), node, &mut x, &mut y) }.then_some((x, y))
    }

    /// Whether a cell may be entered.
    pub fn is_open(&self, node: Node) -> bool {
        unsafe { cairn_map_is_open(self.as_ptr(), node) }
    }

    /// Whether steps join two nodes, whatever their direction.
    pub fn connected(&self, a: Node, b: Node) -> bool {
        unsafe { cairn_connected(self.as_ptr(), a, b) }
    }

    /// The steps that leave a node, with what each costs now.
    pub fn steps(&self, node: Node) -> Vec<Step> {
        let count = unsafe { cairn_steps(self.as_ptr(), node, ptr::null_mut(), 0) };
        let mut steps = vec![Step::default(); count as usize];
        unsafe { cairn_steps(self.as_ptr(), node, steps.as_mut_ptr(), count) };
        steps
    }

    /// Applies edits: all of them or, after a failure, none; the line of the error is the number of
    /// the first edit that was refused. Searches are exact at once, and [`Table::refresh`] repairs
    /// what the edits made wrong.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), Error> {
        let (items, count) = (edits.as_ptr().cast(), edits.len());
        let mut problem = cairn_error::default();
        match unsafe { cairn_map_edit(self.as_ptr(), items, count) } {
            Status::OK => Ok(()),
            status => {
                unsafe { cairn_map_check_edits(self.as_ptr(), items, count, &mut problem) };
                Err(Error::new(status, &problem))
            }
        }
    }
}

// ------------------------------------------------------------------------------------ tables --

/// How a table is built; the rest is left to [`ffi::cairn_build_options`].
#[derive(Clone, Debug, Default)]
pub struct BuildOptions<'a> {
    /// Rows, or pairs of rows where costs are directed; 0: 16.
    pub landmark_count: u32,
    /// 0: by processors and work.
    pub thread_count: u32,
    /// The same seed gives the same table.
    pub seed: u64,
    /// Where landmarks go.
    pub placement: Placement,
    /// Whether the map gets a metric whose costs fit 16 bits.
    pub metric: MetricChoice,
    /// Which cells have entries in memory.
    pub resident: Resident,
    /// The landmarks of [`Placement::LIST`].
    pub listed: &'a [Node],
}

/// How much work a step of [`Table::refresh`] may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// About as many visits of cells, less than 2 to the power of 62.
    Cells(u64),
    /// About as much time.
    Microseconds(u64),
    /// Everything.
    Unlimited,
}

impl Budget {
    fn number(self) -> cairn_budget {
        match self {
            Budget::Cells(count) => 1 << 62 | count.min(u64::MAX >> 2),
            Budget::Microseconds(count) => 2 << 62 | count.min(u64::MAX >> 2),
            Budget::Unlimited => CAIRN_UNLIMITED,
        }
    }
}

/// Rows of exact costs from landmarks to all nodes of a map, from which bounds follow.
pub struct Table(Arc<TableOwner>);

impl fmt::Debug for Table {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "Table({} rows)", self.row_count())
    }
}

impl Table {
    /// Places landmarks and computes their rows. The map changes only where
    /// [`MetricChoice::COMPACT`] gives it another metric.
    pub fn build(map: &mut Map, options: &BuildOptions) -> Result<Table, Error> {
        let given = cairn_build_options {
            landmark_count: options.landmark_count,
            thread_count: options.thread_count,
            seed: options.seed,
            placement: options.placement,
            metric: options.metric,
            resident: options.resident,
            listed: options.listed.as_ptr(),
            listed_count: options.listed.len(),
            ..Default::default()
        };
        let mut table = ptr::null_mut();
        let status = unsafe { cairn_table_build(map.as_ptr(), &given, &mut table) };
        Ok(Table(Arc::new(TableOwner(made(status, table, &cairn_error::default())?))))
    }

    /// For calls of [`ffi`]. Whoever changes the table by it answers for that no other thread reads
    /// it.
    pub fn as_ptr(&self) -> *mut cairn_table {
        self.0 .0.as_ptr()
    }

    /// Two for each set of landmarks where costs are directed.
    pub fn row_count(&self) -> u32 {
        unsafe { cairn_table_row_count(self.as_ptr()) }
    }

    /// The landmarks of a row, one in each component that has one; none for a row that does not
    /// exist.
    pub fn landmarks(&self, row: u32) -> &[Node] {
        let mut nodes = ptr::null();
        let count = unsafe { cairn_table_landmarks(self.as_ptr(), row, &mut nodes) };
        unsafe { slice(nodes, count) }
    }

    /// The cost between an open node and the nearest landmark of a row; none where there is no
    /// path.
    pub fn cost(&self, row: u32, node: Node) -> Option<Cost> {
        cost_of(unsafe { cairn_table_cost(self.as_ptr(), row, node) })
    }

    /// Does a part of the work that makes the table exact again after edits of its map; true when
    /// nothing is left.
    pub fn refresh(&mut self, map: &Map, budget: Budget) -> Result<bool, Error> {
        match unsafe { cairn_refresh_step(self.as_ptr(), map.as_ptr(), budget.number()) } {
            Status::MORE => Ok(false),
            status => check(status).map(|()| true),
        }
    }

    /// Proves that every entry is exact.
    pub fn verify(&self, map: &Map) -> Result<(), Error> {
        check(unsafe { cairn_table_verify(self.as_ptr(), map.as_ptr(), 0, ptr::null_mut()) })
    }

    /// Writes map and table into a file, which is replaced as a whole.
    pub fn save(&self, map: &Map, path: impl AsRef<FilePath>) -> Result<(), Error> {
        let path = path.as_ref();
        let name = file_name(path)?;
        check(unsafe { cairn_save(map.as_ptr(), self.as_ptr(), name.as_ptr(), ptr::null()) })
            .map_err(|error| error.of(path))
    }
}

/// Reads map and table from a file that [`Table::save`] or `cairn build` wrote; it is not trusted.
pub fn load(path: impl AsRef<FilePath>) -> Result<(Map, Table), Error> {
    let path = path.as_ref();
    let name = file_name(path)?;
    let mut table = ptr::null_mut();
    let map = Map::make(|map, error| unsafe {
        cairn_load(name.as_ptr(), ptr::null(), map, &mut table, error)
    })
    .map_err(|error| error.of(path))?;
    let table = made(Status::OK, table, &cairn_error::default())?;
    Ok((map, Table(Arc::new(TableOwner(table)))))
}

// ---------------------------------------------------------------------------------- searches --

/// How a search works; callbacks are left to [`ffi::cairn_search_options`].
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// What it moves along.
    pub space: Space,
    /// How much of a path is written out.
    pub form: Form,
    /// The base heuristic beside the rows of the table.
    pub heuristic: Heuristic,
    /// Of the bound, in thousandths from 1000; 0: 1000.
    pub weight: u32,
    /// Which of several nodes is expanded first.
    pub ties: Ties,
    /// Where no path leads to the goal: a path to the node nearest to it.
    pub nearest: bool,
    /// Nodes that have been expanded are not expanded again, as happens with a weight.
    pub never_reopen: bool,
}

fn cost_of(cost: Cost) -> Option<Cost> {
    (cost != CAIRN_UNREACHABLE).then_some(cost)
}

/// What a search found; its nodes belong to the search until the next run.
#[derive(Clone, Copy)]
pub struct Path<'search> {
    path: cairn_path,
    search: PhantomData<&'search Search>,
}

// While it is there, the search cannot write to its nodes.
unsafe impl Send for Path<'_> {}
unsafe impl Sync for Path<'_> {}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.debug_struct("Path")
            .field("outcome", &self.outcome())
            .field("cost", &self.cost())
            .field("corners", &self.corners())
            .finish_non_exhaustive()
    }
}

impl<'search> Path<'search> {
    /// Whether there is a path, and if not why.
    pub fn outcome(&self) -> Outcome {
        self.path.outcome
    }

    /// In the metric of the map; none where there is no path.
    pub fn cost(&self) -> Option<Cost> {
        cost_of(self.path.cost)
    }

    /// Straight steps, and diagonal ones times the root of 2; 0 where there is no path.
    pub fn length(&self) -> f64 {
        self.path.length
    }

    /// From start to goal.
    pub fn nodes(&self) -> &'search [Node] {
        unsafe { slice(self.path.nodes, self.path.node_count) }
    }

    /// Start, every cell where the direction changes, goal.
    pub fn corners(&self) -> &'search [Node] {
        unsafe { slice(self.path.corners, self.path.corner_count) }
    }

    /// How many nodes were expanded.
    pub fn expanded(&self) -> u64 {
        self.path.expanded
    }

    /// Of several goals the place of this one in their list.
    pub fn which(&self) -> usize {
        self.path.which
    }

    /// Everything else that C says of the path.
    pub fn as_ffi(&self) -> &cairn_path {
        &self.path
    }
}

/// A search for one map and its table, which are given to it again with every query. It belongs to
/// one thread at a time, and keeps the memory of both until it is dropped.
pub struct Search {
    search: NonNull<cairn_search>,
    map: Arc<MapOwner>,
    table: Option<Arc<TableOwner>>,
    last: cairn_path,
}

unsafe impl Send for Search {}

impl fmt::Debug for Search {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "Search(last path: {:?})", self.last.outcome)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        unsafe { cairn_search_free(self.search.as_ptr()) }
    }
}

impl Search {
    /// A search over a map, with its table or `None`.
    pub fn new<'a>(
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        options: &SearchOptions,
    ) -> Result<Search, Error> {
        let table = table.into().map(|table| table.0.clone());
        let rows = table.as_ref().map_or(ptr::null_mut(), |table| table.0.as_ptr());
        let given = cairn_search_options {
            space: options.space,
            form: options.form,
            heuristic: options.heuristic,
            weight: options.weight,
            ties: options.ties,
            nearest: options.nearest,
            never_reopen: options.never_reopen,
            ..Default::default()
        };
        let mut search = ptr::null_mut();
        let status = unsafe { cairn_search_new(map.as_ptr(), rows, &given, &mut search) };
        let search = made(status, search, &cairn_error::default())?;
        Ok(Search { search, map: map.0.clone(), table, last: cairn_path::default() })
    }

    /// For calls of [`ffi`]. Whoever runs the search by it answers for map and table.
    pub fn as_ptr(&self) -> *mut cairn_search {
        self.search.as_ptr()
    }

    /// Whether these are what the search was made for, which it reads.
    fn is_of(&self, map: &Map, table: Option<&Table>) -> bool {
        let is_same = match (&self.table, table) {
            (Some(own), Some(given)) => Arc::ptr_eq(own, &given.0),
            (own, given) => own.is_none() && given.is_none(),
        };
        is_same && Arc::ptr_eq(&self.map, &map.0)
    }

    fn find(
        &mut self,
        map: &Map,
        table: Option<&Table>,
        call: impl FnOnce(*mut cairn_search, *mut cairn_path) -> Status,
    ) -> Result<Path<'_>, Error> {
        if !self.is_of(map, table) {
            return Err(Status::E_ARGUMENT.into());
        }
        let mut path = self.last;
        check(call(self.search.as_ptr(), &mut path))?;
        self.last = path;
        Ok(Path { path, search: PhantomData })
    }

    /// A shortest path. A blocked start or goal is an outcome; [`Status::E_ARGUMENT`] is for nodes
    /// that are not on the map, and for another map or table than those that the search was made
    /// for.
    pub fn run<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        start: Node,
        goal: Node,
    ) -> Result<Path<'_>, Error> {
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_run(search, start, goal, path)
        })
    }

    /// A shortest path to the nearest of several goals: [`Path::which`] says to which.
    pub fn run_to_any<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        start: Node,
        goals: &[Node],
    ) -> Result<Path<'_>, Error> {
        let (nodes, count) = (goals.as_ptr(), goals.len());
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_run_to_any(search, start, nodes, count, path)
        })
    }

    /// A shortest path from the nearest of several starts: [`Path::which`] says from which.
    pub fn run_from_any<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        starts: &[Node],
        goal: Node,
    ) -> Result<Path<'_>, Error> {
        let (nodes, count) = (starts.as_ptr(), starts.len());
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_run_from_any(search, nodes, count, goal, path)
        })
    }

    /// A query in slices: the path of [`Outcome::PAUSED`] until [`Search::resume`] or
    /// [`Search::resume_for`] has ended it. The table may be refreshed meanwhile.
    pub fn begin<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        start: Node,
        goal: Node,
    ) -> Result<Path<'_>, Error> {
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_begin(search, start, goal, path)
        })
    }

    /// [`Search::run_to_any`] in slices, as [`Search::begin`].
    pub fn begin_to_any<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        start: Node,
        goals: &[Node],
    ) -> Result<Path<'_>, Error> {
        let (nodes, count) = (goals.as_ptr(), goals.len());
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_begin_to_any(search, start, nodes, count, path)
        })
    }

    /// [`Search::run_from_any`] in slices, as [`Search::begin`].
    pub fn begin_from_any<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        starts: &[Node],
        goal: Node,
    ) -> Result<Path<'_>, Error> {
        let (nodes, count) = (starts.as_ptr(), starts.len());
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_begin_from_any(search, nodes, count, goal, path)
        })
    }

    /// Goes on for at most so many expansions. [`Status::E_CHANGED`] after an edit of the map, and
    /// after a refresh of a table of corners: the query has to begin again.
    pub fn resume<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        expansions: u64,
    ) -> Result<Path<'_>, Error> {
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_resume(search, expansions, path)
        })
    }

    /// The same for about so many microseconds.
    pub fn resume_for<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
        microseconds: u64,
    ) -> Result<Path<'_>, Error> {
        self.find(map, table.into(), |search, path| unsafe {
            cairn_search_resume_for(search, microseconds, path)
        })
    }

    /// The path of the last run with all its cells, of a search whose form is [`Form::CORNERS`].
    pub fn cells<'a>(
        &mut self,
        map: &Map,
        table: impl Into<Option<&'a Table>>,
    ) -> Result<Path<'_>, Error> {
        self.find(map, table.into(), |search, path| unsafe { cairn_search_cells(search, path) })
    }

    /// The next runs do not enter these nodes; an empty list ends that.
    pub fn avoid(&mut self, map: &Map, nodes: &[Node]) -> Result<(), Error> {
        if !Arc::ptr_eq(&self.map, &map.0) {
            return Err(Status::E_ARGUMENT.into());
        }
        let (listed, count) = (nodes.as_ptr(), nodes.len());
        check(unsafe { cairn_search_avoid(self.search.as_ptr(), listed, ptr::null(), count) })
    }
}
