// What the types of the package accept.
import {load, type GridMap, type Path, type Rule} from 'cairn-path';

const cairn = await load();
const rule: Rule = '8-one-side';
const map: GridMap = cairn.mapFromRows(['...'], {rule, metric: [10, 14]});
const table = map.build({landmarkCount: 3, placement: 'farthest', progress: () => true});
const path: Path = table.search({space: 'jump', bound: node => node}).run([0, 0], 2);
const cost: number = path.cost + table.cost(0, [1, 0]) + map.costsFrom(0)[1];
map.edit([{x: 0, y: 0, letter: '@'}, {x: 0, y: 0, width: 2, bits: new Uint8Array(1)}]);
map.metric = [5, 7];
const straight: number = map.metric.straight;
const units: GridMap = map.forUnits(2, 'middle');
const sizes: Uint16Array = map.clearance();
const matrix: Uint32Array = table.distances([0, [1, 0]], 2);
const stand: number | null = map.nearestOpen([0, 0], units.unitSize, 1);
// @ts-expect-error: there is no such anchor
map.forUnits(2, 'right');
const crowd: number | null = map.flood().follow([[2, 0], 1]).next(0);
const version: number = cairn.world(map, table).version;
const hash: bigint = cairn.outline(table.toBytes({codec: 'raw'})).mapHash;
// @ts-expect-error: there is no such rule
cairn.mapFromRows(['...'], {rule: '9'});
// @ts-expect-error: cells or microseconds
table.refresh({cells: 1, microseconds: 1});
// @ts-expect-error: the list says how many there are
map.build({listedCount: 1});
// @ts-expect-error: parts are built into files
map.build({part: 1, partCount: 2});
export {cost, straight, hash, sizes, matrix, stand, crowd, version};
