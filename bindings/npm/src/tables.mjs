// Tables of landmarks.
import * as D from './declarations.mjs';
import {STATUS, whole, uint32} from './values.mjs';
import {MADE, fix, Owned} from './owned.mjs';
import {metricOf, progressOf, budgetOf} from './structs.mjs';
import {withPath} from './paths.mjs';
import {newSearch, searchAll, distances} from './searches.mjs';
import {newBound} from './bounds.mjs';

export class Table extends Owned {
    constructor(made, map, pointer) {
        super(made, map.library, pointer, 'cairn_table_free', [map]);
        fix(this, {map});
    }

    get rowCount() { return this.library.call('cairn_table_row_count', this.pointer); }
    get entryBits() { return this.library.call('cairn_table_entry_bits', this.pointer); }
    get countsSteps() { return this.library.call('cairn_table_counts_steps', this.pointer) !== 0; }
    get memory() { return this.library.call('cairn_table_memory', this.pointer) >>> 0; }
    get version() { return Number(this.library.call('cairn_table_version', this.pointer)); }
    get metric() { return metricOf(this.library, 'cairn_table_metric', this.pointer); }

    get mapHash() {
        return BigInt.asUintN(64, this.library.call('cairn_table_map_hash', this.pointer));
    }

    get resident() {
        return D.ENUMS.cairn_resident[this.library.call('cairn_table_resident', this.pointer)];
    }

    row(row) {
        if (whole(row, this.rowCount - 1, 'row') >= this.rowCount)
            throw new RangeError(`there is no row ${row}`);
        return row;
    }

    holds(node) {
        return this.library.call('cairn_table_holds', this.pointer, this.map.node(node)) !== 0;
    }

    direction(row) {
        const direction = this.library.call('cairn_table_direction', this.pointer, this.row(row));
        return D.ENUMS.cairn_direction[direction];
    }

    landmarks(row) {
        const {library} = this;
        return library.within(() => {
            const at = library.take(4);
            const count = library.call('cairn_table_landmarks', this.pointer, this.row(row), at);
            return library.numbers(library.memory().view.getUint32(at, true), count);
        });
    }

    cost(row, node) {
        return this.library.call('cairn_table_cost', this.pointer, this.row(row),
            this.map.node(node)) >>> 0;
    }

    // The costs of a row for all nodes, as Uint32Array.
    costs(row) {
        const {library: {exports}, pointer} = this;
        const [at, costs] = [this.row(row), new Uint32Array(this.map.nodeCount)];
        for (let node = 0; node < costs.length; node++)
            costs[node] = exports.cairn_table_cost(pointer, at, node);
        return costs;
    }

    setCost(row, node, cost) {
        this.library.check(this.library.change('cairn_table_set_cost', this.pointer, this.row(row),
            this.map.node(node), uint32(cost, 'cost')));
    }

    rowState(row) {
        return D.ENUMS.cairn_row_state[this.library.call('cairn_table_row_state', this.pointer,
            this.map.pointer, this.row(row))];
    }

    clone() {
        const [made] = this.library.make('cairn_table_clone', [this.pointer], 1, false);
        return new Table(MADE, this.map, made);
    }

    // null where every entry is exact, else {row, node, stored, possible}.
    verify() {
        const {library} = this;
        return library.within(() => {
            const fault = library.take(D.STRUCTS.cairn_fault.size);
            const status = library.call('cairn_table_verify', this.pointer, this.map.pointer, 1,
                fault);
            if (status === STATUS['e-inexact'])
                return library.read(fault, 'cairn_fault');
            library.check(status);
            return null;
        });
    }

    // Repairs rows; false while there is more to do. Without a budget everything.
    refresh(budget) {
        const {library} = this;
        return library.check(library.change('cairn_refresh_step', this.pointer, this.map.pointer,
            budgetOf(budget))) === STATUS.ok;
    }

    // To be called after every search that used the table, with its path.
    refreshAsItPays(path) {
        const {library} = this;
        return withPath(library, path, struct => library.check(library.change(
            'cairn_refresh_as_it_pays', this.pointer, this.map.pointer, struct)) === STATUS.ok);
    }

    rebuild() {
        this.library.check(this.library.change('cairn_table_rebuild', this.pointer,
            this.map.pointer));
    }

    get refreshCounts() {
        const {library} = this;
        return library.within(() => {
            const address = library.take(D.STRUCTS.cairn_refresh_counts.size);
            library.call('cairn_table_refresh_counts', address, this.pointer);
            return library.read(address, 'cairn_refresh_counts');
        });
    }

    // The bytes of a table file, as Uint8Array.
    toBytes({progress, ...options} = {}) {
        const {library} = this;
        return library.within(() => {
            const [report, done] = progressOf(library, progress);
            try {
                const [at, size] = library.make('cairn_save_bytes', [this.map.pointer, this.pointer,
                    library.struct('cairn_save_options', options, {progress: report})], 2, false);
                const bytes = library.memory().u8.slice(at, at + size);
                library.call('cairn_bytes_free', this.map.pointer, at);
                return bytes;
            } finally {
                done();
            }
        });
    }

    search(options = {}) { return newSearch(this.map, this, options); }
    searchAll(pairs, options = {}) { return searchAll(this.map, this, pairs, options); }
    distances(sources, targets) { return distances(this.map, this, sources, targets); }
    bound(goal, heuristic = 'best') { return newBound(this.map, this, goal, heuristic); }
}
