// What the page has of the library: one map, one table of it, and two searches over both, the first
// by the base heuristic alone, the second with the table's rows. All by the npm package, which its
// caller gives it; shares nothing with the page, so that tests run it without one.
'use strict';

const KIND = {BASE: 0, LANDMARKS: 1};
const KIND_COUNT = 2;
const WARMED_FOR = 20; // milliseconds
const ROUNDS = 5;      // of searches that are timed

const cellsOfAll = (count) => Uint32Array.from({length: count}, (_, node) => node);

// What a call gives; null where the library refuses it, as for a goal that is blocked.
function orNull(call) {
    try {
        return call();
    } catch (error) {
        if (error.status === undefined)
            throw error;
        return null;
    }
}

class Model {
    // `library` is what the package's load() gives.
    constructor(library) {
        this.library = library;
        this.map = this.table = this.flood = null;
        this.field = null;      // a Flow of the package
        this.target = null;     // of the field
        this.searches = [];
        this.options = {};
    }

    // `text` is that of a .map file, as bytes; `terrain` says what letters cost ('F=3'), without it
    // the map is uniform and takes the fast engines. What was open stays where it is refused.
    openMap(text, terrain, rule) {
        const map = this.library.parseMap(text, {rule, charge: 'average',
            ...(terrain ? {terrain} : {})});
        if (map.kind !== 'grid') {
            map.dispose();
            throw new Error('expected a grid, found roads');
        }
        this.closeTable();
        this.closeField();
        [this.flood, this.map].forEach((owned) => owned?.dispose());
        this.map = map;
        this.flood = null;
        this.width = map.width;
        this.height = map.height;
        this.count = map.nodeCount;
        this.nodes = cellsOfAll(this.count);
    }

    letters() {
        return this.map.letters();
    }

    edit(x, y, width, height, letter) {
        this.map.edit({x, y, width, height, letter});
    }

    // What a straight step over ordinary terrain costs.
    straight() {
        return this.map.metric.straight * this.map.unit;
    }

    // --------------------------------------------------------------------------------- table --

    closeTable() {
        this.closeSearches();
        this.table?.dispose();
        this.table = null;
    }

    // A table of so many rows, or none for 0; `listed` nodes are the first landmarks.
    build(rows, listed = []) {
        this.closeTable();
        const nodes = Uint32Array.from(listed);   // an array of two numbers would be one cell
        if (rows > 0)
            this.table = this.map.build({landmarkCount: rows,
                ...(nodes.length ? {placement: 'list', listed: nodes} : {})});
    }

    rowCount() {
        return this.table ? this.table.rowCount : 0;
    }

    landmarks(row) {
        return this.table.landmarks(row);
    }

    rowState(row) {
        return this.table.rowState(row);
    }

    rowCosts(row) {
        return this.table.costs(row);
    }

    rowCost(row, node) {
        return this.table.cost(row, node);
    }

    // Whether there is more to do.
    refresh(cells) {
        return this.table !== null && !this.table.refresh({cells});
    }

    // Over the life of the table.
    refreshedCells() {
        return this.table ? this.table.refreshCounts.cells : 0;
    }

    // The costs of all nodes to the goal; null where there are none.
    costsTo(goal) {
        return orNull(() => this.map.costsTo(goal));
    }

    // The bounds of all nodes that one kind of search has.
    bounds(kind, goal) {
        const bound = this.rowsOf(kind).bound(goal, this.options.heuristic);
        const bounds = bound.ofNodes(this.nodes);
        bound.dispose();
        return bounds;
    }

    boundAt(kind, goal, node) {
        const bound = this.rowsOf(kind).bound(goal, this.options.heuristic);
        const cost = bound.at(node);
        bound.dispose();
        return cost;
    }

    rowsOf(kind) {
        return kind === KIND.LANDMARKS && this.table || this.map;
    }

    // ------------------------------------------------------------------------------ searches --

    // What searches do from now on: words of the package, and thousandths.
    choose(heuristic, weight, ties) {
        this.options = {heuristic, weight, ties};
        this.closeSearches();
    }

    closeSearches() {
        for (const {stepped, fast} of this.searches) {
            stepped.dispose();
            fast.dispose();
        }
        this.searches = [];
    }

    // Along cells, whose nodes can be examined, and the library's default.
    searchesOf(kind) {
        if (this.searches.length === 0)
            this.searches = Array.from({length: KIND_COUNT}, (_, each) => ({
                stepped: this.rowsOf(each).search({...this.options, space: 'cells'}),
                fast: this.rowsOf(each).search({form: 'corners'}),
            }));
        return this.searches[kind];
    }

    isAdmissible() {
        return this.map.isAdmissible(this.options.heuristic);
    }

    begin(kind, start, goal) {
        const searches = this.searchesOf(kind);
        searches.path = searches.stepped.begin(start, goal);
    }

    resume(kind, expansions) {
        const searches = this.searchesOf(kind);
        if (searches.path.outcome === 'paused')
            searches.path = searches.stepped.resume(expansions);
    }

    // The package's Path, as far as it has come.
    report(kind) {
        return this.searchesOf(kind).path;
    }

    pathCells(kind) {
        return this.report(kind).nodes;
    }

    // 0 unseen, 1 open, 2 closed, for all nodes.
    states(kind) {
        return this.searchesOf(kind).stepped.states();
    }

    look(kind, node) {
        return this.searchesOf(kind).stepped.nodeInfo(node);
    }

    // How many nodes the library's default search expands.
    runFast(kind, start, goal) {
        return this.searchesOf(kind).fast.run(start, goal).expanded;
    }

    // Microseconds that it takes: the least of some rounds, each of at least so many milliseconds
    // by a clock that goes on. At first the browser still compiles what is called.
    timeOf(kind, start, goal, milliseconds) {
        this.warm ??= new Set();
        if (!this.warm.has(kind)) {
            this.warm.add(kind);
            this.roundsFor(kind, start, goal, WARMED_FOR);
        }
        let [times, least] = this.roundsFor(kind, start, goal, milliseconds);
        for (let round = 1; round < ROUNDS; round++)
            least = Math.min(least, this.roundOf(kind, start, goal, times));
        return least / times * 1000;
    }

    // How many runs take so long, and how long they took.
    roundsFor(kind, start, goal, milliseconds) {
        let times = 1, took = 0;
        while (took < milliseconds && times < 1e6) {
            times *= 2;
            took = this.roundOf(kind, start, goal, times);
        }
        return [times, took];
    }

    roundOf(kind, start, goal, times) {
        const began = performance.now();
        for (let i = 0; i < times; i++)
            this.runFast(kind, start, goal);
        return performance.now() - began;
    }

    // --------------------------------------------------------------------------------- crowd --

    closeField() {
        this.field?.dispose();
        this.field = null;
    }

    // Whether there is a flow field to the target, for flowNext. One that is there follows edits.
    flow(target) {
        this.flood ??= this.map.flood();
        if (this.target !== target)
            this.closeField();
        this.target = target;
        return orNull(() => this.follow(target)) !== null;
    }

    follow(target) {
        if (this.field)
            this.field.repair();
        else
            this.field = this.flood.follow(target);
        return this.field;
    }

    // The next node of a unit; null where the field ends.
    flowNext(node) {
        return this.field && this.field.next(node);
    }
}

if (typeof module !== 'undefined')
    module.exports = {Model, KIND};
