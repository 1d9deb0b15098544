// Edits of maps and worlds.
import * as D from './declarations.mjs';
import {STATUS, uint32, textBytes, plainObject, letterCode} from './values.mjs';

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
    library.withBytes([dataOf(list)], data =>
        library.withBytes([structsOf(list, data)], structs =>
            make(library, owned.pointer, structs, list.length)));
}

const CELLS = ['x', 'y', 'width', 'height'];
const BESIDE = {letter: CELLS, letters: CELLS, bits: CELLS, cost: ['from', 'to']};
const NEW_VALUES = Object.keys(BESIDE);

// What an edit holds, read once: a getter of the caller may answer otherwise the next time.
function readEdit(edit) {
    const held = {...plainObject(edit, 'edit')};
    const names = Object.keys(held).filter(name => held[name] !== undefined);
    const [value, ...more] = names.filter(name => NEW_VALUES.includes(name));
    if (!value || more.length > 0)
        throw new TypeError('an edit has a letter, letters, bits or a cost');
    for (const name of names)
        if (name !== value && !BESIDE[value].includes(name))
            throw new TypeError(`edit: there is no ${name} beside ${value}`);
    return value === 'cost' ? readArc(held) : readCells(held, value);
}

function readArc({from, to, cost}) {
    return {kind: 'arc', data: NO_DATA,
        arc: [uint32(from, 'from'), uint32(to, 'to'), uint32(cost, 'cost')]};
}

const NO_DATA = new Uint8Array();

function readCells(held, value) {
    const {x, y, width = 1, height = 1, letter} = held;
    const cells = uint32(width, 'width') * uint32(height, 'height');
    const place = [uint32(x, 'x'), uint32(y, 'y'), Number(width), Number(height)];
    if (value === 'letter')
        return {kind: 'fill', data: NO_DATA, place, letter: letterCode(letter)};
    const data = textBytes(held[value], value).slice();
    const needed = value === 'bits' ? Math.ceil(cells / 8) : cells;
    if (data.length !== needed)
        throw new RangeError(`expected ${needed} bytes, found ${data.length}`);
    return {kind: value, data, place, letter: 0};
}

// The data of all edits, one after the other.
function dataOf(list) {
    const bytes = new Uint8Array(list.reduce((sum, {data}) => sum + data.length, 0));
    list.reduce((at, {data}) => {
        bytes.set(data, at);
        return at + data.length;
    }, 0);
    return bytes;
}

// Edits as the library takes them, whose data begin at an address.
function structsOf(list, address) {
    const {size, members} = D.STRUCTS.cairn_edit;
    const view = new DataView(new ArrayBuffer(size * list.length));
    list.forEach(({kind, data, place, letter, arc}, index) => {
        const at = size * index;
        const write = (name, numbers) => numbers.forEach((number, part) =>
            view.setUint32(at + members[name][1] + 4 * part, number, true));
        write('kind', [D.ENUMS.cairn_edit_kind.indexOf(kind)]);
        if (arc) {
            write('arc', arc);
        } else {
            write('x', place); // and what follows it
            view.setUint8(at + members.letter[1], letter);
            write('data', [address]);
        }
        address += data.length;
    });
    return new Uint8Array(view.buffer);
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
