// What the demo does in a browser, at the sizes of a desk, of a hand and of smaller windows:
//
//     node tests/web/browser.js CHROMIUM CAIRN.HTML [FOLDER for pictures]
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {Browser} = require('./chromium.js');

const [program, page, pictures] = process.argv.slice(2);
const DESK = [1400, 900], HAND = [390, 800];
const SMALL = [320, 640], FLAT = [844, 390];   // a hand that is turned
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

// What is seen of the frame in which the window gets another size: observers that are added later
// are called later.
async function aResizeShowsTheMapAtOnce(browser) {
    claim('the_frame_that_resizes_the_map_shows_it', await browser.value(`new Promise((done) => {
        const frame = document.getElementById('frame'), canvas = document.getElementById('map');
        let width = 0;
        const observer = new ResizeObserver(() => {
            if (width === 0) {
                width = canvas.width;
                frame.style.maxWidth = '600px';
                return;
            }
            observer.disconnect();
            const alphas = canvas.getContext('2d').getImageData(canvas.width / 2, 0, 1,
                canvas.height).data.filter((value, index) => index % 4 === 3);
            frame.style.maxWidth = '';
            done(canvas.width < width && alphas.some((alpha) => alpha > 0));
        });
        observer.observe(frame);
    })`));
    await nextFrame(browser);
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
    await theNextSearchRunsToItsEnd(browser, 'after_play');
}

