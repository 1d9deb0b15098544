// The same package by require(), and as browsers take it, as a script and as a module: a server is
// played by the files.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const vm = require('node:vm');
const {load, UNREACHABLE} = require('cairn-path');

load().then(cairn => {
    const map = cairn.mapFromRows(['..@.', '..@.']);
    assert.equal(map.build().search().run(0, 1).length, 1);
    assert.equal(map.search().run(0, 3).cost, UNREACHABLE);
});

const folder = path.dirname(require.resolve('cairn-path'));

async function fetchFile(url) {
    const at = new URL(url);
    return fs.existsSync(at) ? {ok: true, arrayBuffer: async () => fs.readFileSync(at)}
        : {ok: false, status: 404, statusText: 'missing'};
}

async function servesScripts() {
    const place = path.join(folder, 'script.js');
    const page = vm.createContext({document: {currentScript: {src: pathToFileURL(place).href}},
        fetch: fetchFile, URL, WebAssembly, TextEncoder, TextDecoder, performance});
    vm.runInContext(fs.readFileSync(place, 'utf8'), page);
    const length = vm.runInContext(`cairnPath.load().then((cairn) =>
        cairn.mapFromRows(['..@.', '..@.']).search().run(0, 1).length)`, page);
    assert.equal(await length, 1);
}

async function servesModules() {
    globalThis.fetch = fetchFile;
    const browser = await import(pathToFileURL(path.join(folder, 'browser.mjs')).href);
    const cairn = await browser.load({vectors: false});
    assert.equal(cairn.isVector, false);
    assert.equal(cairn.mapFromRows(['..@.']).search().run(0, 3).cost, UNREACHABLE);
}

servesScripts().then(servesModules);
