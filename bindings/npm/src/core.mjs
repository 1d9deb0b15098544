// The library in JavaScript: numbers, typed arrays and objects in place of addresses. Options are
// the members of the library's structs, in camelCase; enums are words. Nothing a program passes
// reaches the module unchecked.
import * as D from './declarations.mjs';

export const UNREACHABLE = D.CAIRN_UNREACHABLE;
export const NO_NODE = D.CAIRN_NO_NODE;

const STATUS = Object.fromEntries(D.ENUMS.cairn_status.map((word, value) => [word, value]));
const STACK_SIZE = 1 << 16;

// What the library refused: `status` is a word, `line` and `offset` are where in a text.
export class CairnError extends Error {
    constructor(message, status, line = 0, offset = 0) {
        super(message);
        this.name = 'CairnError';
        Object.assign(this, {status, line, offset});
    }
}

// ------------------------------------------------------------------------------ arguments --

const LARGEST = {uint8_t: 0xff, uint16_t: 0xffff, uint32_t: 0xffffffff, size_t: 0xffffffff,
    uint64_t: Number.MAX_SAFE_INTEGER};

function whole(value, largest, what) {
    if (typeof value === 'bigint')
        value = Number(value);
    if (typeof value !== 'number')
        throw new TypeError(`${what}: expected a number, found ${typeof value}`);
    if (!Number.isInteger(value) || value < 0 || value > largest)
        throw new RangeError(`${what}: expected a whole number from 0 to ${largest}, found ${value}`);
    return value;
}

const uint32 = (value, what) => whole(value, 0xffffffff, what);

// A number of 64 bits, which a bigint alone can say where it is large.
function large(value, what) {
    if (typeof value !== 'bigint')
        return BigInt(whole(value, LARGEST.uint64_t, what));
    if (value < 0n || value >= 2n ** 64n)
        throw new RangeError(`${what}: expected a whole number of 64 bits, found ${value}`);
    return value;
}

function signed(value, what) {
    if (!Number.isInteger(value) || value !== (value | 0))
        throw new RangeError(`${what}: expected a whole number of 32 bits, found ${value}`);
    return value;
}

function textBytes(text, what) {
    if (typeof text === 'string')
        return new TextEncoder().encode(text);
    if (ArrayBuffer.isView(text))
        return new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
    if (text instanceof ArrayBuffer)
        return new Uint8Array(text);
    throw new TypeError(`${what}: expected a string or bytes`);
}

function plainObject(value, what) {
    if (typeof value !== 'object' || value === null)
        throw new TypeError(`${what}: expected an object`);
    return value;
}

function callable(value, what) {
    if (value !== undefined && value !== null && typeof value !== 'function')
        throw new TypeError(`${what}: expected a function`);
    return value;
}

function letterCode(letter) {
    if (typeof letter !== 'string' || letter.length !== 1 || letter.charCodeAt(0) > 0x7f)
        throw new TypeError('letter: expected a string of one letter');
    return letter.charCodeAt(0);
}

function enumValue(kind, word, what) {
    const value = D.ENUMS[kind].indexOf(String(word));
    if (value < 0 || typeof word === 'symbol')
        throw new RangeError(`${what}: expected one of ${D.ENUMS[kind].join(', ')}`);
    return value;
}

const camel = name => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

// ---------------------------------------------------------------------------------- memory --

// The module: its memory, structs on a stack of its own, and calls.
class Library {
    constructor(exports, callbacks) {
        this.exports = exports;
        this.callbacks = callbacks;
        this.depth = 0; // calls that run now: more than one from callbacks
        // Objects that were let go of meanwhile, to be freed when what runs now has its results.
        this.freed = [];
        this.top = this.stack = this.allocate(STACK_SIZE);
        this.refresh();
    }

    // Views of the memory, which moves when it grows.
    refresh() {
        const buffer = this.exports.memory.buffer;
        this.buffer = buffer;
        this.u8 = new Uint8Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.f64 = new Float64Array(buffer);
        this.view = new DataView(buffer);
    }

    memory() {
        if (this.buffer !== this.exports.memory.buffer)
            this.refresh();
        return this;
    }

    // A block of the module's memory; its address is a number without a sign, as all beyond 2 GiB.
    allocate(size) {
        const address = this.exports.malloc(Math.max(size, 1)) >>> 0;
        if (address === 0)
            throw new CairnError('out of memory', 'e-memory');
        return address;
    }

    // Zeroed, until the stack is put back.
    take(size) {
        const address = this.top;
        this.top += (size + 15) & ~15;
        if (this.top > this.stack + STACK_SIZE)
            throw new CairnError('callbacks call the library too deeply', 'e-limit');
        this.memory().u8.fill(0, address, this.top);
        return address;
    }

