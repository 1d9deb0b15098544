// Reads a map and a scenario, builds a table and answers 500 queries; then what a query between two
// neighbours takes, where hardly anything is left but the call.
//
//     npm install cairn-path
//     node queries.mjs MAP SCEN
import {readFileSync} from 'node:fs';
import {load} from 'cairn-path';

const QUERIES = 500, ROUNDS = 9, TIMES = 20000;

const [mapPath, scenarioPath] = process.argv.slice(2);
if (!scenarioPath) {
    console.error('usage: node queries.mjs MAP SCEN');
    process.exit(2);
}
const cairn = await load();
const map = cairn.parseMap(readFileSync(mapPath));
const queries = map.parseScenario(readFileSync(scenarioPath));
const search = map.build().search();
for (let index = 0; index < QUERIES; index++) {
    const {start, goal} = queries[Math.floor(index * queries.length / QUERIES)];
    console.log(search.run(start, goal).cost);
}

const [{from, to}] = map.steps(queries[0].start);
const rounds = Array.from({length: ROUNDS}, () => {
    const begun = process.cpuUsage();
    for (let time = 0; time < TIMES; time++)
        search.run(from, to);
    const {user, system} = process.cpuUsage(begun);
    return (user + system) / TIMES;
});
console.log(`time ${rounds.sort((a, b) => a - b)[ROUNDS >> 1].toFixed(3)}`);
