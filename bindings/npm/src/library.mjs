// The module: its memory, structs on a stack of its own, calls, and functions of the caller.
import * as D from './declarations.mjs';
import {STATUS, CairnError, LARGEST, whole, uint32, large, plainObject, itemsOf, letterCode,
    enumValue, camel} from './values.mjs';

const STACK_SIZE = 1 << 16;

// Of each struct the members that are no pointers and no arrays, by their names in JavaScript: but
// `size`, which the library's callers set.
const MEMBERS = new Map(Object.entries(D.STRUCTS).map(([kind, {members}]) => [kind,
    new Map(Object.entries(members)
        .filter(([name, [type, , count]]) => type !== 'pointer' && count === 1 && name !== 'size')
        .map(([name, [type, offset]]) => [camel(name), {type, offset}]))]));

// The module: its memory, structs on a stack of its own, and calls.
export class Library {
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
        const members = MEMBERS.get(kind);
        if (Array.isArray(values)) {
            const names = [...members.keys()];
            if (names.length !== 2)
                throw new TypeError(`${what}: expected an object`);
            if (values.length !== 2)
                throw new TypeError(`${what}: expected [${names.join(', ')}]`);
            values = {[names[0]]: values[0], [names[1]]: values[1]};
        }
        for (const [key, value] of Object.entries(plainObject(values, what))) {
            const member = members.get(key);
            if (!member)
                throw new TypeError(`${what}: there is no ${key}`);
            if (value !== undefined && value !== null)
                this.write(address + member.offset, member.type, value, key);
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
        for (const [name, {type, offset}] of MEMBERS.get(kind))
            found[name] = this.member(address + offset, type);
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
        const why = expected
            ? `: expected ${this.text(expected)}${found && `, found ${found}`}` : '';
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
export class Callbacks {
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
                this.ask(number, 'bound', 0, [node >>> 0, goal >>> 0],
                    cost => uint32(cost, 'bound')),
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
    list.slice(0, room).forEach((arc, index) => {
        if (!itemsOf(arc, 2))
            throw new TypeError('arc: expected [to, cost]');
        const at = (address >>> 2) + 3 * index;
        library.memory().u32[at + 1] = uint32(arc[0], 'arc');
        library.memory().u32[at + 2] = uint32(arc[1], 'arc');
    });
    return list.length;
}