    // Runs what takes from the stack, and puts it back.
    within(work) {
        const top = this.top;
        try {
            return work();
        } finally {
            this.top = top;
        }
    }

    // Larger blocks, which the module frees after the work.
    withBytes(blocks, work) {
        const addresses = [];
        try {
            for (const bytes of blocks) {
                const address = this.allocate(bytes.length);
                addresses.push(address);
                this.memory().u8.set(bytes, address);
            }
            return work(...addresses);
        } finally {
            addresses.forEach(address => this.exports.free(address));
        }
    }

    text(address) {
        const {u8} = this.memory();
        return new TextDecoder().decode(u8.slice(address, u8.indexOf(0, address)));
    }

    // ------------------------------------------------------------------------ structs --

    write(address, kind, value, what) {
        const {view} = this.memory();
        if (kind in D.ENUMS)
            view.setUint32(address, enumValue(kind, value, what), true);
        else if (kind in D.STRUCTS)
            this.fill(address, kind, value, what);
        else if (kind === 'bool')
            view.setUint8(address, value ? 1 : 0);
        else if (kind === 'char')
            view.setUint8(address, letterCode(value));
        else if (kind === 'double')
            view.setFloat64(address, Number(value), true);
        else if (kind === 'uint64_t')
            view.setBigUint64(address, large(value, what), true);
        else if (kind === 'uint16_t')
            view.setUint16(address, whole(value, LARGEST[kind], what), true);
        else if (kind === 'uint8_t')
            view.setUint8(address, whole(value, LARGEST[kind], what));
        else
            view.setUint32(address, whole(value, LARGEST[kind], what), true);
    }

    // The members that `values` names; pairs may stand for structs of two numbers.
    fill(address, kind, values, what) {
        const {members} = D.STRUCTS[kind];
        const names = Object.keys(members).filter(name => name !== 'size' || kind === 'cairn_stream');
        if (Array.isArray(values) && values.length === names.length)
            values = Object.fromEntries(names.map((name, index) => [camel(name), values[index]]));
        if (typeof values !== 'object' || values === null)
            throw new TypeError(`${what}: expected an object`);
        for (const [key, value] of Object.entries(values)) {
            const name = names.find(name => camel(name) === key);
            if (!name || members[name][0] === 'pointer' || members[name][2] > 1)
                throw new TypeError(`${what}: there is no ${key}`);
            if (value !== undefined && value !== null)
                this.write(address + members[name][1], members[name][0], value, key);
        }
    }

    // A struct on the stack; of options, the size is set.
    struct(kind, values = {}, pointers = {}) {
        const {size, members} = D.STRUCTS[kind];
        const address = this.take(size);
        if (members.size && members.size[0] === 'size_t')
            this.memory().view.setUint32(address + members.size[1], size, true);
        this.fill(address, kind, values, kind.replace('cairn_', ''));
        for (const [name, value] of Object.entries(pointers))
            this.memory().view.setUint32(address + members[name][1], value, true);
        return address;
    }

    member(address, kind) {
        const {view} = this.memory();
        if (kind in D.ENUMS)
            return D.ENUMS[kind][view.getUint32(address, true)];
        if (kind in D.STRUCTS)
            return this.read(address, kind);
        switch (kind) {
        case 'bool': return view.getUint8(address) !== 0;
        case 'char': return String.fromCharCode(view.getUint8(address));
        case 'double': return view.getFloat64(address, true);
        case 'uint64_t': return Number(view.getBigUint64(address, true));
        case 'uint16_t': return view.getUint16(address, true);
        case 'uint8_t': return view.getUint8(address);
        case 'int32_t': return view.getInt32(address, true);
        default: return view.getUint32(address, true);
        }
    }

    // An object of the members that are no pointers and no arrays.
    read(address, kind) {
        const found = {};
        for (const [name, [type, offset, count]] of Object.entries(D.STRUCTS[kind].members))
            if (type !== 'pointer' && count === 1)
                found[camel(name)] = this.member(address + offset, type);
        return found;
    }

    numbers(address, count) {
        return this.memory().u32.slice(address >>> 2, (address >>> 2) + count);
    }

    // -------------------------------------------------------------------------- calls --

    // What runs in the module. What a callback throws comes out of the call that led there.
    call(name, ...values) {
        this.depth++;
        try {
            return this.exports[name](...values);
        } finally {
            this.leave();
        }
    }

