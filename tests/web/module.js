// What the demo's page has of the library, against an oracle of its own:
//
//     node tests/web/module.js PACKAGE      PACKAGE: the folder with the page's npm package
'use strict';

const fs = require('fs');
const path = require('path');
const {Model, KIND} = require('../../tools/web/module.js');

const folder = path.resolve(process.argv[2]);
const {load, UNREACHABLE} = require(folder);

const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
const STRAIGHT = 2378, DIAGONAL = 3363;
const townFile = path.join(__dirname, '../../data/maps/town.map');

let failures = 0;

function claim(name, holds, found = '') {
    console.log(`[ ${holds ? '      OK' : ' FAILED '} ] ${name}${holds ? '' : `: ${found}`}`);
    failures += holds ? 0 : 1;
}

// A small generator: the same numbers in every run.
function luckFrom(seed) {
    let state = seed;
    return (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * below);
    };
}

// Costs from a cell by the simplest means: a queue of nodes whose cost fell, until none is left.
// `unit` is what the map counts a 2378th of a straight step as.
function oracle(letters, width, height, unit, source) {
    const factor = {'.': 1, F: 3, M: 6};
    const costOf = (node) => factor[String.fromCharCode(letters[node])] ?? 0;
    const costs = new Array(width * height).fill(UNREACHABLE);
    const queue = [source];
    costs[source] = 0;
    for (let head = 0; head < queue.length; head++) {
        const node = queue[head], x = node % width, y = Math.floor(node / width);
        for (const [dx, dy] of STEPS) {
            const tx = x + dx, ty = y + dy, next = ty * width + tx;
            if (tx < 0 || ty < 0 || tx >= width || ty >= height || !costOf(next))
                continue;
            if (dx && dy && (!costOf(y * width + tx) || !costOf(ty * width + x)))
                continue;
            const cost = costs[node] +
                (dx && dy ? DIAGONAL : STRAIGHT) * unit * (costOf(node) + costOf(next)) / 2;
            if (cost < costs[next]) {
                costs[next] = cost;
                queue.push(next);
            }
        }
    }
    return costs;
}

function unitOf(cairn) {
    return cairn.straight() / STRAIGHT;
}

function mapText(letters, width, height) {
    const rows = Array.from({length: height},
        (_, y) => letters.slice(y * width, (y + 1) * width).join(''));
    return new TextEncoder().encode(
        `type octile\nheight ${height}\nwidth ${width}\nmap\n${rows.join('\n')}\n`);
}

// What a search finds, cut into pieces of `piece` expansions.
function search(cairn, kind, start, goal, piece = UNREACHABLE) {
    cairn.begin(kind, start, goal);
    do
        cairn.resume(kind, piece);
    while (cairn.report(kind).outcome === 'paused');
    return cairn.report(kind);
}

// The picture of the README: the same nodes are expanded here as by the program.
function townIsSearchedAsByTheProgram(cairn) {
    cairn.openMap(fs.readFileSync(townFile), '', '8');
    cairn.choose('best', 1000, 'last');
    cairn.build(16);
    const start = 3 * cairn.width + 3, goal = 215 * cairn.width + 250;
    const expanded = [KIND.BASE, KIND.LANDMARKS].map(
        (kind) => search(cairn, kind, start, goal, 100).expanded);
    claim('town_is_searched_as_by_the_program', expanded.join() === '17676,679', expanded.join());
    const closed = [KIND.BASE, KIND.LANDMARKS].map(
        (kind) => cairn.states(kind).filter((state) => state === 2).length);
    claim('closed_nodes_are_those_that_were_expanded',
        closed.every((count, kind) => Math.abs(count - expanded[kind]) <= 1), closed.join());
    const costs = cairn.costsTo(goal);
    const bounds = cairn.bounds(KIND.LANDMARKS, goal);
    const low = bounds.findIndex(
        (bound, node) => costs[node] !== UNREACHABLE && bound > costs[node]);
    claim('no_bound_exceeds_the_cost', low === -1, `node ${low}`);
    const seen = cairn.look(KIND.LANDMARKS, goal);
    claim('a_node_tells_its_costs', seen.g === costs[start] && seen.h === 0, JSON.stringify(seen));
    const fast = cairn.runFast(KIND.LANDMARKS, start, goal);
    claim('the_default_search_takes_jump_points', fast > 0 && fast < 300, fast);
}

