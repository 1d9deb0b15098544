// The library in JavaScript: numbers, typed arrays and objects in place of addresses. Options are
// the members of the library's structs, in camelCase; enums are words. Nothing a program passes
// reaches the module unchecked.
import * as D from './declarations.mjs';
import {CairnError, uint32, signed, textBytes, noOthers, itemsOf, callable} from './values.mjs';
import {Library, Callbacks} from './library.mjs';
import {MADE, pointerOf} from './owned.mjs';
import {progressOf} from './structs.mjs';
import {Table} from './tables.mjs';
import {GridMap, newMap} from './maps.mjs';
import {World} from './worlds.mjs';
export {CairnError, UNREACHABLE, NO_NODE, NO_COMPONENT} from './values.mjs';

// What `load` gives: all that needs no object yet.
class Cairn {
    constructor(library, isVector) {
        Object.defineProperty(this, 'library', {value: library});
        this.version = library.text(library.exports.cairn_version());
        this.isVector = isVector;
    }

    // A grid from the text of a .map file, or a graph from that of a .gr file, with the text of its
    // .co file in `places`. Options: rule, charge, metric, terrain, heights.
    parseMap(text, {places, ...options} = {}) {
        const bytes = textBytes(text, 'text');
        if (places === undefined)
            return newMap(this.library, 'cairn_map_parse', [bytes],
                ([at], chosen) => [at, bytes.length, chosen], options);
        const aside = textBytes(places, 'places');
        return newMap(this.library, 'cairn_roads_parse', [bytes, aside],
            ([at, beside], chosen) => [at, bytes.length, beside, aside.length, chosen], options);
    }

    // A grid from equally long rows of letters: '.' is open, '@' blocked.
    mapFromRows(rows, options = {}) {
        const list = [...rows].map(row => textBytes(row, 'row'));
        const width = list.length > 0 ? list[0].length : 0;
        if (list.some(row => row.length !== width))
            throw new RangeError('rows of different lengths');
        const letters = new Uint8Array(width * list.length);
        list.forEach((row, index) => letters.set(row, width * index));
        return this.mapFromLetters(width, list.length, letters, options);
    }

    mapFromLetters(width, height, letters, options = {}) {
        const bytes = textBytes(letters, 'letters');
        if (uint32(width, 'width') * uint32(height, 'height') !== bytes.length)
            throw new RangeError(`expected ${width} * ${height} letters, found ${bytes.length}`);
        return newMap(this.library, 'cairn_map_from_letters', [bytes],
            ([at], chosen) => [width, height, at, chosen], options);
    }

    // A graph from arcs [from, to, cost], with coordinates of its nodes as two arrays or none.
    mapFromArcs(nodeCount, arcs, {x, y, ...others} = {}) {
        noOthers(others, 'places');
        const count = uint32(nodeCount, 'nodeCount');
        const flat = arcNumbers([...arcs]);
        const plane = [x, y].map(list =>
            Int32Array.from(list || [], value => signed(value, 'place')));
        if (plane.some(list => list.length !== (x || y ? count : 0)))
            throw new RangeError(`expected ${count} coordinates in x and y`);
        return newMap(this.library, 'cairn_map_from_arcs',
            [flat, ...plane].map(list => new Uint8Array(list.buffer)),
            ([at, xs, ys], chosen) => [count, at, flat.length / 3, x ? xs : 0, x ? ys : 0, chosen],
            {});
    }

    // A graph that functions describe: arcs(node) gives [to, cost] each, bound(node, goal) a cost
    // that no path undercuts.
    mapFromFunctions({nodeCount, arcs, bound, ...others}) {
        const {library} = this;
        noOthers(others, 'graph');
        if (!callable(arcs, 'arcs'))
            throw new TypeError('arcs: expected a function');
        const number = library.callbacks.add({arcs, bound: callable(bound, 'bound')});
        try {
            return library.within(() => {
                const graph = library.struct('cairn_callback_graph', {nodeCount}, {
                    arcs: library.exports.glue_arcs(), context: number,
                    bound: bound ? library.exports.glue_own_bound() : 0});
                return newMap(library, 'cairn_map_from_callbacks', [],
                    (_, chosen) => [graph, chosen], {}, false, number);
            });
        } catch (error) {
            library.callbacks.functions.delete(number);
            throw error;
        }
    }