// What was watched to its end is over: another map, and what is drawn, is searched at once.
async function theNextSearchRunsToItsEnd(browser, name) {
    await choose(browser, 'maps', 'cave');
    claim(`another_map_is_searched_at_once_${name}`, await browser.value('demo.finished'));
    await choose(browser, 'maps', 'town');
    await drawAt(browser, '@', 125, 62);
    claim(`and_with_a_wall_${name}`, await browser.value('demo.finished'));
    await browser.until('!demo.repairing');
    await choose(browser, 'maps', 'town');
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
                demo.isOpen(node))) / demo.cairn.straight()).toFixed(1) + ' stepspathlandmark'`));
    await choose(browser, 'view', 'explored');
}

async function theFirstScreenHasALegend(browser, [width, height], name) {
    const [left, top, right, bottom] = await browser.value(boxOf('legend'));
    claim(`the_legend_is_on_the_first_screen_of_a_${name}`,
        left >= 0 && top >= 0 && right <= width && bottom <= height);
    const entries = await browser.value('document.querySelectorAll("#legend li").length');
    claim(`it_names_four_colours_the_path_and_landmarks_on_a_${name}`, entries, 6);
    for (const id of ['step', 'play', 'finish', 'scrub', 'view']) {
        const [, , , below] = await browser.value(boxOf(id));
        claim(`${id}_is_on_the_first_screen_of_a_${name}`, below <= height);
    }
    const [, , , results] = await browser.value(boxOf('results'));
    claim(`the_results_are_on_the_first_screen_of_a_${name}`, results <= height);
    claim(`nothing_is_wider_than_a_${name}`,
        await browser.value('document.documentElement.scrollWidth'), width);
}

async function theBrushTellsItsSize(browser) {
    claim('the_brush_tells_its_size', await browser.value(`[5, 15].map((size) => {
        const slider = document.getElementById('brush');
        slider.value = size;
        slider.dispatchEvent(new Event('input'));
        return ${textOf('brush-value')};
    })`), ['5 × 5', '15 × 15']);
    await browser.value('setValueOf("brush", 5); demo.showNumbers()');
}

// In view, so that it can be read where nothing hovers.
async function theFastSearchIsExplained(browser) {
    claim('words_below_the_figures_say_what_the_fast_search_is', await browser.value(
        `/Fast search: .*jump points/.test(document.querySelector('.note').innerText)`));
    claim('nothing_in_the_table_is_said_by_hovering_alone',
        await browser.value('document.querySelectorAll("#results [title]").length'), 0);
}

// Marks of a map of few cells are no larger than those of a map that fits: 16 pixels and a tenth.
async function marksOfATinyMapAreSmall(browser) {
    const text = 'type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n';
    await browser.value(`(() => {
        demo.addChoice('tiny', {text: new TextEncoder().encode(${JSON.stringify(text)})});
        demo.openChoice('tiny');
    })()`);
    await nextFrame(browser);
    claim('a_disc_covers_a_part_of_a_large_cell', await browser.value(
        'demo.picture.scale > 80 && demo.picture.markSize() <= 16 * devicePixelRatio'));
    const [x, y] = await browser.value(`(() => {
        const at = (node) => [node % 4, Math.floor(node / 4)];
        return at(demo.start)[1] === 1 ? [at(demo.start)[0], 2] : [at(demo.start)[0], 1];
    })()`);
    claim('and_the_cell_beside_it_can_be_drawn_on', await browser.value(
        `demo.markAt({x: ${x}, y: ${y}})?.name !== 'start'`));
    await take(browser, 'tiny');
    await choose(browser, 'maps', 'town');
}

// The colours of bounds: from what all but a few cells have to an exact bound.
async function boundsAreToldApart(browser) {
    for (const [view, kind] of [['bound-0', 0], ['bound-1', 1]]) {
        await choose(browser, 'view', view);
        const [least, below, middle] = await browser.value(`(() => {
            const bounds = demo.cairn.bounds(${kind}, demo.goal), {exact, leastShare} = demo;
            const shares = Array.from(exact.keys()).filter((node) => demo.isOpen(node) &&
                exact[node] !== UNREACHABLE && exact[node] > 0)
                .map((node) => bounds[node] / exact[node]).sort((a, b) => a - b);
            return [leastShare, shares.filter((share) => share < leastShare).length /
                shares.length, shares[shares.length >> 1]];
        })()`);
        claim(`few_cells_lie_below_the_scale_of_${view}`, below <= 0.02);
        claim(`and_half_of_them_well_above_its_end_${view}`, middle > least + (1 - least) / 5);
        claim(`the_legend_of_${view}_says_where_it_ends`, await browser.value(
            `${textOf('legend')}.includes(+(demo.leastShare * 100).toFixed(1) + ' % or less')`));
        await take(browser, view);
    }
    await choose(browser, 'view', 'explored');
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
        /^broken.map: line 6: .*expected /.test(await browser.value(textOf('problem'))));
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

    await browser.press('PageDown');
    claim('page_down_goes_on_to_the_goal', await browser.value('document.activeElement.ariaLabel'),
        'goal at 250,215');
    claim('and_tab_reaches_one_mark_alone', await browser.value(
        'document.querySelectorAll("#marks [tabindex=\\"0\\"]").length'), 1);
    for (const key of ['PageUp', 'PageUp'])
        await browser.press(key);
    claim('before_the_first_mark_is_the_last', /^landmark 15 at/.test(
        await browser.value('document.activeElement.ariaLabel')));
    await browser.press('Tab');
    claim('tab_goes_on_to_the_buttons', await browser.value('document.activeElement.id'), 'rewind');
    await browser.value('demo.handleOf({name: "goal"}).focus()');
    await browser.press('PageDown');
    const before = await browser.value('demo.marks[0]');
    await browser.press('ArrowDown');
    await nextFrame(browser);
    claim('and_to_the_first_landmark_which_keys_move_too',
        await browser.value('demo.marks[0] !== ' + before + ' && demo.isOpen(demo.marks[0])'));
    claim('and_its_row_is_that_of_the_new_place',
        await browser.value('demo.cairn.rowCosts(0)[demo.marks[0]]'), 0);
    await choose(browser, 'maps', 'town');
}

async function keysMoveACursor(browser) {
    const cursor = () => browser.value('demo.cursor === null ? null : demo.cellName(demo.cursor)');
    await browser.value('document.getElementById("map").focus()');
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'])
        await browser.press(key);
    claim('arrow_keys_move_a_cursor_from_the_start', await cursor(), '1,4');
    for (let i = 0; i < 3; i++)
        await browser.press('ArrowLeft');
    claim('which_the_edge_of_the_map_stops', await cursor(), '0,4');
    await nextFrame(browser);
    claim('what_is_there_is_shown', await browser.value(
        `${textOf('hover')}.startsWith('0,4 ') && ${textOf('why')} !== ''`));
    await browser.press('Enter');
    claim('and_said', await browser.value(`${textOf('said')}.startsWith('0,4 ')`));
    await take(browser, 'cursor');
    await theCursorDraws(browser);
    await browser.press('Tab');
    claim('the_cursor_goes_with_the_focus', await cursor(), null);
    await browser.value('document.activeElement.blur()');
    await choose(browser, 'maps', 'town');
}

async function theCursorDraws(browser) {
    const walls = `demo.letters.reduce((sum, letter) => sum + (letter === 64), 0)`;
    const before = await browser.value(walls);
    await browser.press('2');
    await browser.press('Enter');
    const after = await browser.value(walls);
    claim('enter_draws_at_the_cursor', after > before);
    await browser.press('ArrowDown');
    await browser.press(' ');
    claim('so_does_space', await browser.value(walls) > after);
    claim('without_a_step_of_the_search', await browser.value('demo.finished'));
    for (let i = 0; i < 2; i++)
        await browser.value('demo.undo()');
    claim('which_undo_takes_back', await browser.value(walls), before);
    await browser.press('1');
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
    await browser.press('ArrowLeft');
    await theNextSearchRunsToItsEnd(browser, 'after_a_goal_that_was_cut_off');
}

// ---------------------------------------------------------------------------------- explaining --

async function aCellIsExplained(browser) {
    const scale = await browser.value('demo.picture.scale');
    const places = await browser.value(`(() => {
        const open = Array.from(demo.exact.keys())
            .filter((node) => demo.isOpen(node) && demo.exact[node] !== UNREACHABLE);
        return [0.03, 0.2, 0.5, 0.8].map((share) => open[Math.floor(open.length * share)])
            .map((node) => [node % 256, Math.floor(node / 256)]);
    })()`);
    for (const [x, y] of places) {
        await browser.mouse('mouseMoved', ...await pointOf(browser, x, y));
        await nextFrame(browser);
        const [h, most, decides] = await browser.value(`(() => {
            const node = ${y} * 256 + ${x};
            if (!demo.explained)
                return [];
            const said = Array.from(document.querySelectorAll('#why li'),
                (item) => Number(item.textContent.split(': ')[1]));
            const shown = document.querySelector('#why li.decides');
            const h = demo.cairn.bounds(1, demo.goal)[node] / demo.cairn.straight();
            const base = demo.cairn.bounds(0, demo.goal)[node] / demo.cairn.straight();
            return [h.toFixed(2), Math.max(base, ...said).toFixed(2),
                shown ? Number(shown.textContent.split(': ')[1]) === Math.max(...said) : base >= h];
        })()`);
        claim(`the_bounds_of_landmarks_at_${x}_${y}_give_what_the_search_takes`, most, h);
        claim(`and_the_one_that_decides_at_${x}_${y}_is_shown`, decides);
    }
    claim('and_why_a_cell_was_left_out', /Skipped|Never reached|expanded/.test(
        await browser.value(textOf('why'))));
    await take(browser, 'explained');
    await blockedCellsAreSaidToBe(browser);
    await whatIsSaidCanBeReached(browser);
    await browser.mouse('mouseMoved', 1395, 5);
    await nextFrame(browser);
    claim('away_from_the_map_nothing_is_explained', await browser.value(textOf('why')), '');
    claim('what_is_said_of_a_cell_does_not_move_the_map', await browser.value('demo.picture.scale'),
        scale);
    await browser.value('document.getElementById("explained").open = true');
    await nextFrame(browser);
    await take(browser, 'what-is-a-landmark');
    await browser.value('document.getElementById("explained").open = false');
}

async function blockedCellsAreSaidToBe(browser) {
    const said = await browser.value(`(() => {
        const before = demo.pointed;
        demo.tellOf(demo.letters.indexOf(64));
        const said = [${textOf('hover')}, ${textOf('why')}];
        demo.tellOf(before);
        return said;
    })()`);
    claim('a_blocked_cell_is_said_to_be',
        /^[0-9]+,[0-9]+ .@., blocked$/.test(said[0]) &&
        said[1].startsWith('This cell is blocked'));
}

// The bounds of all landmarks are in view, or the pointer comes to them to scroll.
async function whatIsSaidCanBeReached(browser) {
    claim('the_bounds_of_16_landmarks_are_in_view', await browser.value(
        `(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(why)`));
    const said = await browser.value(textOf('why'));
    const [left, top] = await browser.value(boxOf('why'));
    for (const y of [top - 60, top - 20, top + 20])
        await browser.mouse('mouseMoved', left + 20, y);
    await nextFrame(browser);
    claim('and_stay_while_the_pointer_goes_to_them', await browser.value(textOf('why')), said);
}

async function aCellIsTapped(browser) {
    await browser.value('scrollTo(0, 0)');
    const node = await browser.value('demo.cairn.pathCells(1)[100]');
    await browser.tap(...await pointOf(browser, node % 256, Math.floor(node / 256)));
    await nextFrame(browser);
    await nextFrame(browser);
    claim('a_tap_explains_a_cell',
        /decides.*was expanded/.test(await browser.value(textOf('why'))));
    await take(browser, 'tapped');
}

// Whatever is typed: the colours are those of a landmark that there is, and the page goes on.
async function anyLandmarkMayBeAskedFor(browser) {
    await choose(browser, 'view', 'row');
    for (const [asked, shown] of [['1.5', '1'], ['-3', '0'], ['99', '15'], ['', '0'], ['4', '4']]) {
        await choose(browser, 'row', asked);
        await nextFrame(browser);
        claim(`the_landmark_${asked}_is_shown_as_${shown}`,
            await browser.value('document.getElementById("row").value'), shown);
    }
    await choose(browser, 'view', 'explored');
    await nextFrame(browser);
}

async function theSearchIsScrubbed(browser) {
    const scrub = (to) => browser.value(`(() => {
        const slider = document.getElementById('scrub');
        slider.value = ${to};
        slider.dispatchEvent(new Event('input'));
        return demo.cairn.report(0).expanded + ' ' + demo.cairn.report(1).expanded;
    })()`);
    claim('the_slider_goes_to_any_moment_of_the_search', await scrub(1234), '1234 679');
    await nextFrame(browser);
    claim('and_back', await scrub(100), '100 100');
    await nextFrame(browser);
    claim('its_end_stays_where_it_was',
        await browser.value('Number(document.getElementById("scrub").max)'), 17676);
    await take(browser, 'scrubbed');
    claim('and_at_the_end_the_search_has_ended', await scrub(17676), '17676 679');
    await nextFrame(browser);
    claim('whose_result_is_shown', await browser.value(textOf('length-0')), '402.66');
    await theNextSearchRunsToItsEnd(browser, 'after_the_slider');
    await browser.clickOn('rewind');
    await browser.value('demo.resume(17676)');
    await browser.clickOn('step');
    await theNextSearchRunsToItsEnd(browser, 'after_steps');
}

// ------------------------------------------------------------------------------- the pointer --

async function theMapIsZoomed(browser) {
    const before = await browser.value('demo.picture.scale');
    const place = await pointOf(browser, 100, 100);
    await browser.value(`demo.zoom(4, {clientX: ${place[0]}, clientY: ${place[1]}})`);
    await nextFrame(browser);
    claim('zooming_makes_cells_larger', await browser.value('demo.picture.scale'), before * 4);
    const now = await pointOf(browser, 100, 100);
    claim('and_keeps_what_is_under_the_pointer',
        Math.hypot(now[0] - place[0], now[1] - place[1]) < before * 4);
    await browser.value('demo.picture.moveBy(60, 0)');
    const moved = await pointOf(browser, 100, 100);
    claim('dragging_moves_the_map', Math.abs(moved[0] - now[0] - 60) < 2);
    await nextFrame(browser);
    await browser.value('demo.wanted.add("draw")');
    await nextFrame(browser);
    await take(browser, 'zoomed');
    await browser.clickOn('whole');
    await nextFrame(browser);
    claim('the_whole_map_comes_back', await browser.value('demo.picture.scale'), before);
}

async function drawAt(browser, tool, x, y) {
    const take = (name) => browser.value(
        `document.querySelector('input[name=tool][value="${name}"]').checked = true`);
    await take(tool);
    await browser.click(...await pointOf(browser, x, y));
    await take('move');
    await nextFrame(browser);
}

async function whatWasDoneIsUndone(browser) {
    const letters = 'Array.from(demo.letters).join()';
    const before = await browser.value(letters), start = await browser.value('demo.start');
    await drawAt(browser, '@', 60, 100);
    await drawAt(browser, '.', 120, 125);
    claim('what_is_drawn_changes_the_map', await browser.value(`${letters} !== '${before}'`));
    await browser.click(...await pointOf(browser, 3, 3));
    await browser.press('ArrowDown');
    claim('and_a_key_moves_the_start', await browser.value('demo.start') !== start);
    for (let i = 0; i < 4; i++)
        await browser.clickOn('undo');
    await nextFrame(browser);
    claim('undo_takes_it_all_back', await browser.value(`${letters} === '${before}'`));
    claim('and_the_start', await browser.value('demo.start'), start);
    claim('until_there_is_nothing_left', await browser.value(
        'document.getElementById("undo").disabled'));
    await browser.until('!demo.repairing');
    claim('with_the_same_searches', await browser.value(textOf('expanded-1')), '679');
}

// --------------------------------------------------------------------- edits, rules, a crowd --

async function openedWallsServeByGates(browser) {
    await browser.clickOn('repair');
    await drawAt(browser, '.', 128, 117);
    const said = await browser.value(textOf('headline'));
    claim('right_after_a_wall_was_opened_rows_serve_by_gates', /rows? lack.* by gates/.test(said));
    claim('and_the_path_is_shortest', await browser.value(textOf('shortest-1')), 'yes');
    await take(browser, 'gates');
    await browser.clickOn('repair');
    await browser.until('!demo.repairing');
    claim('after_the_repair_no_row_lacks_anything',
        await browser.value(`!${textOf('headline')}.includes('gates')`));
    await choose(browser, 'maps', 'town');
}

// Strokes that open half the map from one side to the other.
async function tooMuchIsOpened(browser) {
    await browser.value(`(() => {
        demo.cairn.edit(2, 100, 250, 60, '.');
        demo.noteEdit();
    })()`);
    await nextFrame(browser);
}

async function rowsThatAreNotUsedAreSaidToBe(browser) {
    await browser.clickOn('repair');
    await tooMuchIsOpened(browser);
    claim('without_rows_the_headline_says_so', await browser.value(textOf('headline')),
        'Too much was opened: rows are not used until they are repaired.');
    claim('and_both_searches_expand_the_same', await browser.value(
        'demo.cairn.report(0).expanded === demo.cairn.report(1).expanded'));
    claim('signs_tell_the_state_of_rows', await browser.value(textOf('chips')),
        Array.from({length: 16}, (_, row) => `${row}!`).join(''));
    await take(browser, 'no-rows');
    await browser.value(`(() => {
        while (demo.marks.filter((_, row) => demo.cairn.rowState(row) === 'fresh').length < 4)
            demo.repair();
        demo.restart();
    })()`);
    await nextFrame(browser);
    claim('while_some_rows_are_used_the_headline_says_how_many_are_not', await browser.value(
        `/ 1[12] rows lack what was opened, and are not used/.test(${textOf('headline')})`));
    await browser.clickOn('repair');
    await browser.until('!demo.repairing');
    claim('after_the_repair_rows_are_used_again', await browser.value(
        `/fewer nodes with 16 landmarks[.]$/.test(${textOf('headline')})`));
    await choose(browser, 'maps', 'town');
}

// By the Web Content Accessibility Guidelines: 4.5 for text.
const FAINT_TEXTS = `(() => {
    const partsOf = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const light = (colour) => partsOf(colour).slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const backOf = (element) => {
        const {backgroundColor} = getComputedStyle(element);
        return partsOf(backgroundColor)[3] === 0 ? backOf(element.parentElement)
            : backgroundColor;
    };
    const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return Array.from(document.querySelectorAll('main *')).filter((element) =>
        !element.disabled && element.checkVisibility() &&
        Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE &&
            node.textContent.trim()) &&
        contrast(light(getComputedStyle(element).color), light(backOf(element))) < 4.5)
        .map((element) => element.id || element.className + ' ' + element.textContent);
})()`;

async function allTextsCanBeRead(browser) {
    await browser.clickOn('repair');
    for (const states of ['weaker', 'unsafe']) {
        const letter = states === 'weaker' ? '@' : '.';
        await drawAt(browser, letter, 120, 62);
        await drawAt(browser, letter, 128, 117);
        const node = await browser.value('demo.cairn.pathCells(1)[100]');
        await browser.mouse('mouseMoved',
            ...await pointOf(browser, node % 256, Math.floor(node / 256)));
        for (const theme of ['light', 'dark']) {
            await browser.value(`demo.chooseColours(${theme === 'dark'})`);
            await nextFrame(browser);
            claim(`texts_have_contrast_with_${states}_rows_in_${theme}`,
                await browser.value(FAINT_TEXTS), []);
            await take(browser, `${states}-${theme}`);
        }
    }
    await browser.value('demo.chooseColours(false)');
    await browser.clickOn('repair');
    await choose(browser, 'maps', 'town');
}

async function aRepairThatWaitsSaysSo(browser) {
    claim('a_repair_waits_until_the_map_rests', await browser.value(`(() => {
        demo.cairn.edit(120, 62, 10, 3, '@');
        demo.noteEdit();
        demo.repair();
        return [${textOf('refresh')}, demo.repairFrames];
    })()`), ['the repair waits until the map rests', 0]);
    await browser.until('!demo.repairing');
    claim('and_then_counts_what_it_does', await browser.value(
        `/^repaired: [1-9][0-9,]* entries visited in [1-9]/.test(${textOf('refresh')})`));
    await choose(browser, 'maps', 'town');
}

async function everyRuleIsSearched(browser) {
    for (const rule of ['8', '4', '8-one-side', '8-any', 'hex']) {
        await choose(browser, 'rule', rule);
        for (const terrain of ['', 'F', 'M']) {
            if (terrain)
                await drawAt(browser, terrain, 100, 60);
            await nextFrame(browser);
            const name = `${rule.replace(/-/g, '_')}_${terrain ? `with_${terrain}` : 'alone'}`;
            claim(`rule_${name}_has_shortest_paths`,
                [await browser.value(textOf('shortest-0')),
                    await browser.value(textOf('shortest-1'))], ['yes', 'yes']);
        }
        if (rule === 'hex')
            await take(browser, 'hexagons');
        await choose(browser, 'maps', 'town');
    }
    await choose(browser, 'rule', '8');
    await choose(browser, 'maps', 'town');
}

async function aCrowdFollowsTheField(browser) {
    await browser.clickOn('crowd');
    await browser.until('demo.crowd.length > 0');
    const follows = await browser.value(`(() => {
        for (let step = 0; step < 60; step++) {
            const before = demo.crowd.slice();
            demo.walkCrowd();
            const moved = demo.crowd.every((node, i) => node === demo.cairn.flowNext(before[i]) ||
                demo.cairn.flowNext(before[i]) === null);
            const nearer = demo.crowd.every((node, i) => demo.cairn.flowNext(before[i]) === null ||
                demo.exact[node] < demo.exact[before[i]]);
            if (!moved || !nearer)
                return false;
        }
        return true;
    })()`);
    claim('every_unit_of_the_crowd_comes_nearer_with_each_step', follows);
    await drawAt(browser, '@', 125, 62);
    await browser.value('demo.walkCrowd()');
    claim('no_unit_stays_in_a_wall', await browser.value(
        `(() => { for (let i = 0; i < 3; i++) demo.walkCrowd();
            return demo.crowd.every((node) => demo.isOpen(node)); })()`));
    await nextFrame(browser);
    await take(browser, 'crowd');
    await browser.clickOn('crowd');
    await choose(browser, 'maps', 'town');
}

// ------------------------------------------------------------------------------ keys and links --

async function keysServeThePage(browser) {
    await browser.value('document.activeElement.blur()');
    await browser.press('r');
    claim('r_starts_the_search_over', await browser.value('demo.cairn.report(0).expanded'), 0);
    await browser.press(' ');
    claim('space_takes_a_step', await browser.value('demo.cairn.report(0).expanded'), 1);
    await browser.press('f');
    claim('f_finishes_it', await browser.value('demo.finished'));
    await browser.press('2');
    claim('2_is_the_wall', await browser.value(
        'document.querySelector("input[name=tool]:checked").value'), '@');
    await browser.press('1');
    await browser.press('+');
    claim('plus_zooms', await browser.value('demo.picture.zoom > 1'));
    await browser.press('0');
    claim('0_shows_the_whole_map', await browser.value('demo.picture.zoom'), 1);
    const dark = await browser.value('document.documentElement.dataset.theme');
    await browser.press('d');
    claim('d_changes_the_colours',
        await browser.value('document.documentElement.dataset.theme') !== dark);
    await nextFrame(browser);
    await take(browser, 'dark');
    await browser.press('d');
}

async function aLinkKeepsTheState(browser) {
    await choose(browser, 'maps', 'cave');
    await choose(browser, 'rule', '8-any');
    await choose(browser, 'weight', 1500);
    await drawAt(browser, 'F', 60, 60);
    await drawAt(browser, '@', 90, 90);
    await browser.value('demo.put({name: "goal"}, demo.nextOpen(demo.goal, [-1, 0]))');
    await browser.until('!demo.repairing');
    const state = `JSON.stringify([demo.start, demo.goal,
        demo.letters.reduce((sum, letter) => (sum * 31 + letter) % 1e9, 0),
        demo.chosen, document.getElementById('weight').value, demo.cairn.report(0).cost])`;
    const before = await browser.value(state), link = await browser.value('demo.link()');
    await browser.open('about:blank', ...DESK);
    await browser.open(link, ...DESK);
    await browser.until(`${textOf('time-1')} !== ''`);
    await browser.until('!demo.repairing');
    claim('a_link_opens_the_page_as_it_was', await browser.value(state), before);
    const hashOf = (linked) => `#${encodeURIComponent(JSON.stringify({map: 'town', ...linked}))}`;
    for (const hash of ['#nonsense', '#%7B%7D',
        hashOf({start: -5, goal: 1e9, marks: ['x', 3], edits: ['1 2 99999 @', 'z']}),
        hashOf({view: 'x', rule: 'none', heuristic: 7, ties: [], row: 'NaN', marks: {}}),
        hashOf({edits: ['1.5 2 3 @'], marks: 'abc', view: 'row', row: '1.5'})]) {
        await browser.open('about:blank', ...DESK);
        await browser.open(`file://${path.resolve(page)}${hash}`, ...DESK);
        await browser.until(`${textOf('expanded-1')} !== ''`);
        claim(`a_broken_link_opens_the_page_${hash.length}`,
            await browser.value('demo.chosen'), 'town');
    }
}

