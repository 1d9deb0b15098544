// What the demo does in a browser, at the sizes of a desk and of a hand:
//
//     node tests/web/browser.js CHROMIUM CAIRN.HTML [FOLDER for pictures]
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {Browser} = require('./chromium.js');

const [program, page, pictures] = process.argv.slice(2);
const DESK = [1400, 900], HAND = [390, 800];
let failures = 0;

function claim(name, found, expected = true) {
    const holds = JSON.stringify(found) === JSON.stringify(expected);
    console.log(`[ ${holds ? '      OK' : ' FAILED '} ] ${name}` +
        (holds ? '' : `: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`));
    failures += holds ? 0 : 1;
}

const textOf = (id) => `document.getElementById('${id}').textContent`;
const valueOf = (id) => `document.getElementById('${id}').value`;

// What an element takes of the window; null where it is not shown.
const boxOf = (id) => `(() => {
    const box = document.getElementById('${id}').getBoundingClientRect();
    return box.width && box.height ? [box.left, box.top, box.right, box.bottom] : null;
})()`;

async function choose(browser, id, value) {
    await browser.value(`(() => {
        const list = document.getElementById('${id}');
        list.value = '${value}';
        list.dispatchEvent(new Event('change'));
    })()`);
    await nextFrame(browser);
}

// Until the page has drawn what it was asked for.
async function nextFrame(browser) {
    await browser.value(`new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`);
}

async function openPage(browser, size) {
    await browser.open(`file://${path.resolve(page)}`, ...size);
    await browser.until(`${textOf('time-1')} !== ''`);
}

// Where a cell is in the window.
async function pointOf(browser, x, y) {
    return browser.value(`(() => {
        const box = document.getElementById('map').getBoundingClientRect();
        const [left, top] = demo.picture.placeOf(${y} * demo.cairn.width + ${x});
        return [box.left + left, box.top + top];
    })()`);
}

async function bothSearchesAreShown(browser) {
    claim('the_page_shows_both_searches',
        [await browser.value(textOf('expanded-0')), await browser.value(textOf('expanded-1'))],
        ['17,676', '679']);
}

async function playSaysPause(browser) {
    await browser.value('document.getElementById("speed").value = 0');
    await browser.clickOn('play');
    await browser.until(`${textOf('headline')} === 'Searching …'`);
    claim('play_says_pause_while_it_searches', await browser.value(textOf('play')), 'Pause');
    await browser.clickOn('play');
    await nextFrame(browser);
    const before = await browser.value('demo.cairn.report(0).expanded');
    await nextFrame(browser);
    claim('a_pause_stops_the_search', await browser.value('demo.cairn.report(0).expanded'), before);
    claim('pause_says_play_and_the_headline_follows',
        [await browser.value(textOf('play')), await browser.value(textOf('headline'))],
        ['Play', 'Paused: Step, Play or Finish.']);
    await browser.clickOn('step');
    claim('a_step_expands_one_node', await browser.value('demo.cairn.report(0).expanded'),
        before + 1);
    await browser.value('document.getElementById("speed").value = 12');
    await browser.clickOn('play');
    await browser.until('demo.finished');
    await nextFrame(browser);
    claim('at_the_end_play_says_play_and_the_headline_tells_the_result',
        [await browser.value(textOf('play')), await browser.value(textOf('headline'))],
        ['Play', '26.0 × fewer nodes with 16 landmarks.']);
    await browser.clickOn('finish');
}

async function hiddenFieldsAreHidden(browser) {
    claim('the_number_of_a_row_is_hidden_where_no_row_is_shown',
        await browser.value(boxOf('row-choice')), null);
    await choose(browser, 'view', 'row');
    claim('the_number_of_a_row_is_there_where_one_is_shown',
        await browser.value(`${boxOf('row-choice')} !== null`));
    claim('the_legend_says_how_far_the_row_goes', await browser.value(
        `${textOf('legend')} === 'at the landmarkfarthest from it: ' + (Math.max(
            ...demo.cairn.rowCosts(0).filter((cost, node) => cost !== UNREACHABLE &&
                demo.isOpen(node))) / demo.cairn.straight()).toFixed(1) + ' steps'`));
    await choose(browser, 'view', 'explored');
}

async function theFirstScreenHasALegend(browser, [width, height], name) {
    const [left, top, right, bottom] = await browser.value(boxOf('legend'));
    claim(`the_legend_is_on_the_first_screen_of_a_${name}`,
        left >= 0 && top >= 0 && right <= width && bottom <= height);
    const entries = await browser.value('document.querySelectorAll("#legend li").length');
    claim(`it_names_four_colours_on_a_${name}`, entries, 4);
    const [, , , results] = await browser.value(boxOf('results'));
    claim(`the_results_are_on_the_first_screen_of_a_${name}`, results <= height);
    claim(`nothing_is_wider_than_a_${name}`,
        await browser.value('document.documentElement.scrollWidth'), width);
}

// In the frame, one side is full: whatever the map's size.
async function theMapFillsTheStage(browser, name) {
    for (const map of ['town', 'maze', 'field']) {
        await choose(browser, 'maps', map);
        const free = await browser.value(`(() => {
            const frame = document.getElementById('frame').getBoundingClientRect();
            const {width, height, scale} = demo.picture;
            return Math.min(frame.width - width * scale, frame.height - height * scale);
        })()`);
        claim(`${map}_fills_the_stage_of_a_${name}`, Math.abs(free) < 1);
    }
    await choose(browser, 'maps', 'town');
}

