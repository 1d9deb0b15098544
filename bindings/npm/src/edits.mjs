// Edits of maps and worlds.
import * as D from './declarations.mjs';
import {STATUS, uint32, textBytes} from './values.mjs';

// Edits of a map: an error says which of them was refused.
export function editMap(library, pointer, edits, count) {
    const status = library.change('cairn_map_edit', pointer, edits, count);
    checkEdits(library, status, pointer, edits, count);
}

// The same of a world's draft, which accepts the edits that the published state would.
export function editWorld(library, pointer, edits, count) {
    const status = library.change('cairn_world_edit', pointer, edits, count);
    if (status !== STATUS.ok)
        library.within(() => {
            const view = library.take(D.STRUCTS.cairn_view.size);
            library.call('cairn_world_acquire', view, pointer);
            const map = library.memory().view.getUint32(
                view + D.STRUCTS.cairn_view.members.map[1], true);
            try {
                checkEdits(library, status, map, edits, count);
            } finally {
                library.call('cairn_world_release', pointer, view);
            }
        });
}

function checkEdits(library, status, map, edits, count) {
    if (status === STATUS.ok)
        return;
    library.withBytes([new Uint8Array(D.STRUCTS.cairn_error.size)], error => {
        const refused = library.call('cairn_map_check_edits', map, edits, count, error);
        library.check(status, refused === status ? error : 0);
    });
}

export function editBy(owned, make, edits, more) {
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