    leave() {
        if (--this.depth === 0 && this.freed.length > 0)
            queueMicrotask(() => this.freed.splice(0).forEach(record => record.end()));
        if (this.callbacks.thrown) {
            const {error} = this.callbacks.thrown;
            this.callbacks.thrown = null;
            throw error;
        }
    }

    // Before what changes what callbacks may be reading.
    mayChange() {
        if (this.depth > 0)
            throw new CairnError('a callback may not change maps and tables', 'busy');
    }

    // A call that does.
    change(name, ...values) {
        this.mayChange();
        return this.call(name, ...values);
    }

    check(status, error = 0) {
        if (status === STATUS.ok || status === STATUS.more)
            return status;
        const text = this.text(this.exports.cairn_status_text(status));
        const word = D.ENUMS.cairn_status[status];
        if (error === 0)
            throw new CairnError(text, word);
        const {members} = D.STRUCTS.cairn_error;
        const {line, offset} = this.read(error, 'cairn_error');
        const expected = this.memory().view.getUint32(error + members.expected[1], true);
        const found = this.text(error + members.found[1]);
        const why = expected ? `: expected ${this.text(expected)}${found && `, found ${found}`}` : '';
        throw new CairnError(`${line ? `line ${line}: ` : ''}${text}${why}`, word, line, offset);
    }

    // A call with outputs and an error behind its arguments; gives the addresses that it wrote. An
    // output that was made though a callback has thrown is given back by `free`.
    make(name, values, outputs = 1, hasError = true, free = null) {
        return this.within(() => {
            const at = Array.from({length: outputs}, () => this.take(4));
            const error = hasError ? this.take(D.STRUCTS.cairn_error.size) : 0;
            const last = hasError ? [error] : [];
            const made = () => at.map(address => this.memory().view.getUint32(address, true));
            try {
                this.check(this.call(name, ...values, ...at, ...last), error);
            } catch (problem) {
                if (free)
                    made().forEach(address => this.exports[free](address));
                throw problem;
            }
            return made();
        });
    }
}

// Functions of the caller, by numbers that the module is given in place of addresses.
class Callbacks {
    constructor() {
        this.functions = new Map();
        this.next = 1;
        this.thrown = null;
    }

    add(functions) {
        this.functions.set(this.next, functions);
        return this.next++;
    }

    // The answer of a function, or `otherwise` once one has thrown.
    ask(number, name, otherwise, values, convert) {
        if (this.thrown)
            return otherwise;
        try {
            return convert(this.functions.get(number)[name](...values));
        } catch (error) {
            this.thrown = {error};
            return otherwise;
        }
    }

    imports(library) {
        return {
            report: (number, stage, done, total) =>
                this.ask(number, 'progress', 0, [library().text(stage), done, total],
                    answer => answer === false ? 0 : 1),
            bound: (number, node, goal) =>
                this.ask(number, 'bound', 0, [node >>> 0, goal >>> 0], cost => uint32(cost, 'bound')),
            expand: (number, node) =>
                this.ask(number, 'onExpand', undefined, [node >>> 0], () => undefined),
            cancel: number =>
                this.ask(number, 'cancel', 1, [], answer => answer ? 1 : 0),
            arcs: (number, node, arcs, room) =>
                this.ask(number, 'arcs', 0, [node >>> 0],
                    found => writeArcs(library(), found, arcs, room)),
        };
    }
}

function writeArcs(library, found, address, room) {
    const list = [...found];
    list.slice(0, room).forEach(([to, cost], index) => {
        const at = (address >>> 2) + 3 * index;
        library.memory().u32[at + 1] = uint32(to, 'arc');
        library.memory().u32[at + 2] = uint32(cost, 'arc');
    });
    return list.length;
}

// The address of an object, freed when neither its owner nor another object needs it.
class Record {
    constructor(library, pointer, free, parents, callbacks) {
        Object.assign(this, {library, pointer, name: free, parents, callbacks, users: 1,
            isFreed: false});
        parents.forEach(parent => parent.users++);
    }

    release() {
        if (--this.users > 0)
            return;
        if (this.library.depth > 0)
            this.library.freed.push(this);
        else
            this.end();
    }

    // What was made of it meanwhile may need it after all.
    end() {
        if (this.users > 0 || this.isFreed)
            return;
        this.isFreed = true;
        this.free();
    }

    free() {
        this.library.exports[this.name](this.pointer);
        if (this.callbacks)
            this.library.callbacks.functions.delete(this.callbacks);
        this.parents.forEach(parent => parent.release());
    }
}

const forgotten = new FinalizationRegistry(record => record.release());
const MADE = Symbol('made by the library');

