// Lower bounds for an A* of your own.
import * as D from './declarations.mjs';
import {CairnError, enumValue} from './values.mjs';
import {MADE, fix, Owned} from './owned.mjs';

// A lower bound on the cost to a goal, for an A* of your own.
class Bound extends Owned {
    constructor(made, map, table, pointer) {
        super(made, map.library, pointer, 'free', table ? [map, table] : [map]);
        fix(this, {map});
    }

    get isCurrent() { return this.library.call('cairn_bound_is_current', this.pointer) !== 0; }

    check() {
        if (!this.isCurrent)
            throw new CairnError('the map or its table changed since the bound was made',
                'e-changed');
    }

    at(node) {
        this.check();
        return this.library.call('cairn_bound_at', this.pointer, this.map.node(node)) >>> 0;
    }

    // The bounds of many nodes, as Uint32Array.
    ofNodes(places) {
        this.check();
        const {library} = this;
        const nodes = this.map.nodesOf(places);
        return library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(nodes.buffer)],
            (from, to) => {
                library.check(library.call('cairn_bounds_at', this.pointer, from, nodes.length,
                    to));
                return library.numbers(to, nodes.length);
            });
    }
}

export function newBound(map, table, goal, heuristic) {
    const {library} = map;
    const node = map.node(goal);
    const kind = enumValue('cairn_heuristic', heuristic, 'heuristic');
    const pointers = [map.pointer, table ? table.pointer : 0];
    const address = library.allocate(D.STRUCTS.cairn_bound.size);
    try {
        library.check(library.call('cairn_bound_with', ...pointers, node, kind, address));
    } catch (error) {
        library.exports.free(address);
        throw error;
    }
    return new Bound(MADE, map, table, address);
}
