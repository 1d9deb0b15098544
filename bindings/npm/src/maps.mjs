// Grids and graphs.
import * as D from './declarations.mjs';
import {NO_NODE, CairnError, whole, uint32, signed, textBytes, noOthers, enumValue} from
    './values.mjs';
import {MADE, fix, Owned, pointerOf} from './owned.mjs';
import {metricOf, queryBytes, progressOf} from './structs.mjs';
import {editMap, editBy} from './edits.mjs';
import {pullBy} from './paths.mjs';
import {newSearch, searchAll, distances} from './searches.mjs';
import {newBound} from './bounds.mjs';
import {Flood} from './floods.mjs';
import {Table} from './tables.mjs';

export class GridMap extends Owned {
    constructor(made, library, pointer, callbacks = 0, parents = []) {
        super(made, library, pointer, 'cairn_map_free', parents, callbacks);
        const {exports} = library;
        fix(this, {
            width: exports.cairn_map_width(pointer),
            height: exports.cairn_map_height(pointer),
            nodeCount: exports.cairn_map_node_count(pointer),
            kind: D.ENUMS.cairn_map_kind[exports.cairn_map_kind_of(pointer)],
        });
    }

    get openCount() { return this.library.call('cairn_map_open_count', this.pointer); }
    get arcCount() { return this.library.call('cairn_map_arc_count', this.pointer); }
    get unit() { return this.library.call('cairn_map_unit', this.pointer); }
    get isDirected() { return this.library.call('cairn_map_is_directed', this.pointer) !== 0; }
    get memory() { return this.library.call('cairn_map_memory', this.pointer) >>> 0; }
    get version() { return Number(this.library.call('cairn_map_version', this.pointer)); }
    get hash() { return BigInt.asUintN(64, this.library.call('cairn_map_hash', this.pointer)); }
    get rule() { return D.ENUMS.cairn_rule[this.library.call('cairn_map_rule', this.pointer)]; }
    get metric() { return metricOf(this.library, 'cairn_map_metric', this.pointer); }

    set metric(metric) {
        const {library} = this;
        const pointer = this.pointer;
        library.within(() => {
            // A struct of two numbers goes by its address.
            const address = library.struct('cairn_metric', metric);
            library.check(library.change('cairn_map_set_metric', pointer, address));
        });
    }

    // A node: a number, or the column and the row of a cell.
    node(place) {
        if (typeof place === 'number') {
            if (place >= 0 && place < this.nodeCount && Number.isInteger(place))
                return place;
        } else if (Array.isArray(place) && place.length === 2) {
            const [x, y] = place;
            if (Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < this.width &&
                y < this.height)
                return y * this.width + x;
        } else {
            throw new TypeError('expected a node: a number, or a column and a row');
        }
        throw new RangeError(`there is no node ${place}`);
    }

    // One place or several; a pair of numbers is one cell.
    nodes(places) {
        const isCell = this.kind === 'grid' && Array.isArray(places) && places.length === 2 &&
            typeof places[0] === 'number';
        return this.nodesOf(isCell ? [places] : places);
    }

    // Of a list: numbers are nodes, also where there are two of them.
    nodesOf(places) {
        if (places instanceof Uint32Array && places.every(node => node < this.nodeCount))
            return places.slice();
        return Uint32Array.from(typeof places === 'number' ? [places] : places,
            place => this.node(place));
    }

    nodeAt(x, y) {
        const pointer = this.pointer;
        const node = this.library.call('cairn_node_at', pointer, uint32(x, 'x'),
            uint32(y, 'y')) >>> 0;
        return node === NO_NODE ? null : node;
    }

    nodeAtAxial(q, r) {
        const node = this.library.call('cairn_node_at_axial', this.pointer, signed(q, 'q'),
            signed(r, 'r')) >>> 0;
        return node === NO_NODE ? null : node;
    }

    // Two numbers that a call writes; null where it says that there are none.
    pairOf(name, node, type) {
        const {library} = this;
        return library.within(() => {
            const [a, b] = [library.take(4), library.take(4)];
            const is = library.call(name, this.pointer, this.node(node), a, b);
            return is ? [library.member(a, type), library.member(b, type)] : null;
        });
    }

