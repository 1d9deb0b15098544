// What searches find.
import * as D from './declarations.mjs';
import {MADE} from './owned.mjs';

const PATH = Object.fromEntries(Object.entries(D.STRUCTS.cairn_path.members)
    .map(([name, [, offset]]) => [name, offset]));

// What a search found: numbers and arrays of its own, whatever the search does next.
export class Path {
    constructor(made, library, address, width) {
        if (made !== MADE)
            throw new TypeError('paths are made by searches');
        const {u32, f64} = library.memory();
        const at = address >>> 2;
        const count = name =>
            u32[at + (PATH[name] >>> 2)] + 2 ** 32 * u32[at + (PATH[name] >>> 2) + 1];
        const nodes = u32[at + (PATH.nodes >>> 2)] >>> 2;
        const corners = u32[at + (PATH.corners >>> 2)] >>> 2;
        this.outcome = D.ENUMS.cairn_outcome[u32[at + (PATH.outcome >>> 2)]];
        this.cost = u32[at + (PATH.cost >>> 2)];
        this.length = f64[(address + PATH.length) >>> 3];
        this.nodes = u32.slice(nodes, nodes + u32[at + (PATH.node_count >>> 2)]);
        this.corners = u32.slice(corners, corners + u32[at + (PATH.corner_count >>> 2)]);
        this.expanded = count('expanded');
        this.generated = count('generated');
        this.openPeak = count('open_peak');
        this.reopened = count('reopened');
        this.space = D.ENUMS.cairn_space[u32[at + (PATH.space >>> 2)]];
        this.state = D.ENUMS.cairn_row_state[u32[at + (PATH.state >>> 2)]];
        this.rowCount = u32[at + (PATH.row_count >>> 2)];
        this.guarantee = u32[at + (PATH.guarantee >>> 2)] / 1000;
        this.which = u32[at + (PATH.which >>> 2)];
        this.width = width;
    }

    get isFound() { return this.outcome === 'found'; }

    // Columns and rows of the nodes.
    get cells() {
        return Array.from(this.nodes, node => [node % this.width, Math.floor(node / this.width)]);
    }
}

// A path as the library takes it.
export function withPath(library, path, work) {
    if (!(path instanceof Path))
        throw new TypeError('expected a Path');
    const {nodes, corners, isFound, cells, width, guarantee, ...members} = path;
    // Whatever was put in their place, lengths and numbers belong together.
    const lists = [Uint32Array.from(nodes), Uint32Array.from(corners)];
    const [nodeCount, cornerCount] = lists.map(list => list.length);
    return library.within(() => library.withBytes(lists.map(list => new Uint8Array(list.buffer)),
        (first, turns) => work(library.struct('cairn_path', {...members, nodeCount, cornerCount},
            {nodes: first, corners: turns}), cornerCount)));
}

export function pullBy(library, call, pointer, path) {
    return withPath(library, path, (struct, corners) => library.withBytes(
        [new Uint8Array(4 * corners)], room => {
            const [count, length] = [library.take(4), library.take(8)];
            library.check(library.call(call, pointer, struct, room, count, length));
            return {waypoints: library.numbers(room, library.member(count, 'uint32_t')),
                length: library.member(length, 'double')};
        }));
}