// While a crowd walks, which draws the page again and again.
async function aCopiedLinkIsToldOf(browser) {
    const label = `[${textOf('link')}, ${textOf('said')}]`;
    await browser.clickOn('crowd');
    await browser.until('demo.crowd.length > 0');
    await browser.clickOn('link');
    await browser.until(`${textOf('link')} !== 'Copy link'`);
    const told = await browser.value(label);
    claim('a_copied_link_is_told_of', /^(Copied|In the address)$/.test(told[0]));
    claim('also_to_screen_readers', told[1], told[0]);
    for (let frame = 0; frame < 5; frame++)
        await nextFrame(browser);
    claim('for_more_than_a_frame', await browser.value(label), told);
    await browser.until(`${textOf('link')} === 'Copy link'`);
    claim('and_then_no_longer', await browser.value(label), ['Copy link', '']);
    claim('the_headline_is_said_once', await browser.value(`new Promise((done) => {
        const said = [];
        new MutationObserver((changes) => said.push(...changes))
            .observe(document.getElementById('headline'), {childList: true});
        setTimeout(() => done(said.length), 300);
    })`), 0);
    await browser.clickOn('crowd');
}

// A blank map is drawn on, saved, and opened again as it was; a link to it keeps it.
async function aDrawnMapIsSaved(browser) {
    await openPage(browser, DESK);
    await choose(browser, 'maps', 'blank, 48 x 32');
    await browser.value(`(() => {
        demo.cairn.edit(10, 0, 1, 20, '@');
        demo.noteEdit();
        window.saved = [];
        URL.createObjectURL = (blob) => { window.saved.push(blob); return '#'; };
        HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };
        document.getElementById('save').click();
    })()`);
    const [text, name] = await browser.value(
        `window.saved[0].text().then((text) => [text, window.saved[1]])`);
    const rows = text.split('\n');
    claim('a_map_is_saved_by_its_name', name, 'blank-48-x-32.map');
    claim('a_saved_map_has_what_was_drawn',
        [rows.slice(0, 4), rows[4][10], rows[24][10], rows.length],
        [['type octile', 'height 32', 'width 48', 'map'], '@', '.', 37]);
    claim('a_saved_map_opens_as_it_was', await browser.value(`(async () => {
        const before = demo.cairn.letters().join();
        await demo.openFile(new File([window.saved[0]], 'drawn.map'));
        return [demo.chosen, demo.cairn.letters().join() === before];
    })()`), ['drawn.map', true]);
    await choose(browser, 'maps', 'blank, 48 x 32');
    claim('a_link_to_a_blank_map_names_it', await browser.value('demo.state().map'),
        'blank, 48 x 32');
}