// Properties that stay what they are.
function fix(object, values) {
    for (const [name, value] of Object.entries(values))
        Object.defineProperty(object, name, {value, enumerable: true});
}

class Owned {
    constructor(made, library, pointer, free, parents = [], callbacks = 0) {
        if (made !== MADE)
            throw new TypeError(`${new.target.name} objects are not made by new`);
        Object.defineProperty(this, 'library', {value: library});
        Object.defineProperty(this, 'record', {value:
            new Record(library, pointer, free, parents.map(parent => parent.record), callbacks)});
        Object.defineProperty(this, 'isDisposed', {value: false, writable: true});
        forgotten.register(this, this.record, this);
    }

    // Its address; a TypeError for one that was disposed of.
    get pointer() {
        this.checkOwned();
        return this.record.pointer;
    }

    checkOwned() {
        if (this.isDisposed)
            throw new TypeError(`this ${this.constructor.name} was disposed of`);
    }

    // Frees it now, in place of when it is collected; later calls throw.
    dispose() {
        if (this.isDisposed)
            return;
        this.giveAway();
        this.record.release();
    }

    // To another owner, which frees it.
    giveAway() {
        this.isDisposed = true;
        forgotten.unregister(this);
    }
}
if (Symbol.dispose)
    Owned.prototype[Symbol.dispose] = Owned.prototype.dispose;

function pointerOf(object, Type, library) {
    if (object === null || object === undefined)
        return 0;
    if (!(object instanceof Type))
        throw new TypeError(`expected a ${Type.name}`);
    if (object.library !== library)
        throw new TypeError(`the ${Type.name} was made by what another call of load gave`);
    return object.pointer;
}

// ------------------------------------------------------------------------------------ maps --

