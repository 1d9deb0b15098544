// Costs from cells to all others, and fields of directions.
import {NO_NODE, STATUS, CairnError, whole} from './values.mjs';
import {MADE, fix, Owned} from './owned.mjs';

export class Flood extends Owned {
    constructor(made, map, pointer) {
        super(made, map.library, pointer, 'cairn_flood_free', [map]);
        fix(this, {map});
    }

    costsBy(name, places) {
        const {library, map} = this;
        const nodes = map.nodes(places);
        return library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(4 * map.nodeCount)],
            (from, costs) => {
                library.check(library.call(name, this.pointer, from, nodes.length, costs));
                return library.numbers(costs, map.nodeCount);
            });
    }

    // How far floods and fields go from now on: to costs of at most `most`, and until all of
    // `until` are reached; without arguments everywhere.
    limit(most = 0xffffffff, until = []) {
        const {library, map} = this;
        const nodes = map.nodesOf(until), cost = whole(most, 0xffffffff, 'most');
        library.withBytes([new Uint8Array(nodes.buffer)], from =>
            library.check(library.call('cairn_flood_limit', this.pointer, cost, from,
                nodes.length)));
        this.record.isLimited = cost !== 0xffffffff || nodes.length > 0;
    }

    costsFrom(places) { return this.costsBy('cairn_flood_from', places); }
    costsTo(places) { return this.costsBy('cairn_flood_to', places); }

    // For every node the step towards the nearest target, as Uint8Array for flowNext.
    flowTo(places) {
        const {library, map} = this;
        const nodes = map.nodes(places);
        return library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(map.nodeCount)],
            (to, flow) => {
                library.check(library.call('cairn_flood_flow', this.pointer, to, nodes.length,
                    flow, 0));
                return library.memory().u8.slice(flow, flow + map.nodeCount);
            });
    }

    // The same as a Flow, which follows edits of the map.
    follow(places) {
        const {library, map} = this;
        const nodes = map.nodes(places);
        this.checkOwned();
        const address = library.allocate(5 * map.nodeCount);
        const flow = new Flow(MADE, this, address, nodes);
        flow.compute();
        return flow;
    }
}

// A flow field with its costs, in the module's memory: four bytes a node, and one behind these.
class Flow extends Owned {
    constructor(made, flood, address, targets) {
        super(made, flood.library, address, 'free', [flood]);
        fix(this, {map: flood.map});
        // It keeps flood and map, also after these were disposed of.
        Object.defineProperty(this, 'flood', {value: flood.record});
        Object.defineProperty(this, 'ground', {value: flood.map.record});
        Object.defineProperty(this, 'targets', {value: targets});
        // Null: computed by no call.
        Object.defineProperty(this, 'hash', {value: null, writable: true});
        // Whether the field ended somewhere: what lies beyond is not known.
        Object.defineProperty(this, 'wasLimited', {value: false, writable: true});
    }

    // The field after the edits of the map since it was made or repaired.
    repair() {
        if (this.hash === null || this.wasLimited)
            this.compute();
        else
            this.fill('cairn_flow_repair', this.hash);
    }

    compute() { this.fill('cairn_flood_flow'); }

    fill(name, ...values) {
        const {library, map, pointer: costs, flood, ground} = this;
        library.withBytes([new Uint8Array(this.targets.buffer)], to => {
            const status = library.call(name, flood.pointer, to, this.targets.length, ...values,
                costs + 4 * map.nodeCount, costs);
            if (status !== STATUS['e-argument'])
                this.hash = status === STATUS.ok
                    ? library.call('cairn_map_hash', ground.pointer) : null;
            if (status === STATUS.ok)
                this.wasLimited = flood.isLimited === true;
            library.check(status);
        });
    }

    // Its address; an error where a repair has failed.
    get filled() {
        const costs = this.pointer;
        if (this.hash === null)
            throw new CairnError('the field could not be repaired', 'e-memory');
        return costs;
    }

    // Where the field leads from a node; null: nowhere.
    next(place) {
        const {library, map, ground, filled} = this;
        const next = library.call('cairn_flow_next', ground.pointer, filled + 4 * map.nodeCount,
            map.node(place)) >>> 0;
        return next === NO_NODE ? null : next;
    }

    // What costsTo gives, as Uint32Array, and what flowTo gives, as Uint8Array.
    get costs() { return this.library.numbers(this.filled, this.map.nodeCount); }

    get steps() {
        const at = this.filled + 4 * this.map.nodeCount;
        return this.library.memory().u8.slice(at, at + this.map.nodeCount);
    }
}