async function smallWindowsShowAll(browser) {
    await openPage(browser, FLAT);
    const [, top, , bottom] = await browser.value(boxOf('frame'));
    claim('the_map_takes_more_than_half_of_a_flat_window', bottom - top > FLAT[1] / 2);
    claim('with_the_buttons_below_it_in_view',
        (await browser.value(boxOf('play')))[3] <= FLAT[1]);
    claim('and_the_rest_is_scrolled_to', await browser.value(`(() => {
        const stage = document.getElementById('stage');
        return stage.scrollHeight > stage.clientHeight && stage.scrollWidth <= stage.clientWidth;
    })()`));
    await take(browser, 'first');
    await openPage(browser, SMALL);
    claim('nothing_is_wider_than_a_small_hand',
        await browser.value('document.documentElement.scrollWidth'), SMALL[0]);
    await take(browser, 'first');
    claim('what_is_touched_is_24_pixels_high', await browser.value(`Array.from(
        document.querySelectorAll('button, select, input, summary'))
        .filter((element) => element.checkVisibility() && !element.closest('#marks'))
        .map((element) => element.closest('label') ?? element)
        .filter((element) => element.getBoundingClientRect().height < 24)
        .map((element) => element.id || element.textContent)`), []);
}

async function take(browser, name) {
    const width = await browser.value('innerWidth');
    const sizes = {[DESK[0]]: 'desk', [HAND[0]]: 'hand', [SMALL[0]]: 'small', [FLAT[0]]: 'flat'};
    if (pictures)
        await browser.picture(path.join(pictures, `${sizes[width]}-${name}.png`));
}