// Rectangles are drawn, and the table is repaired in pieces between searches.
function editsLeaveSearchesExact(cairn, terrain, seed) {
    const width = 37, height = 29, luck = luckFrom(seed);
    const letters = Array.from({length: width * height}, () => luck(5) ? '.' : '@');
    const brushes = terrain ? '.@FM' : '.@';
    cairn.openMap(mapText(letters, width, height), terrain, '8');
    cairn.choose('best', 1000, 'last');
    cairn.build(5);
    let wrong = '';
    for (let round = 0; round < 60 && !wrong; round++) {
        const x = luck(width - 3), y = luck(height - 3);
        cairn.edit(x, y, 1 + luck(3), 1 + luck(3), brushes[luck(brushes.length)]);
        cairn.refresh(luck(200));
        wrong = firstWrongAnswer(cairn, luck);
    }
    const name = terrain ? 'on_terrain' : 'without_terrain';
    claim(`edits_leave_searches_exact_${name}`, !wrong, wrong);
    while (cairn.refresh(1000))
        continue;
    const states = Array.from({length: 5}, (_, row) => cairn.rowState(row));
    claim(`repair_ends_${name}`, states.every((state) => state === 'fresh'), states.join());
    claim(`repaired_rows_are_exact_${name}`, rowsAreExact(cairn));
}

function firstWrongAnswer(cairn, luck) {
    const letters = cairn.letters();
    const open = Array.from(letters.keys()).filter((node) => letters[node] !== 64);
    const start = open[luck(open.length)], goal = open[luck(open.length)];
    const truth = oracle(letters, cairn.width, cairn.height, unitOf(cairn), start)[goal];
    for (const kind of [KIND.BASE, KIND.LANDMARKS]) {
        const {cost} = search(cairn, kind, start, goal, 7);
        if (cost !== truth)
            return `${start} to ${goal}, kind ${kind}: ${cost} for ${truth}`;
    }
    return '';
}

function rowsAreExact(cairn) {
    const letters = cairn.letters();
    for (let row = 0; row < cairn.rowCount(); row++) {
        const from = Array.from(cairn.landmarks(row),
            (node) => oracle(letters, cairn.width, cairn.height, unitOf(cairn), node));
        const costs = cairn.rowCosts(row);
        for (let node = 0; node < cairn.count; node++)
            if (letters[node] !== 64 && costs[node] !== Math.min(...from.map((all) => all[node])))
                return false;
    }
    return true;
}

function landmarksAreWhereTheyArePut(cairn) {
    cairn.openMap(mapText(Array(200).fill('.'), 20, 10), '', '8');
    cairn.build(3, [45, 7]);
    const landmarks = [0, 1].map((row) => cairn.landmarks(row)[0]);
    claim('landmarks_are_where_they_are_put', landmarks.join() === '45,7', landmarks.join());
    claim('a_table_may_be_left_out', (cairn.build(0), cairn.rowCount() === 0));
}

// By a clock of the test's own, which is read twice a round: two rounds in three are disturbed.
function timesAreThoseOfTheBestRound(cairn) {
    const {now} = performance, {runFast} = cairn;
    let clock = 0, readings = 0;
    performance.now = () => {
        readings++;
        return clock;
    };
    cairn.runFast = () => {
        clock += (readings >> 1) % 3 === 0 ? 0.02 : 0.03;
    };
    const time = cairn.timeOf(KIND.BASE, 0, 0, 4);
    performance.now = now;
    cairn.runFast = runFast;
    claim('times_are_those_of_the_best_round', Math.abs(time - 20) < 0.1, time);
}

function badMapsAreExplained(cairn) {
    const said = (text) => {
        try {
            cairn.openMap(new TextEncoder().encode(text), '', '8');
            return 'nothing';
        } catch (problem) {
            return problem.message;
        }
    };
    const found = said('type octile\nheight 2\nwidth 2\nmap\n..\n.?\n');
    claim('a_bad_map_is_explained',
        /^line 6: .*expected .*found .*[?]/.test(found), found);
    claim('roads_are_no_map_here', said('p sp 2 1\na 1 2 5\n') === 'expected a grid, found roads',
        said('p sp 2 1\na 1 2 5\n'));
    claim('an_empty_map_is_explained', said('').includes('expected'), said(''));
}

async function main() {
    const cairn = new Model(await load({module: fs.readFileSync(`${folder}/cairn-simd.wasm`)}));
    townIsSearchedAsByTheProgram(cairn);
    editsLeaveSearchesExact(cairn, '', 1);
    editsLeaveSearchesExact(cairn, 'F=3 M=6', 2);
    landmarksAreWhereTheyArePut(cairn);
    timesAreThoseOfTheBestRound(cairn);
    badMapsAreExplained(cairn);
    process.exit(failures ? 1 : 0);
}

main();
