// Objects of the library, freed when they are disposed of or collected.

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
export const MADE = Symbol('made by the library');

// Properties that stay what they are.
export function fix(object, values) {
    for (const [name, value] of Object.entries(values))
        Object.defineProperty(object, name, {value, enumerable: true});
}

export class Owned {
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

export function pointerOf(object, Type, library) {
    if (object === null || object === undefined)
        return 0;
    if (!(object instanceof Type))
        throw new TypeError(`expected a ${Type.name}`);
    if (object.library !== library)
        throw new TypeError(`the ${Type.name} was made by what another call of load gave`);
    return object.pointer;
}