async function main() {
    const browser = await Browser.start(program);
    try {
        await openPage(browser, DESK);
        await take(browser, 'first');
        await bothSearchesAreShown(browser);
        await theFirstScreenHasALegend(browser, DESK, 'desk');
        await theMapFillsTheStage(browser, 'desk');
        await aResizeShowsTheMapAtOnce(browser);
        await playSaysPause(browser);
        await hiddenFieldsAreHidden(browser);
        await theFastSearchIsExplained(browser);
        await theBrushTellsItsSize(browser);
        await boundsAreToldApart(browser);
        await marksOfATinyMapAreSmall(browser);
        await openedFilesAreListed(browser);
        await keysMoveTheFocusedMark(browser);
        await keysMoveACursor(browser);
        await aGoalThatIsCutOffIsAnsweredAtOnce(browser);
        await aCellIsExplained(browser);
        await anyLandmarkMayBeAskedFor(browser);
        await theSearchIsScrubbed(browser);
        await theMapIsZoomed(browser);
        await whatWasDoneIsUndone(browser);
        await openedWallsServeByGates(browser);
        await rowsThatAreNotUsedAreSaidToBe(browser);
        await allTextsCanBeRead(browser);
        await aRepairThatWaitsSaysSo(browser);
        await everyRuleIsSearched(browser);
        await aCrowdFollowsTheField(browser);
        await keysServeThePage(browser);
        await aLinkKeepsTheState(browser);
        await aCopiedLinkIsToldOf(browser);
        await aDrawnMapIsSaved(browser);
        await openPage(browser, HAND);
        await take(browser, 'first');
        await theFirstScreenHasALegend(browser, HAND, 'hand');
        await theMapFillsTheStage(browser, 'hand');
        await aCellIsExplained(browser);
        await aCrowdFollowsTheField(browser);
        await aCellIsTapped(browser);
        await marksOfATinyMapAreSmall(browser);
        await smallWindowsShowAll(browser);
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