    xy(node) { return this.pairOf('cairn_node_xy', node, 'uint32_t'); }
    axial(node) { return this.pairOf('cairn_node_axial', node, 'int32_t'); }
    place(node) { return this.pairOf('cairn_node_place', node, 'int32_t'); }

    // Climb and descend of a grid with heights, and a copy of them; null where it is level.
    get heights() {
        const {library} = this;
        return library.within(() => {
            const address = library.take(D.STRUCTS.cairn_heights.size);
            if (!library.call('cairn_map_heights', this.pointer, address))
                return null;
            const {climb, descend} = library.read(address, 'cairn_heights');
            const cells = library.memory().view.getUint32(
                address + D.STRUCTS.cairn_heights.members.cells[1], true);
            const copy = new Uint16Array(library.buffer.slice(cells, cells + 2 * this.nodeCount));
            return {cells: copy, climb, descend};
        });
    }

    letter(node) {
        return String.fromCharCode(this.library.call('cairn_map_letter', this.pointer,
            this.node(node)) & 0xff);
    }

    // The letters of all cells, as Uint8Array of their codes.
    letters() {
        const {library} = this;
        return library.withBytes([new Uint8Array(this.nodeCount)], codes => {
            library.check(library.call('cairn_map_letters', this.pointer, codes));
            return new Uint8Array(library.memory().buffer.slice(codes, codes + this.nodeCount));
        });
    }

    isOpen(node) {
        return this.library.call('cairn_map_is_open', this.pointer, this.node(node)) !== 0;
    }

    connected(a, b) {
        return this.library.call('cairn_connected', this.pointer, this.node(a), this.node(b)) !== 0;
    }

    stepsBy(name, node) {
        const {library} = this;
        const count = library.call(name, this.pointer, this.node(node), 0, 0);
        return library.withBytes([new Uint8Array(12 * count)], room => {
            library.call(name, this.pointer, this.node(node), room, count);
            const flat = library.numbers(room, 3 * count);
            return Array.from({length: count}, (_, index) => {
                const [from, to, cost] = flat.subarray(3 * index);
                return {from, to, cost};
            });
        });
    }

    // The steps that leave a node, and those that lead to it, as {from, to, cost}.
    steps(node) { return this.stepsBy('cairn_steps', node); }
    stepsTo(node) { return this.stepsBy('cairn_steps_to', node); }

    // Whether the straight line between the centres of two cells is free.
    sight(a, b) {
        return this.library.call('cairn_sight', this.pointer, this.node(a), this.node(b)) !== 0;
    }

    // Cells that straight lines at any angle join, along a path of this map: {waypoints, length}.
    pull(path) { return pullBy(this.library, 'cairn_path_pull', this.pointer, path); }

    // What a path costs on the map as it is now, by its nodes or its corners: {cost, broken}. Where
    // a step is no longer legal the cost is null, and `broken` the place in the list of the first
    // node that is not reached.
    pathCost(places) {
        const {library} = this;
        const nodes = this.nodesOf(places);
        return library.withBytes([new Uint8Array(nodes.buffer)], list => {
            const [cost, broken] = library.make('cairn_path_cost',
                [this.pointer, list, nodes.length], 2, false);
            return broken < nodes.length ? {cost: null, broken} : {cost, broken: null};
        });
    }

    length(cost) { return this.library.call('cairn_length', this.pointer, uint32(cost, 'cost')); }

    clone() {
        const {library} = this;
        return new GridMap(MADE, library,
            library.make('cairn_map_clone', [this.pointer], 1, false)[0]);
    }

    // The map for units of size x size cells, which follows the edits of this one and keeps it. It
    // cannot be edited by itself; a clone of it can.
    forUnits(size, anchor = 'top-left') {
        const {library, pointer} = this;
        library.mayChange();
        const [made] = library.make('cairn_map_for_units', [pointer, uint32(size, 'size'),
            enumValue('cairn_anchor', anchor, 'anchor')], 1, false);
        return new GridMap(MADE, library, made, 0, [this]);
    }

    // The size of the units that the map is for; 1 for other maps.
    get unitSize() { return this.library.call('cairn_map_unit_size', this.pointer); }

    // The cells of the unit that stands at a node; empty where it would reach beyond the map.
    unitCells(anchor) {
        const {library} = this;
        const [node, room] = [this.node(anchor), this.unitSize ** 2];
        return library.withBytes([new Uint8Array(4 * room)], cells =>
            library.numbers(cells,
                library.call('cairn_unit_cells', this.pointer, node, cells, room)));
    }