class GridMap extends Owned {
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
        const node = this.library.call('cairn_node_at', pointer, uint32(x, 'x'), uint32(y, 'y')) >>> 0;
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
            library.numbers(cells, library.call('cairn_unit_cells', this.pointer, node, cells, room)));
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

    // For every cell the size of the largest unit that can stand there, as Uint16Array.
    clearance(anchor = 'top-left') {
        const {library} = this;
        const kind = enumValue('cairn_anchor', anchor, 'anchor');
        return library.withBytes([new Uint8Array(2 * this.nodeCount)], sizes => {
            library.check(library.call('cairn_clearance', this.pointer, kind, sizes));
            return new Uint16Array(library.memory().buffer.slice(sizes, sizes + 2 * this.nodeCount));
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
        return library.within(() => library.withBytes(
            [new Uint8Array(nodes.buffer), queryBytes(this, asked)], (places, queries) => {
                const [report, done] = progressOf(library, progress);
                try {
                    const address = library.struct('cairn_build_options', {...options,
                        listedCount: nodes.length, pairCount: asked.length}, {
                        listed: nodes.length ? places : 0, pairs: asked.length ? queries : 0,
                        progress: report});
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
    bound(goal, plain = 'best') { return newBound(this, null, goal, plain); }

    isAdmissible(plain) {
        return this.library.call('cairn_bound_is_admissible', this.pointer,
            enumValue('cairn_plain', plain, 'plain')) !== 0;
    }

    isConsistent(plain) {
        return this.library.call('cairn_bound_is_consistent', this.pointer,
            enumValue('cairn_plain', plain, 'plain')) !== 0;
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

function metricOf(library, name, pointer) {
    return library.within(() => {
        const address = library.take(8);
        library.call(name, address, pointer);
        return library.read(address, 'cairn_metric');
    });
}

// Edits of a map: an error says which of them was refused.
function editMap(library, pointer, edits, count) {
    const status = library.change('cairn_map_edit', pointer, edits, count);
    if (status !== STATUS.ok)
        library.withBytes([new Uint8Array(D.STRUCTS.cairn_error.size)], error => {
            library.call('cairn_map_check_edits', pointer, edits, count, error);
            library.check(status, error);
        });
}

function editWorld(library, pointer, edits, count) {
    library.check(library.change('cairn_world_edit', pointer, edits, count));
}

function editBy(owned, make, edits, more) {
    const {library} = owned;
    if (more.length > 0)
        throw new TypeError('expected several edits as one array');
    if (typeof edits === 'string' || ArrayBuffer.isView(edits) || edits instanceof ArrayBuffer)
        return editByText(owned, make, textBytes(edits, 'edits'));
    const list = (Array.isArray(edits) ? edits : [edits]).map(readEdit);
    const {size, members} = D.STRUCTS.cairn_edit;
    const blocks = [new Uint8Array(size * list.length), ...list.map(edit => edit.data)];
    library.withBytes(blocks, (structs, ...addresses) => {
        list.forEach(({chosen}, index) => {
            const address = structs + size * index;
            library.fill(address, 'cairn_edit', chosen, 'edit');
            library.memory().view.setUint32(address + members.data[1], addresses[index], true);
        });
        make(library, owned.pointer, structs, list.length);
    });
}

// What an edit holds, read once: a getter of the caller may answer otherwise the next time.
function readEdit({bits, letters, from, to, cost, ...rest}) {
    const kind = cost !== undefined ? 'arc' : bits !== undefined ? 'bits'
        : letters !== undefined ? 'letters' : 'fill';
    const data = kind === 'bits' ? textBytes(bits, 'bits')
        : kind === 'letters' ? textBytes(letters, 'letters') : new Uint8Array();
    if (kind === 'arc')
        return {chosen: {...rest, kind, arc: {from: uint32(from, 'from'), to: uint32(to, 'to'),
            cost: uint32(cost, 'cost')}}, data};
    const {x, y, width = 1, height = 1, letter} = rest;
    const cells = uint32(width, 'width') * uint32(height, 'height');
    const needed = kind === 'bits' ? Math.ceil(cells / 8) : cells;
    if ((kind === 'fill') !== (letter !== undefined))
        throw new TypeError('an edit has a letter, letters, bits or a cost');
    if (kind !== 'fill' && data.length !== needed)
        throw new RangeError(`expected ${needed} bytes, found ${data.length}`);
    return {chosen: {...rest, x: uint32(x, 'x'), y: uint32(y, 'y'), width, height,
        letter: kind === 'fill' ? letter : '.', kind}, data};
}

function editByText(owned, make, bytes) {
    const {library} = owned;
    library.withBytes([bytes], address => {
        const [made] = library.make('cairn_edits_parse', [address, bytes.length]);
        try {
            const items = library.call('cairn_edits_items', made);
            make(library, owned.pointer, items, library.call('cairn_edits_count', made));
        } finally {
            library.exports.cairn_edits_free(made);
        }
    });
}

function queryBytes(map, pairs) {
    const {size, members} = D.STRUCTS.cairn_query;
    const bytes = new DataView(new ArrayBuffer(size * pairs.length));
    pairs.forEach((pair, index) => {
        const [start, goal] = Array.isArray(pair) ? pair : [pair.start, pair.goal];
        bytes.setUint32(size * index + members.start[1], map.node(start), true);
        bytes.setUint32(size * index + members.goal[1], map.node(goal), true);
    });
    return new Uint8Array(bytes.buffer);
}

// The address of a struct that calls a function, and what to do after the call.
function progressOf(library, progress) {
    if (!callable(progress, 'progress'))
        return [0, () => {}];
    const number = library.callbacks.add({progress});
    const address = library.struct('cairn_progress', {}, {report: library.exports.glue_report(),
        context: number});
    return [address, () => library.callbacks.functions.delete(number)];
}

// ---------------------------------------------------------------------------------- tables --

// A cairn_budget.
function budgetOf(budget = {}) {
    const {cells, microseconds, ...others} = plainObject(budget, 'budget');
    if (Object.keys(others).length)
        throw new TypeError(`budget: there is no ${Object.keys(others)[0]}`);
    if (cells !== undefined)
        return BigInt(uint32(cells, 'cells')) << 1n;
    if (microseconds !== undefined)
        return BigInt(uint32(microseconds, 'microseconds')) << 1n | 1n;
    return 0xffffffffffffffffn;
}

class Table extends Owned {
    constructor(made, map, pointer) {
        super(made, map.library, pointer, 'cairn_table_free', [map]);
        fix(this, {map});
    }

    get rowCount() { return this.library.call('cairn_table_row_count', this.pointer); }
    get entryBits() { return this.library.call('cairn_table_entry_bits', this.pointer); }
    get isFlat() { return this.library.call('cairn_table_is_flat', this.pointer) !== 0; }
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

    way(row) {
        return D.ENUMS.cairn_way[this.library.call('cairn_table_way', this.pointer, this.row(row))];
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
    bound(goal, plain = 'best') { return newBound(this.map, this, goal, plain); }
}

// -------------------------------------------------------------------------------- searches --

const PATH = Object.fromEntries(Object.entries(D.STRUCTS.cairn_path.members)
    .map(([name, [, offset]]) => [name, offset]));

// What a search found: numbers and arrays of its own, whatever the search does next.
class Path {
    constructor(made, library, address, width) {
        if (made !== MADE)
            throw new TypeError('paths are made by searches');
        const {u32, f64} = library.memory();
        const at = address >>> 2;
        const count = name => u32[at + (PATH[name] >>> 2)] + 2 ** 32 * u32[at + (PATH[name] >>> 2) + 1];
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
function withPath(library, path, work) {
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

function pullBy(library, call, pointer, path) {
    return withPath(library, path, (struct, corners) => library.withBytes(
        [new Uint8Array(4 * corners)], room => {
            const [count, length] = [library.take(4), library.take(8)];
            library.check(library.call(call, pointer, struct, room, count, length));
            return {waypoints: library.numbers(room, library.member(count, 'uint32_t')),
                length: library.member(length, 'double')};
        }));
}

function searchStruct(library, wanted) {
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

function newSearch(map, table, options) {
    const {library} = map;
    return library.within(() => {
        const [address, number] = searchStruct(library, options);
        const [made] = library.make('cairn_search_new',
            [map.pointer, pointerOf(table, Table, library), address], 1, false);
        return new Search(MADE, map, table, made, number);
    });
}

class Search extends Owned {
    // `map` is the map, or the world, that says what nodes there are.
    constructor(made, map, table, pointer, number) {
        super(made, map.library, pointer, 'cairn_search_free', table ? [map, table] : [map], number);
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

    // To the nearest of several goals, or from the nearest of several starts: path.which says which.
    runToAny(start, goals) {
        const from = this.map.node(start);
        const nodes = this.map.nodesOf(goals);
        return this.library.withBytes([new Uint8Array(nodes.buffer)], list =>
            this.step('cairn_search_run_to_any', from, list, nodes.length));
    }

    runFromAny(starts, goal) {
        const nodes = this.map.nodesOf(starts);
        const to = this.map.node(goal);
        return this.library.withBytes([new Uint8Array(nodes.buffer)], list =>
            this.step('cairn_search_run_from_any', list, nodes.length, to));
    }

    // The next runs do not enter these nodes or, with as many extra costs, pay for it.
    avoid(places, extra) {
        const {library, map} = this;
        const nodes = map.nodesOf(places);
        const costs = Uint32Array.from(extra || [], cost => uint32(cost, 'extra'));
        if (extra && costs.length !== nodes.length)
            throw new RangeError('expected as many extra costs as nodes');
        library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(costs.buffer)], (list, more) =>
            library.check(library.change('cairn_search_avoid', this.pointer, list, extra ? more : 0,
                nodes.length)));
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
    look(node) {
        const {library} = this;
        return library.within(() => {
            const info = library.take(D.STRUCTS.cairn_node_info.size);
            library.check(library.call('cairn_search_look', this.pointer, this.map.node(node), info));
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
                library.exports.cairn_search_look(pointer, node, info);
                states[node] = u8[state];
            }
            return states;
        });
    }

    get memory() { return this.library.call('cairn_search_memory', this.pointer) >>> 0; }
}

function searchAll(map, table, pairs, options) {
    const {library} = map;
    const list = [...pairs];
    return library.within(() => library.withBytes([queryBytes(map, list)], queries => {
        const [address, number] = searchStruct(library, options);
        try {
            const [made] = library.make('cairn_search_batch', [map.pointer,
                pointerOf(table, Table, library), address, 1, queries, list.length], 1, false,
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
function distances(map, table, sources, targets) {
    const {library} = map;
    const [rows, columns] = [map.nodesOf(sources), map.nodesOf(targets)];
    const count = rows.length * columns.length;
    return library.withBytes([new Uint8Array(rows.buffer), new Uint8Array(columns.buffer),
        new Uint8Array(4 * count)], (from, to, costs) => {
        library.check(library.call('cairn_distances', map.pointer, pointerOf(table, Table, library), 1,
            from, rows.length, to, columns.length, costs));
        return library.numbers(costs, count);
    });
}

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

function newBound(map, table, goal, plain) {
    const {library} = map;
    const node = map.node(goal);
    const kind = enumValue('cairn_plain', plain, 'plain');
    const pointers = [map.pointer, pointerOf(table, Table, library)];
    const address = library.allocate(D.STRUCTS.cairn_bound.size);
    try {
        library.check(library.call('cairn_bound_with', ...pointers, node, kind, address));
    } catch (error) {
        library.exports.free(address);
        throw error;
    }
    return new Bound(MADE, map, table, address);
}

class Flood extends Owned {
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

    // How far floods and fields go from now on: to costs of at most `most`, and until all of `until`
    // are reached; without arguments everywhere.
    limit(most = 0xffffffff, until = []) {
        const {library, map} = this;
        const nodes = map.nodesOf(until), cost = whole(most, 0xffffffff, 'most');
        library.withBytes([new Uint8Array(nodes.buffer)], from =>
            library.check(library.call('cairn_flood_limit', this.pointer, cost, from, nodes.length)));
    }

    costsFrom(places) { return this.costsBy('cairn_flood_from', places); }
    costsTo(places) { return this.costsBy('cairn_flood_to', places); }

    // For every node the step towards the nearest target, as Uint8Array for flowNext.
    flowTo(places) {
        const {library, map} = this;
        const nodes = map.nodes(places);
        return library.withBytes([new Uint8Array(nodes.buffer), new Uint8Array(map.nodeCount)],
            (to, flow) => {
                library.check(library.call('cairn_flood_flow', this.pointer, to, nodes.length, flow, 0));
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
        Object.defineProperty(this, 'hash', {value: null, writable: true}); // null: computed by no call
    }

    // The field after the edits of the map since it was made or repaired.
    repair() {
        if (this.hash === null)
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
                this.hash = status === STATUS.ok ? library.call('cairn_map_hash', ground.pointer) : null;
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

// ---------------------------------------------------------------------------------- worlds --

// Map and table that are edited as a draft, while searches find the state that was published last.
// A search that pauses keeps its state; the module has one thread, so that others wait for none.
class World extends Owned {
    constructor(made, library, pointer, map) {
        super(made, library, pointer, 'cairn_world_free', [], map.record.callbacks);
        const {width, height, nodeCount, kind} = map;
        fix(this, {width, height, nodeCount, kind});
    }

    get version() {
        const {library, pointer} = this;
        return library.within(() => {
            const view = library.take(D.STRUCTS.cairn_view.size);
            library.call('cairn_world_acquire', view, pointer);
            const {version} = library.read(view, 'cairn_view');
            library.call('cairn_world_release', pointer, view);
            return version;
        });
    }

    // Calls on the draft. Their status is 'busy' while a search that paused keeps the state before
    // the published one.
    edit(edits, ...more) { editBy(this, editWorld, edits, more); }

    // Repairs the draft's table; false while there is more to do.
    refresh(budget) {
        const {library} = this;
        return library.check(library.change('cairn_world_refresh_step', this.pointer,
            budgetOf(budget))) === STATUS.ok;
    }

    // Searches that begin from now on find the draft.
    publish() { this.library.check(this.library.change('cairn_world_publish', this.pointer)); }

    // Of the draft's table; null without one.
    get refreshCounts() {
        const {library, pointer} = this;
        return library.within(() => {
            const view = library.take(D.STRUCTS.cairn_view.size);
            const counts = library.take(D.STRUCTS.cairn_refresh_counts.size);
            library.check(library.change('cairn_world_draft', pointer, view));
            const table = library.memory().view.getUint32(view + VIEW.table, true);
            if (table === 0)
                return null;
            library.call('cairn_table_refresh_counts', counts, table);
            return library.read(counts, 'cairn_refresh_counts');
        });
    }

    search(options = {}) {
        const {library, pointer} = this;
        return library.within(() => {
            const [address, number] = searchStruct(library, options);
            const view = library.take(D.STRUCTS.cairn_view.size);
            library.call('cairn_world_acquire', view, pointer);
            try {
                const [made] = library.make('cairn_search_new', [...partsOf(library, view), address], 1,
                    false);
                return new WorldSearch(MADE, this, null, made, number);
            } catch (error) {
                library.callbacks.functions.delete(number);
                throw error;
            } finally {
                library.call('cairn_world_release', pointer, view);
            }
        });
    }
}

for (const name of ['node', 'nodes', 'nodesOf'])
    World.prototype[name] = GridMap.prototype[name];

const VIEW = Object.fromEntries(Object.entries(D.STRUCTS.cairn_view.members)
    .map(([name, [, offset]]) => [name, offset]));

// Map and table of a view.
function partsOf(library, address) {
    const {view} = library.memory();
    return [VIEW.map, VIEW.table].map(offset => view.getUint32(address + offset, true));
}

// Calls that begin a query.
const QUERIES = new Set(['cairn_search_run', 'cairn_search_begin', 'cairn_search_run_to_any',
    'cairn_search_run_from_any']);

// Releases the state of a search in a world that is not freed yet; does nothing where there is none.
function letGo(search) {
    search.library.call('cairn_world_release', search.record.world.pointer, search.view);
    search.isHeld = false;
}

class WorldSearch extends Search {
    constructor(made, world, table, pointer, number) {
        super(made, world, table, pointer, number);
        const {size} = D.STRUCTS.cairn_view;
        const {record, library} = this;
        Object.defineProperty(this, 'view', {value: library.allocate(size)});
        Object.defineProperty(this, 'isHeld', {value: false, writable: true});
        library.memory().u8.fill(0, this.view, this.view + size);
        const {free} = record;
        record.view = this.view;
        record.world = world.record;
        record.free = function () {
            this.library.exports.cairn_world_release(this.world.pointer, this.view);
            this.library.exports.free(this.view);
            free.call(this);
        };
    }

    // A query takes the state that was published last, and keeps it while it is paused.
    step(name, ...values) {
        const {library, pointer, view} = this;
        this.checkIdle();
        if (QUERIES.has(name)) {
            letGo(this);
            library.call('cairn_world_acquire', view, this.record.world.pointer);
            this.isHeld = true;
        } else if (!this.isHeld && name !== 'cairn_search_cells') {
            throw new CairnError('there is no query that paused', 'e-argument');
        }
        let path = null;
        try {
            if (QUERIES.has(name))
                library.check(library.call('cairn_search_use', pointer, ...partsOf(library, view)));
            path = super.step(name, ...values);
            return path;
        } finally {
            if (!path || path.outcome !== 'paused')
                letGo(this);
        }
    }

}

// ------------------------------------------------------------------------------- the module --

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

function newMap(library, name, blocks, values, options, hasError = true, number = 0) {
    return mapStruct(library, options, chosen => library.withBytes(blocks, (...addresses) =>
        new GridMap(MADE, library, library.make(name, values(addresses, chosen), 1, hasError,
            'cairn_map_free')[0], number)));
}

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
        return this.mapFromLetters(width, list.length, Uint8Array.from(list.flatMap(row => [...row])),
            options);
    }

    mapFromLetters(width, height, letters, options = {}) {
        const bytes = textBytes(letters, 'letters');
        if (uint32(width, 'width') * uint32(height, 'height') !== bytes.length)
            throw new RangeError(`expected ${width} * ${height} letters, found ${bytes.length}`);
        return newMap(this.library, 'cairn_map_from_letters', [bytes],
            ([at], chosen) => [width, height, at, chosen], options);
    }

    // A graph from arcs [from, to, cost], with coordinates of its nodes as two arrays or none.
    mapFromArcs(nodeCount, arcs, {x, y} = {}) {
        const count = uint32(nodeCount, 'nodeCount');
        const flat = Uint32Array.from([...arcs].flatMap(arc => [...arc].slice(0, 3)),
            value => uint32(value, 'arc'));
        if (flat.length % 3 !== 0)
            throw new RangeError('an arc is [from, to, cost]');
        const plane = [x, y].map(list => Int32Array.from(list || [], value => signed(value, 'place')));
        if (plane.some(list => list.length !== (x || y ? count : 0)))
            throw new RangeError(`expected ${count} coordinates in x and y`);
        return newMap(this.library, 'cairn_map_from_arcs',
            [flat, ...plane].map(list => new Uint8Array(list.buffer)),
            ([at, xs, ys], chosen) => [count, at, flat.length / 3, x ? xs : 0, x ? ys : 0, chosen], {},
            false);
    }

    // A graph that functions describe: arcs(node) gives [to, cost] each, bound(node, goal) a cost
    // that no path undercuts.
    mapFromFunctions({nodeCount, arcs, bound}) {
        const {library} = this;
        if (!callable(arcs, 'arcs'))
            throw new TypeError('arcs: expected a function');
        const number = library.callbacks.add({arcs, bound: callable(bound, 'bound')});
        try {
            return library.within(() => {
                const graph = library.struct('cairn_own_graph', {nodeCount}, {
                    arcs: library.exports.glue_arcs(), context: number,
                    bound: bound ? library.exports.glue_own_bound() : 0});
                return newMap(library, 'cairn_map_from_own', [], (_, chosen) => [graph, chosen], {},
                    false, number);
            });
        } catch (error) {
            library.callbacks.functions.delete(number);
            throw error;
        }
    }

    // A world of a map and its table, or of a map alone. It owns them from now on, and what was made
    // from them has to be disposed of before.
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

    // Map and table from the bytes of a table file; `map` for a file that has none, or an equal one.
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
                    ? [address, data.length, chosen, 0] : [address, data.length, chosen], given ? 1 : 2);
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
const VECTORS = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10,
    1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// Options: `module`, the bytes of cairn.wasm or cairn-simd.wasm in place of what `bytesOf` gives;
// `vectors`, whether to take the one with vectors (by default where the host has them).
export async function instantiate(bytesOf, {module, vectors} = {}) {
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