async function openedFilesAreListed(browser) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-files.'));
    const mine = path.join(folder, 'mine.map'), broken = path.join(folder, 'broken.map');
    fs.writeFileSync(mine, 'type octile\nheight 2\nwidth 5\nmap\n.....\n..@..\n');
    fs.writeFileSync(broken, 'type octile\nheight 2\nwidth 5\nmap\n.....\n..@\n');

    await browser.chooseFile('file', mine);
    await browser.until('demo.cairn.width === 5');
    await nextFrame(browser);
    claim('an_opened_file_shows_its_name', await browser.value(valueOf('maps')), 'mine.map');
    await choose(browser, 'maps', 'town');
    claim('the_list_goes_back_to_a_map', await browser.value(textOf('expanded-1')), '679');
    await choose(browser, 'maps', 'mine.map');
    claim('and_to_the_file_again', await browser.value('demo.cairn.width'), 5);

    await browser.chooseFile('file', broken);
    await browser.until(`${textOf('problem')} !== ''`);
    claim('a_file_that_is_no_map_is_refused_by_name_and_line',
        await browser.value(`${textOf('problem')}.startsWith('broken.map: line 6: expected ')`));
    claim('and_the_map_before_stays', [await browser.value(valueOf('maps')),
        await browser.value('demo.cairn.width')], ['mine.map', 5]);
    await choose(browser, 'maps', 'town');
    fs.rmSync(folder, {recursive: true});
}

async function keysMoveTheFocusedMark(browser) {
    const start = () => browser.value('[demo.start % 256, Math.floor(demo.start / 256)]');
    await browser.click(...await pointOf(browser, 3, 3));
    claim('a_click_on_the_start_focuses_it',
        await browser.value('document.activeElement.ariaLabel'), 'start at 3,3');
    await browser.press('ArrowDown');
    claim('an_arrow_key_moves_the_start', await start(), [3, 4]);
    await browser.press('ArrowUp');
    await browser.press('ArrowUp');
    await browser.press('ArrowLeft');
    claim('and_beyond_a_wall', await start(), [2, 1]);
    await nextFrame(browser);
    claim('its_name_says_where_it_is',
        await browser.value('document.activeElement.ariaLabel'), 'start at 2,1');
    for (let i = 0; i < 3; i++)
        await browser.press('ArrowUp');
    claim('the_edge_of_the_map_stops_it', await start(), [2, 0]);

    await browser.press('Tab');
    claim('tab_goes_on_to_the_goal', await browser.value('document.activeElement.ariaLabel'),
        'goal at 250,215');
    await browser.press('Tab');
    const before = await browser.value('demo.marks[0]');
    await browser.press('ArrowDown');
    await nextFrame(browser);
    claim('and_to_the_first_landmark_which_keys_move_too',
        await browser.value('demo.marks[0] !== ' + before + ' && demo.isOpen(demo.marks[0])'));
    claim('and_its_row_is_that_of_the_new_place',
        await browser.value('demo.cairn.rowCosts(0)[demo.marks[0]]'), 0);
    await choose(browser, 'maps', 'town');
}

async function aGoalThatIsCutOffIsAnsweredAtOnce(browser) {
    const closed = 'type octile\nheight 3\nwidth 9\nmap\n......@..\n......@..\n......@..\n';
    await browser.value(`(() => {
        demo.addChoice('closed', {text: new TextEncoder().encode(${JSON.stringify(closed)}),
            ends: [[0, 0], [5, 2]]});
        demo.openChoice('closed');
    })()`);
    await nextFrame(browser);
    await browser.click(...await pointOf(browser, 5, 2));
    for (let i = 0; i < 2; i++)
        await browser.press('ArrowRight');
    await nextFrame(browser);
    const answer = 'No path: the goal is cut off from the start.';
    claim('a_goal_that_is_cut_off_is_said_to_be', await browser.value(textOf('headline')), answer);
    claim('without_a_node_expanded', await browser.value(
        '[demo.cairn.report(0).expanded, demo.cairn.report(1).expanded]'), [0, 0]);
    await browser.clickOn('play');
    await nextFrame(browser);
    claim('and_there_is_nothing_to_play',
        [await browser.value(textOf('headline')), await browser.value(textOf('play'))],
        [answer, 'Play']);
    await browser.clickOn('finish');
    await choose(browser, 'maps', 'town');
}

async function take(browser, name) {
    if (pictures)
        await browser.picture(path.join(pictures, `${name}.png`));
}

async function main() {
    const browser = await Browser.start(program);
    try {
        await openPage(browser, DESK);
        await take(browser, 'desk');
        await bothSearchesAreShown(browser);
        await theFirstScreenHasALegend(browser, DESK, 'desk');
        await theMapFillsTheStage(browser, 'desk');
        await playSaysPause(browser);
        await hiddenFieldsAreHidden(browser);
        await openedFilesAreListed(browser);
        await keysMoveTheFocusedMark(browser);
        await aGoalThatIsCutOffIsAnsweredAtOnce(browser);
        await openPage(browser, HAND);
        await take(browser, 'hand');
        await theFirstScreenHasALegend(browser, HAND, 'hand');
        await theMapFillsTheStage(browser, 'hand');
        claim('the_console_has_no_complaint', browser.complaints, []);
    } finally {
        await browser.close();
    }
    process.exitCode = failures ? 1 : 0;
}

main().catch((problem) => {
    console.log(`[ FAILED  ] the browser answers: ${problem.stack}`);
    process.exitCode = 1;
});
