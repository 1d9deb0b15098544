// Structs that several calls take or give.
import * as D from './declarations.mjs';
import {uint32, plainObject, noOthers, callable} from './values.mjs';

export function metricOf(library, name, pointer) {
    return library.within(() => {
        const address = library.take(8);
        library.call(name, address, pointer);
        return library.read(address, 'cairn_metric');
    });
}

export function queryBytes(map, pairs) {
    const {size, members} = D.STRUCTS.cairn_query;
    const bytes = new DataView(new ArrayBuffer(size * pairs.length));
    pairs.forEach((pair, index) => {
        if (Array.isArray(pair) && pair.length !== 2)
            throw new TypeError(`queries[${index}]: expected [start, goal]`);
        const [start, goal] = Array.isArray(pair) ? pair : [pair.start, pair.goal];
        bytes.setUint32(size * index + members.start[1], map.node(start), true);
        bytes.setUint32(size * index + members.goal[1], map.node(goal), true);
    });
    return new Uint8Array(bytes.buffer);
}

// The address of a struct that calls a function, and what to do after the call.
export function progressOf(library, progress) {
    if (!callable(progress, 'progress'))
        return [0, () => {}];
    const number = library.callbacks.add({progress});
    const address = library.struct('cairn_progress', {}, {report: library.exports.glue_report(),
        context: number});
    return [address, () => library.callbacks.functions.delete(number)];
}

// A cairn_budget.
export function budgetOf(budget = {}) {
    const {cells, microseconds, ...others} = plainObject(budget, 'budget');
    noOthers(others, 'budget');
    if (cells !== undefined && microseconds !== undefined)
        throw new TypeError('budget: expected cells or microseconds, found both');
    if (cells !== undefined)
        return 1n << 62n | BigInt(uint32(cells, 'cells'));
    if (microseconds !== undefined)
        return 2n << 62n | BigInt(uint32(microseconds, 'microseconds'));
    return 0xffffffffffffffffn;
}
