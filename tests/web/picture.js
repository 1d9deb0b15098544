// Makes the picture of the demo that README shows: a wall across a square, and rows half repaired.
//
//     sh tools/web/build.sh && node tests/web/picture.js chromium build/web/cairn.html PICTURE.PNG
//
// Prints what the picture says, for the words below it.
'use strict';

const path = require('path');
const {Browser} = require('./chromium.js');

const [program, page, picture] = process.argv.slice(2);
const SIZE = [1200, 860];
const WALL = [[165, 100], [188, 148]];   // cells from which and to which it is drawn
const FRESH = 6;                         // rows that are repaired when the picture is taken

async function drawWall(browser) {
    await browser.value(`document.getElementById('repair').click();
        document.querySelector('#tools input[value="@"]').click()`);
    const [from, to] = await browser.value(`${JSON.stringify(WALL)}.map(([x, y]) => {
        const box = document.getElementById('map').getBoundingClientRect();
        const [left, top] = demo.picture.placeOf(y * demo.cairn.width + x);
        return [box.left + left, box.top + top];
    })`);
    await browser.mouse('mousePressed', ...from);
    await browser.mouse('mouseMoved', ...to);
    await browser.mouse('mouseReleased', ...to);
    await browser.mouse('mouseMoved', SIZE[0] - 1, 1);
}

// So many rows, and half of the next.
async function repair(browser) {
    await browser.until('demo.repairing');
    await browser.value(`(() => {
        const states = () => demo.marks.map((_, row) => demo.cairn.rowState(row));
        while (states().filter((state) => state === 'fresh').length < ${FRESH})
            demo.repair();
        while (demo.repairing && !states().includes('unsafe'))
            demo.repair();
    })()`);
    await browser.until(`document.querySelector('.chip.unsafe') !== null`);
}

async function main() {
    const browser = await Browser.start(program);
    try {
        await browser.open(`file://${path.resolve(page)}`, ...SIZE);
        await browser.until(`document.getElementById('time-1').textContent !== ''`);
        await drawWall(browser);
        await repair(browser);
        await browser.picture(picture);
        console.log(await browser.value(`[document.getElementById('headline').textContent,
            ...['fresh', 'weaker', 'unsafe'].map((state) =>
                state + ': ' + document.querySelectorAll('.chip.' + state).length)].join('; ')`));
    } finally {
        await browser.close();
    }
}

main();
