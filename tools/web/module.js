// The library in the page: numbers and arrays in place of addresses. Shares nothing with the page,
// so that tests run it without one.
'use strict';

const KIND = {BASE: 0, LANDMARKS: 1};
const OUTCOME = {FOUND: 0, NONE: 1, START_BLOCKED: 2, GOAL_BLOCKED: 3, NEAREST: 4, PAUSED: 5};
const STATUS = {OK: 0, MORE: 10};
const UNREACHABLE = 0xffffffff;
const NO_NODE = 0xffffffff;

// The little that the module asks of its host: no environment, and a clock.
function hostOf(memoryOf) {
    const view = () => new DataView(memoryOf());
    return {
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return 0;
        },
        environ_get: () => 0,
        clock_time_get(clock, precision, time) {
            view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        },
        proc_exit(status) {
            throw new Error(`the module ended with status ${status}`);
        },
    };
}

class Cairn {
    static async load(bytes) {
        let exports = null;
        const host = hostOf(() => exports.memory.buffer);
        const made = await WebAssembly.instantiate(bytes, {wasi_snapshot_preview1: host});
        exports = made.instance.exports;
        exports._initialize();
        return new Cairn(exports);
    }

    constructor(exports) {
        this.exports = exports;
    }

    // A view, valid until the next call.
    array(Type, address, count) {
        return new Type(this.exports.memory.buffer, address, count);
    }

    text(address) {
        const bytes = new Uint8Array(this.exports.memory.buffer, address);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    // Throws where the library refuses; MORE is no failure.
    check(status) {
        if (status !== STATUS.OK && status !== STATUS.MORE)
            throw new Error(this.text(this.exports.status_text(status)));
        return status;
    }

    hand(bytes) {
        const address = this.exports.room(Math.max(bytes.length, 1));
        if (address === 0)
            throw new Error('out of memory');
        this.array(Uint8Array, address, bytes.length).set(bytes);
    }

    // `map` is the text of a .map file, as bytes; `terrain` says what letters cost ('F=3').
    openMap(map, terrain, rule) {
        const costs = new TextEncoder().encode(terrain);
        const both = new Uint8Array(map.length + costs.length);
        both.set(map);
        both.set(costs, map.length);
        this.hand(both);
        const status = this.exports.open_map(map.length, costs.length, rule);
        if (status !== STATUS.OK)
            throw new Error(this.whyNot(status));
        this.width = this.exports.width();
        this.height = this.exports.height();
        this.count = this.width * this.height;
    }

    whyNot(status) {
        const line = this.exports.error_line();
        const expected = this.text(this.exports.error_expected());
        const found = this.text(this.exports.error_found());
        if (!expected)
            return this.text(this.exports.status_text(status));
        const where = line ? `line ${line}: ` : '';
        return `${where}expected ${expected}${found ? `, found ${found}` : ''}`;
    }

    letters() {
        return this.array(Uint8Array, this.exports.letters(), this.count);
    }

    // A table of so many rows; `listed` nodes are the first landmarks.
    build(rows, listed = []) {
        this.hand(new Uint8Array(Uint32Array.from(listed).buffer));
        this.check(this.exports.build(rows, listed.length));
    }

    rowCount() {
        return this.exports.row_count();
    }

    landmarks(row) {
        const count = this.exports.landmark_count(row);
        return this.array(Uint32Array, this.exports.landmarks(row), count);
    }

    rowState(row) {
        return this.exports.row_state(row);
    }

    rowCosts(row) {
        return this.array(Uint32Array, this.exports.row_costs(row), this.count);
    }

    rowCost(row, node) {
        return this.exports.row_cost(row, node) >>> 0;
    }

    // Of every node, towards the goal; null where there is none.
    costsTo(goal) {
        return this.costs(this.exports.exact_costs(goal));
    }

    bounds(kind, goal) {
        return this.costs(this.exports.bounds(kind, goal));
    }

    costs(address) {
        return address === 0 ? null : this.array(Uint32Array, address, this.count);
    }

    // What a straight step over ordinary terrain costs.
    straight() {
        return this.exports.straight_cost();
    }

    edit(x, y, width, height, letter) {
        this.check(this.exports.edit(x, y, width, height, letter.charCodeAt(0)));
    }

    // Whether there is more to do.
    refresh(cells) {
        return this.check(this.exports.refresh(cells)) === STATUS.MORE;
    }

    refreshedCells() {
        return this.exports.refreshed_cells();
    }

    choose(heuristic, weight, ties) {
        this.exports.choose(heuristic, weight, ties);
    }

    isAdmissible() {
        return this.exports.is_admissible() !== 0;
    }

    begin(kind, start, goal) {
        this.check(this.exports.begin(kind, start, goal));
    }

    resume(kind, expansions) {
        this.check(this.exports.resume(kind, expansions));
    }

    report(kind) {
        const [outcome, cost, length, expanded, cells, rows, rowState] =
            this.array(Float64Array, this.exports.report(kind), 7);
        return {outcome, cost, length, expanded, cells, rows, rowState};
    }

    pathCells(kind) {
        const {cells} = this.report(kind);
        return cells ? this.array(Uint32Array, this.exports.path_cells(kind), cells).slice() : [];
    }

    states(kind) {
        return this.array(Uint8Array, this.exports.states(kind), this.count);
    }

    look(kind, node) {
        const [state, parent, g, h, f] = this.array(Float64Array, this.exports.look(kind, node), 5);
        return {state, parent, g, h, f};
    }

    // Whether there is a flow field to the target, for flowNext.
    flow(target) {
        return this.exports.flow(target) === STATUS.OK;
    }

    // The next node of a unit; null where the field ends.
    flowNext(node) {
        const next = this.exports.flow_next(node) >>> 0;
        return next === NO_NODE ? null : next;
    }

    // How many nodes the library's default search expands.
    runFast(kind, start, goal, times = 1) {
        return this.exports.run_fast(kind, start, goal, times);
    }

    // Microseconds that it takes, over at least so many milliseconds by a clock that goes on.
    timeOf(kind, start, goal, milliseconds) {
        let times = 1, took = 0;
        while (took < milliseconds && times < 1e6) {
            times *= 4;
            const began = performance.now();
            this.runFast(kind, start, goal, times);
            took = performance.now() - began;
        }
        return took / times * 1000;
    }
}

if (typeof module !== 'undefined')
    module.exports = {Cairn, KIND, OUTCOME, STATUS, UNREACHABLE, NO_NODE};