    // The nodes at which a unit would share a cell with the one that stands at node `at` of
    // `others`, a map of the same cells for units of any size: what a search has to avoid for that
    // unit.
    unitAnchors(others, at) {
        const {library} = this;
        const [other, node] = [pointerOf(others, GridMap, library), this.node(at)];
        const room = (this.unitSize + others.unitSize - 1) ** 2;
        return library.withBytes([new Uint8Array(4 * room)], anchors => library.numbers(anchors,
            library.call('cairn_unit_anchors', this.pointer, other, node, anchors, room)));
    }

    // For every node the number of its component, NO_COMPONENT for a blocked cell, as `numbers`,
    // and how many there are as `count`; number 0 is the largest. Strongly connected ones differ on
    // maps with one-way cells or arcs.
    components({strongly = false, ...others} = {}) {
        const {library} = this;
        noOthers(others, 'components');
        const bytes = new Uint8Array(4 * (this.nodeCount + 1));
        return library.withBytes([bytes], numbers => {
            const last = numbers + 4 * this.nodeCount;
            library.check(library.call('cairn_map_components', this.pointer, strongly ? 1 : 0,
                numbers, last));
            const {buffer} = library.memory();
            return {numbers: new Uint32Array(buffer.slice(numbers, last)),
                count: new Uint32Array(buffer.slice(last, last + 4))[0]};
        });
    }

    // For every cell the size of the largest unit that can stand there, as Uint16Array.
    clearance(anchor = 'top-left') {
        const {library} = this;
        const kind = enumValue('cairn_anchor', anchor, 'anchor');
        return library.withBytes([new Uint8Array(2 * this.nodeCount)], sizes => {
            library.check(library.call('cairn_clearance', this.pointer, kind, sizes));
            return new Uint16Array(
                library.memory().buffer.slice(sizes, sizes + 2 * this.nodeCount));
        });
    }

    // The open cell nearest to a place, at most so many steps away and, where another node is
    // given, connected with it; null where there is none.
    nearestOpen(place, steps, connectedWith) {
        const end = connectedWith === undefined || connectedWith === null ? NO_NODE
            : this.node(connectedWith);
        const node = this.library.call('cairn_nearest_open', this.pointer, this.node(place),
            uint32(steps, 'steps'), end) >>> 0;
        return node === NO_NODE ? null : node;
    }

    // One edit or a list of them: {x, y, width, height, letter}, {x, y, width, height, bits},
    // {x, y, width, height, letters} or {from, to, cost}; a text is a list in the form of files.
    edit(edits, ...more) { editBy(this, editMap, edits, more); }

