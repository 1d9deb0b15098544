// Searches beside edits.
import * as D from './declarations.mjs';
import {STATUS, CairnError} from './values.mjs';
import {MADE, fix, Owned} from './owned.mjs';
import {budgetOf} from './structs.mjs';
import {editWorld, editBy} from './edits.mjs';
import {searchStruct, Search} from './searches.mjs';
import {GridMap} from './maps.mjs';

// Map and table that are edited as a draft, while searches find the state that was published last.
// A search that pauses keeps its state; the module has one thread, so that others wait for none.
export class World extends Owned {
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
                const [made] = library.make('cairn_search_new',
                    [...partsOf(library, view), address], 1, false);
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
    'cairn_search_run_from_any', 'cairn_search_begin_to_any', 'cairn_search_begin_from_any']);

// Releases the state of a search in a world that is not freed yet; does nothing where there is
// none.
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