    // A world of a map and its table, or of a map alone. It owns them from now on, and what was
    // made from them has to be disposed of before.
    world(map, table = null) {
        const {library} = this;
        const [ground, rows] = [pointerOf(map, GridMap, library), pointerOf(table, Table, library)];
        if (ground === 0)
            throw new TypeError('expected a GridMap');
        if (rows && table.map !== map)
            throw new CairnError('a table of that map is wanted', 'e-mismatch');
        if (map.record.users !== (rows ? 2 : 1) || rows && table.record.users !== 1)
            throw new CairnError('what was made from the map and its table, such as searches, ' +
                'floods, flows, bounds and maps for units, has to be disposed of first', 'busy');
        library.mayChange();
        const [made] = library.make('cairn_world_new', [ground, rows], 1, false);
        const world = new World(MADE, library, made, map);
        for (const owned of rows ? [map, table] : [map])
            owned.giveAway();
        map.record.parents.forEach(parent => parent.release()); // whose edits it follows no longer
        return world;
    }

    // Map and table from the bytes of a table file; `map` for a file that has none, or an equal
    // one.
    loadTable(bytes, {map, progress, ...options} = {}) {
        const {library} = this;
        const data = textBytes(bytes, 'bytes');
        return library.within(() => library.withBytes([data], address => {
            const [report, done] = progressOf(library, progress);
            try {
                const given = pointerOf(map, GridMap, library);
                const chosen = library.struct('cairn_load_options', options,
                    {map: given, progress: report});
                const made = library.make('cairn_load_bytes', given
                    ? [address, data.length, chosen, 0] : [address, data.length, chosen],
                    given ? 1 : 2);
                const ground = given ? map : new GridMap(MADE, library, made.shift());
                return {map: ground, table: new Table(MADE, ground, made[0])};
            } finally {
                done();
            }
        }));
    }

    // What a table file contains, without its rows.
    outline(bytes) {
        const {library} = this;
        const data = textBytes(bytes, 'bytes');
        return library.within(() => library.withBytes([data], address => {
            const outline = library.take(D.STRUCTS.cairn_outline.size);
            const error = library.take(D.STRUCTS.cairn_error.size);
            library.check(library.call('cairn_outline_load_bytes', address, data.length, outline,
                error), error);
            const members = D.STRUCTS.cairn_outline.members;
            const whole = name => library.memory().view.getBigUint64(
                outline + members[name][1], true);
            return {...library.read(outline, 'cairn_outline'), mapHash: whole('map_hash'),
                    stamp: whole('stamp')};
        }));
    }
}

// Arcs one after the other.
function arcNumbers(arcs) {
    const numbers = new Uint32Array(3 * arcs.length);
    arcs.forEach((arc, index) => {
        if (!itemsOf(arc, 3))
            throw new TypeError(`arcs[${index}]: expected [from, to, cost]`);
        for (let part = 0; part < 3; part++)
            numbers[3 * index + part] = uint32(arc[part], 'arc');
    });
    return numbers;
}

// The little that the module asks of its host: no environment, no files, and a clock.
function system(library) {
    const view = () => library().memory().view;
    const none = () => 8; // no such file
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
        fd_close: none, fd_fdstat_get: none, fd_fdstat_set_flags: none, fd_prestat_get: none,
        fd_prestat_dir_name: none, fd_read: none, fd_seek: none, fd_write: none, fd_tell: none,
        fd_filestat_get: none, path_open: none, path_filestat_get: none, sched_yield: () => 0,
    };
}

// A module of one function that uses a vector.
const VECTORS = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10,
    10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// Options: `module`, the bytes of cairn.wasm or cairn-simd.wasm in place of what `bytesOf` gives;
// `vectors`, whether to take the one with vectors (by default where the host has them).
export async function instantiate(bytesOf, {module, vectors, ...others} = {}) {
    noOthers(others, 'load');
    const isVector = vectors === undefined ? WebAssembly.validate(VECTORS) : Boolean(vectors);
    const bytes = module || await bytesOf(isVector ? './cairn-simd.wasm' : './cairn.wasm');
    const callbacks = new Callbacks();
    let library = null;
    const {instance} = await WebAssembly.instantiate(bytes, {
        wasi_snapshot_preview1: system(() => library), host: callbacks.imports(() => library)});
    const exports = instance.exports;
    library = {memory: () => ({view: new DataView(exports.memory.buffer)})};
    exports._initialize();
    library = new Library(exports, callbacks);
    return new Cairn(library, isVector);
}
