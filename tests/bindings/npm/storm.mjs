// Calls everything with arguments of any type and size: exceptions of JavaScript and of the library
// are answers, a trap of the module is a fault.
//
//     node storm.mjs CALLS SEED
import {load, CairnError} from 'cairn-path';

const [calls, seed] = process.argv.slice(2).map(Number);
let state = BigInt(seed) * 2n + 1n;

function random(below) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(below));
}

const pick = list => list[random(list.length)];
const letters = '....@@TSG^v<>Wx';

function rows() {
    const width = 1 + random(9);
    return Array.from({length: 1 + random(9)}, () =>
        Array.from({length: width}, () => letters[random(random(4) ? 6 : letters.length)])
            .join(''));
}

const words = ['8', '4', '8-one-side', 'hex', 'average', 'compact', 'list', 'greedy', 'corners',
    'jump', 'raw', 'middle', 'top-left', 'seeds', 'left-out', 'zero', 'euclidean', 'use', '', 'x',
    'block 1 1', 'cost 0 1 7\n'];
const keys = ['rule', 'charge', 'metric', 'terrain', 'landmarkCount', 'placement', 'listed', 'seed',
    'resident', 'stepMetric', 'space', 'form', 'nearest', 'neverReopen', 'weight', 'ties',
    'heuristic', 'bound', 'onExpand', 'expansionLimit', 'progress', 'codec', 'mapPart', 'rowCount',
    'map', 'memoryLimit', 'cells', 'microseconds', 'x', 'y', 'width', 'height', 'letter', 'bits',
    'letters', 'from', 'to', 'cost', 'nodeCount', 'arcs', 'heights', 'climb', 'descend', 'pairs',
    'start', 'goal', 'cancel', 'nonsense'];
const numbers = [0, 1, 2, 3, 5, 7, 10, 16, -1, 0.5, NaN, Infinity, 255, 256, 65535, 65536,
    2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e300];
const kept = [];

function value(depth = 0) {
    switch (random(depth > 2 ? 8 : 16)) {
    case 0: case 1: case 2: return random(12);
    case 3: return pick(numbers);
    case 4: return pick(words);
    case 5: return pick([null, undefined, true, false, Symbol('s'), 3n, -1n]);
    case 6: return kept.length > 0 ? pick(kept) : 0;
    case 7: return pick(rows());
    case 8: return [random(9), random(9)];
    case 9: return Array.from({length: random(5)}, () => value(depth + 1));
    case 10: return pick([new Uint8Array(random(80)), new Uint32Array(random(9)),
        new ArrayBuffer(4)]);
    case 11: return pick([() => random(9), () => { throw new RangeError('mine'); },
        () => value(depth + 1), () => call(depth + 1), () => [[random(9), 1 + random(9)]]]);
    case 12: return [[random(9), random(9)], [random(9), random(9)]];
    case 13: return rows();
    default: return Object.fromEntries(Array.from({length: random(4)},
        () => [pick(keys), value(depth + 1)]));
    }
}

function methods(object) {
    const found = [];
    for (let at = Object.getPrototypeOf(object); at && at !== Object.prototype;
        at = Object.getPrototypeOf(at))
        found.push(...Object.getOwnPropertyNames(at).filter(name => name !== 'constructor'));
    return found;
}

function call(depth = 0) {
    const object = pick(kept);
    const name = pick(methods(object));
    if (depth > 3)
        return 0;
    const {get, set} = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), name) || {};
    let made;
    if (get)
        made = set && random(3) === 0 ? (object[name] = value(depth)) : object[name];
    else if (typeof object[name] === 'function')
        made = object[name](...Array.from({length: random(4)}, () => value(depth)));
    for (const each of made && made.map && made.table ? [made.map, made.table] : [made])
        if (each !== null && typeof each === 'object' && each.dispose && kept.length < 60)
            kept.push(each);
    return made;
}

const cairn = await load({vectors: seed % 2 === 0});
kept.push(cairn);
let answers = 0;
for (let index = 0; index < calls; index++) {
    if (kept.length < 8 || random(20) === 0)
        kept.push(cairn.mapFromRows(['..@.....', '.@@..@..', '........', '.@..@@@.'],
            {rule: pick(['8', '4', 'hex', '8-any'])}));
    if (random(100) === 0)
        kept.push(cairn.world(cairn.mapFromRows(['..@.', '....'])));
    if (kept.length > 40)
        kept.splice(1 + random(kept.length - 1), 1);
    try {
        call();
        answers++;
    } catch (error) {
        if (!(error instanceof CairnError || error instanceof TypeError ||
            error instanceof RangeError || error instanceof SyntaxError) ||
            error instanceof WebAssembly.RuntimeError) {
            console.log(`call ${index}:`, error);
            process.exit(1);
        }
    }
}
console.log(`${calls} calls, ${answers} of them answered`);
process.exit(answers > calls / 50 ? 0 : 1);