    costsBy(name, places) {
        const {library} = this;
        const nodes = this.nodes(places);
        return library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(4 * this.nodeCount)],
            (from, costs) => {
                library.check(library.call(name, this.pointer, from, nodes.length, costs));
                return library.numbers(costs, this.nodeCount);
            });
    }

    costsFrom(places) { return this.costsBy('cairn_costs_from', places); }
    costsTo(places) { return this.costsBy('cairn_costs_to', places); }

    flood() {
        const [pointer] = this.library.make('cairn_flood_new', [this.pointer], 1, false);
        return new Flood(MADE, this, pointer);
    }

    // Where a flow field leads from a node; null: nowhere.
    flowNext(flow, node) {
        if (!(flow instanceof Uint8Array) || flow.length !== this.nodeCount)
            throw new TypeError(`expected a Uint8Array of ${this.nodeCount} entries`);
        const {library} = this;
        const at = this.node(node);
        // The library reads the entry of that node alone.
        return library.withBytes([flow.subarray(at, at + 1)], entry => {
            const next = library.call('cairn_flow_next', this.pointer, entry - at, at) >>> 0;
            return next === NO_NODE ? null : next;
        });
    }

    // A table of landmarks. Options are those of cairn_build_options; `listed` are the landmarks of
    // the placement 'list', `pairs` queries, `progress` is a function.
    build({listed, pairs, progress, ...options} = {}) {
        const {library} = this;
        const nodes = listed === undefined ? new Uint32Array() : this.nodesOf(listed);
        const asked = [...(pairs || [])];
        const pointer = this.pointer;
        NOT_FOR_TABLES.filter(name => name in options).forEach(name => {
            throw new TypeError(`build_options: there is no ${name}`);
        });
        return library.within(() => library.withBytes(
            [new Uint8Array(nodes.buffer), queryBytes(this, asked)], (places, queries) => {
                const [report, done] = progressOf(library, progress);
                try {
                    const address = library.struct('cairn_build_options', {...options,
                        listedCount: nodes.length, pairCount: asked.length}, {
                        listed: nodes.length ? places : 0, pairs: asked.length ? queries : 0,
                        progress: report});
                    checkLandmarks(this, options);
                    if (options.metric === 'compact')
                        library.mayChange();
                    const made = library.make('cairn_table_build', [pointer, address], 1, false);
                    return new Table(MADE, this, made[0]);
                } finally {
                    done();
                }
            }));
    }

    search(options = {}) { return newSearch(this, null, options); }
    searchAll(pairs, options = {}) { return searchAll(this, null, pairs, options); }
    distances(sources, targets) { return distances(this, null, sources, targets); }
    bound(goal, heuristic = 'best') { return newBound(this, null, goal, heuristic); }

    isAdmissible(heuristic) {
        return this.library.call('cairn_bound_is_admissible', this.pointer,
            enumValue('cairn_heuristic', heuristic, 'heuristic')) !== 0;
    }

    isConsistent(heuristic) {
        return this.library.call('cairn_bound_is_consistent', this.pointer,
            enumValue('cairn_heuristic', heuristic, 'heuristic')) !== 0;
    }

    // The queries of a .scen file, or of a .p2p file for a graph: {bucket, start, goal, length}.
    parseScenario(text) {
        const {library} = this;
        const bytes = textBytes(text, 'text');
        return library.withBytes([bytes], address => {
            const [made] = library.make('cairn_scenario_parse',
                [address, bytes.length, this.pointer]);
            const count = library.call('cairn_scenario_count', made);
            const first = library.call('cairn_scenario_queries', made) >>> 0;
            const {size} = D.STRUCTS.cairn_query;
            const queries = Array.from({length: count}, (_, index) =>
                library.read(first + size * index, 'cairn_query'));
            library.call('cairn_scenario_free', made);
            return queries;
        });
    }
}

// Counts, which follow from the arrays, and what is for builds into files.
const NOT_FOR_TABLES = ['listedCount', 'pairCount', 'part', 'partCount', 'memoryLimit'];

// Where costs depend on the direction, a set of landmarks has a row for each.
function checkLandmarks(map, {landmarkCount = 0, stepMetric}) {
    const most = map.isDirected && !stepMetric ? D.CAIRN_ROWS_MAX / 2 : D.CAIRN_ROWS_MAX;
    if (landmarkCount > most)
        throw new CairnError(`landmarkCount: expected 1 to ${most}, found ${landmarkCount}`,
            'e-limit');
}

function mapStruct(library, {terrain, heights, ...options}, work) {
    return library.within(() => {
        const letters = terrain === undefined ? new Uint8Array() : textBytes(terrain, 'terrain');
        const {cells = [], ...slope} = heights || {};
        const rises = Uint16Array.from(cells, value => whole(value, 0xffff, 'height'));
        return library.withBytes([letters, new Uint8Array(rises.buffer)], (text, levels) => {
            const pointers = {};
            if (terrain !== undefined) {
                pointers.alphabet = library.take(D.STRUCTS.cairn_alphabet.size);
                library.call('cairn_alphabet_init', pointers.alphabet);
                const error = library.take(D.STRUCTS.cairn_error.size);
                library.check(library.call('cairn_alphabet_parse', text, letters.length,
                    pointers.alphabet, error), error);
            }
            if (heights) {
                const {width, height} = slope;
                if (uint32(width, 'width') * uint32(height, 'height') !== rises.length)
                    throw new RangeError('heights: expected width * height cells');
                pointers.heights = library.struct('cairn_heights', slope, {cells: levels});
            }
            return work(library.struct('cairn_map_options', options, pointers));
        });
    });
}

export function newMap(library, name, blocks, values, options, hasError = true, number = 0) {
    return mapStruct(library, options, chosen => library.withBytes(blocks, (...addresses) =>
        new GridMap(MADE, library, library.make(name, values(addresses, chosen), 1, hasError,
            'cairn_map_free')[0], number)));
}
