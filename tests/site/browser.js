// Uses the documentation site in a headless browser: no page is wider than its window, none
// complains or fetches anything from elsewhere, light or dark, and the search finds a call.
//
//     node tests/site/browser.js chromium build/site/html [PICTURES]
'use strict';

const assert = require('assert');
const fs = require('fs');
const http = require('http');
const path = require('path');
const {Browser} = require('../web/chromium.js');

const [program, folder, pictures] = process.argv.slice(2);
const PAGES = ['index.html', 'docs/GUIDE.html', 'docs/JSON.html', 'docs/LIBRARY.html',
    'docs/BENCHMARKS.html', 'docs/benchmarks/games.html', 'lib/include/cairn/search.h.html',
    'examples/game.c.html', 'demo/cairn.html'];
const TYPES = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript',
    '.json': 'application/json', '.png': 'image/png', '.svg': 'image/svg+xml'};
const BRIGHTNESS = `getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3)
    .reduce((sum, part) => sum + Number(part), 0)`;

function serve() {
    const server = http.createServer((request, response) => {
        const name = decodeURIComponent(new URL(request.url, 'http://here').pathname);
        fs.readFile(path.join(folder, name), (error, bytes) => {
            response.writeHead(error ? 404 : 200,
                {'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream'});
            response.end(bytes);
        });
    });
    return new Promise((resolve) => server.listen(0, () => resolve(server)));
}

async function checkPage(browser, address, page, width, scheme) {
    await browser.send('Emulation.setEmulatedMedia',
        {features: [{name: 'prefers-color-scheme', value: scheme}]});
    await browser.open(`${address}/${page}`, width, 850);
    const what = `${page}, ${width} px, ${scheme}`;
    // The theme chooses its colours by a script, some time after the page is there.
    await browser.until(`${BRIGHTNESS} ${scheme === 'light' ? '> 600' : '< 300'} /* ${what} */`);
    const [used, there, elsewhere] = await browser.value(`[
        document.scrollingElement.scrollWidth, innerWidth,
        performance.getEntriesByType('resource').map((each) => each.name)
            .filter((name) => !name.startsWith(location.origin) && !/^(data|blob):/.test(name))]`);
    assert.ok(used <= there, `${what}: ${used} px wide`);
    assert.deepStrictEqual(elsewhere, [], what);
    if (pictures)
        await browser.picture(path.join(pictures,
            `${page.replace(/\W/g, '-')}-${width}-${scheme}.png`));
    await browser.value('localStorage.clear()');   // where the site keeps the scheme
}

async function search(browser, address) {
    await browser.open(`${address}/index.html`, 1280, 850);
    await browser.value(`document.querySelector('.md-search__input').focus()`);
    // What is typed before the theme has read its index, it forgets.
    await browser.until(`!/Initializing/.test(
        document.querySelector('.md-search-result__meta').textContent)`);
    for (const key of 'avoid')
        await browser.press(key);
    // Results come after each key.
    await browser.until(`[...document.querySelectorAll('.md-search-result__link')].some(
        (each) => /search\\.h\\.html\\S*#cairn_search_avoid/.test(each.href))`);
    if (pictures)
        await browser.picture(path.join(pictures, 'search.png'));
}

async function main() {
    const server = await serve();
    const address = `http://localhost:${server.address().port}`;
    const browser = await Browser.start(program);
    try {
        for (const scheme of ['light', 'dark'])
            for (const width of [1280, 390])
                for (const page of PAGES)
                    await checkPage(browser, address, page, width, scheme);
        await search(browser, address);
        assert.deepStrictEqual(browser.complaints, []);
    } finally {
        await browser.close();
        server.close();
    }
}

main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
});
