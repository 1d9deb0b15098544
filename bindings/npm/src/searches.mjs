// Searches from start to goal, one or many at once.
import * as D from './declarations.mjs';
import {STATUS, CairnError, LARGEST, whole, uint32, plainObject, callable} from './values.mjs';
import {MADE, fix, Owned} from './owned.mjs';
import {queryBytes} from './structs.mjs';
import {Path, pullBy} from './paths.mjs';

export function searchStruct(library, wanted) {
    const {bound, onExpand, cancel, ...options} = plainObject(wanted, 'search options');
    callable(bound, 'bound');
    callable(onExpand, 'onExpand');
    callable(cancel, 'cancel');
    const calls = bound || onExpand || cancel;
    // Once one of them has thrown, `cancel` ends the search.
    const number = calls
        ? library.callbacks.add({bound, onExpand, cancel: cancel || (() => false)}) : 0;
    try {
        return [library.struct('cairn_search_options', options, {
            bound: bound ? library.exports.glue_bound() : 0, bound_context: number,
            on_expand: onExpand ? library.exports.glue_expand() : 0, expand_context: number,
            cancel: calls ? library.exports.glue_cancel() : 0, cancel_context: number}), number];
    } catch (error) {
        library.callbacks.functions.delete(number);
        throw error;
    }
}

export function newSearch(map, table, options) {
    const {library} = map;
    return library.within(() => {
        const [address, number] = searchStruct(library, options);
        const [made] = library.make('cairn_search_new',
            [map.pointer, table ? table.pointer : 0, address], 1, false);
        return new Search(MADE, map, table, made, number);
    });
}

export class Search extends Owned {
    // `map` is the map, or the world, that says what nodes there are.
    constructor(made, map, table, pointer, number) {
        super(made, map.library, pointer, 'cairn_search_free', table ? [map, table] : [map],
            number);
        fix(this, {map, table});
        Object.defineProperty(this, 'path', {value: map.library.allocate(
            D.STRUCTS.cairn_path.size)});
        // The path is freed with the search.
        const {free} = this.record;
        this.record.free = function () {
            this.library.exports.free(this.path);
            free.call(this);
        };
        this.record.path = this.path;
        Object.defineProperty(this, 'isRunning', {value: false, writable: true});
    }

    // One at a time: a callback of the search may not use it.
    checkIdle() {
        if (this.isRunning)
            throw new CairnError('this search is running', 'busy');
    }

    step(name, ...values) {
        const {library, pointer} = this;
        this.checkIdle();
        this.isRunning = true;
        library.depth++;
        let status;
        try {
            status = library.exports[name](pointer, ...values, this.path);
        } finally {
            this.isRunning = false;
            library.leave();
        }
        if (status !== STATUS.ok)
            library.check(status);
        return new Path(MADE, library, this.path, this.map.width);
    }

    run(start, goal) {
        return this.step('cairn_search_run', this.map.node(start), this.map.node(goal));
    }

    // To the nearest of several goals, or from the nearest of several starts: path.which says
    // which.
    runToAny(start, goals) { return this.toAny('cairn_search_run_to_any', start, goals); }

    runFromAny(starts, goal) { return this.fromAny('cairn_search_run_from_any', starts, goal); }

    // The same in slices.
    beginToAny(start, goals) { return this.toAny('cairn_search_begin_to_any', start, goals); }

    beginFromAny(starts, goal) { return this.fromAny('cairn_search_begin_from_any', starts, goal); }

    toAny(name, start, goals) {
        const from = this.map.node(start);
        const nodes = this.map.nodesOf(goals);
        return this.library.withBytes([new Uint8Array(nodes.buffer)], list =>
            this.step(name, from, list, nodes.length));
    }

    fromAny(name, starts, goal) {
        const nodes = this.map.nodesOf(starts);
        const to = this.map.node(goal);
        return this.library.withBytes([new Uint8Array(nodes.buffer)], list =>
            this.step(name, list, nodes.length, to));
    }

    // The next runs do not enter these nodes or, with as many extra costs, pay for it.
    avoid(places, extra) {
        const {library, map} = this;
        const nodes = map.nodesOf(places);
        const costs = Uint32Array.from(extra || [], cost => uint32(cost, 'extra'));
        if (extra && costs.length !== nodes.length)
            throw new RangeError('expected as many extra costs as nodes');
        library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(costs.buffer)],
            (list, more) =>
                library.check(library.change('cairn_search_avoid', this.pointer, list,
                    extra ? more : 0, nodes.length)));
    }

    // A path pulled straight as by the map, with lines that keep off the nodes that are avoided.
    pull(path) { return pullBy(this.library, 'cairn_search_pull', this.pointer, path); }

    begin(start, goal) {
        return this.step('cairn_search_begin', this.map.node(start), this.map.node(goal));
    }

    resume(expansions) {
        return this.step('cairn_search_resume', BigInt(whole(expansions, LARGEST.uint64_t,
            'expansions')));
    }

    // The same for about so many microseconds.
    resumeFor(microseconds) {
        return this.step('cairn_search_resume_for', BigInt(whole(microseconds, LARGEST.uint64_t,
            'microseconds')));
    }

    // The path of the last run with its cells, of a search whose form is 'corners'.
    cells() { return this.step('cairn_search_cells'); }

    // What the search knows of a node: {state, parent, g, h, f}.
    nodeInfo(node) {
        const {library} = this;
        return library.within(() => {
            const info = library.take(D.STRUCTS.cairn_node_info.size);
            library.check(library.call('cairn_search_node_info', this.pointer, this.map.node(node),
                info));
            return library.read(info, 'cairn_node_info');
        });
    }

    // What the search did with all nodes, as Uint8Array: 0 unseen, 1 open, 2 closed.
    states() {
        const {library, pointer} = this;
        return library.within(() => {
            const info = library.take(D.STRUCTS.cairn_node_info.size);
            const state = info + D.STRUCTS.cairn_node_info.members.state[1];
            const states = new Uint8Array(this.map.nodeCount);
            const {u8} = library.memory();
            for (let node = 0; node < states.length; node++) {
                library.exports.cairn_search_node_info(pointer, node, info);
                states[node] = u8[state];
            }
            return states;
        });
    }

    get memory() { return this.library.call('cairn_search_memory', this.pointer) >>> 0; }
}

export function searchAll(map, table, pairs, options) {
    const {library} = map;
    const list = [...pairs];
    return library.within(() => library.withBytes([queryBytes(map, list)], queries => {
        const [address, number] = searchStruct(library, options);
        try {
            const [made] = library.make('cairn_search_batch', [map.pointer,
                table ? table.pointer : 0, queries, list.length, address, 1], 1, false,
            'cairn_batch_free');
            const first = library.call('cairn_batch_paths', made) >>> 0;
            const {size} = D.STRUCTS.cairn_path;
            const paths = list.map((_, index) =>
                new Path(MADE, library, first + size * index, map.width));
            library.call('cairn_batch_free', made);
            return paths;
        } finally {
            library.callbacks.functions.delete(number);
        }
    }));
}

// The costs from every source to every target, row after row, a row for each source.
export function distances(map, table, sources, targets) {
    const {library} = map;
    const [rows, columns] = [map.nodesOf(sources), map.nodesOf(targets)];
    const count = rows.length * columns.length;
    return library.withBytes([new Uint8Array(rows.buffer), new Uint8Array(columns.buffer),
        new Uint8Array(4 * count)], (from, to, costs) => {
        library.check(library.call('cairn_distances', map.pointer, table ? table.pointer : 0,
            from, rows.length, to, columns.length, 1, costs));
        return library.numbers(costs, count);
    });
}
