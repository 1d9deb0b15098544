// The page: what is chosen, dragged and drawn, and what is shown of it.
'use strict';

const ALL = 0xffffffff;
const TERRAIN = 'F=3 M=6';
const CLOSED = 2, OPEN = 1;   // of Model.states
const {UNREACHABLE} = cairnPath;
const SIGNS = {fresh: '', weaker: '−', unsafe: '!'};   // beside the colours of rows
const LETTERS = ['.', 'G', 'S', '@', 'O', 'T', 'W', 'F', 'M'];
const UNITS = 150;
const UNDO_MOST = 50;
const FRAMES_A_STEP = 3;   // of the crowd
const TIMED_FOR = 4;   // milliseconds
const TOLD_FOR = 3000;

const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const FAR = 10;        // cells that an arrow key goes with Shift
const OTHER_MARKS = {PageDown: 1, PageUp: -1};

const KINDS = [KIND.BASE, KIND.LANDMARKS];
const element = (id) => document.getElementById(id);
const numberOf = (id) => Number(element(id).value);

// The controls that a link keeps.
const LINKED = ['rule', 'rows', 'heuristic', 'weight', 'ties', 'view', 'row', 'budget', 'speed',
    'brush', 'repair', 'crowd', 'dark'];
const isBox = (id) => element(id).type === 'checkbox';
const valueOf = (id) => isBox(id) ? element(id).checked : element(id).value;

// What the control could not have is left as it is.
function setValueOf(id, value) {
    const control = element(id);
    if (isBox(id))
        control.checked = value === true;
    else if (control.matches('select')
        ? Array.from(control.options).some((option) => option.value === String(value))
        : Number.isFinite(Number(value)))
        control.value = String(value);
}

const listOf = (value) => Array.isArray(value) ? value : [];
const inPercent = (share) => `${+(share * 100).toFixed(1)} %`;
const inThousands = (number) => Math.round(number).toLocaleString('en');

// Milliseconds for which a saved map can be fetched: browsers may begin that after the click.
const KEEP_SAVED = 10000;

const textOfRows = (rows) =>
    `type octile\nheight ${rows.length}\nwidth ${rows[0].length}\nmap\n${rows.join('\n')}\n`;

function textOfMap(width, height, letters) {
    const rows = Array.from({length: height}, (_, y) =>
        String.fromCharCode(...letters.subarray(y * width, (y + 1) * width)));
    return new TextEncoder().encode(textOfRows(rows));
}

// To draw on.
for (const [width, height] of [[48, 32], [120, 80], [240, 160]])
    MAPS[`blank, ${width} x ${height}`] = {text: textOfRows(Array(height).fill('.'.repeat(width)))};

// What forest and mud cost, where a map has any below its first lines.
function terrainOf(text) {
    const head = new TextDecoder().decode(text.subarray(0, 200)).search(/^map\s*$/m);
    const cells = text.subarray(Math.max(head, 0) + 3);
    return [...'FM'].some((letter) => cells.includes(letter.charCodeAt(0))) ? TERRAIN : '';
}

// The cells from one to the other, as a pointer that moves fast skips some.
function cellsBetween(from, to) {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    return Array.from({length: steps + 1}, (_, i) => ({
        x: Math.round(from.x + (to.x - from.x) * i / steps),
        y: Math.round(from.y + (to.y - from.y) * i / steps),
    }));
}

class Page {
    constructor(cairn) {
        this.cairn = cairn;
        this.picture = new Picture(element('map'));
        this.farthest = 0;      // from the landmark that is shown, in steps
        this.leastShare = 0;    // of the true cost, where the colours of bounds begin
        this.playing = false;
        this.held = null;       // what the pointer drags
        this.lastCell = null;
        this.pointed = null;    // the node below the pointer or the cursor
        this.cursor = null;     // the node where arrow keys have come to
        this.terrain = '';
        this.choices = new Map();   // of the list: text, and start and goal where they are given
        this.repairing = false;
        this.shownAt = this.shownFor = 0;   // when a repair was shown last, and how long that took
        this.dragged = false;   // whether landmarks are where somebody put them
        this.wanted = new Set();  // what the next frame does
        this.undone = [];       // what Undo goes back to, the last one last
        this.pointers = new Map();  // of fingers and mice that are down, by number
        this.crowd = [];
        this.frames = 0;
        this.most = 0;          // nodes that the longer search expands
        this.chooseColours(matchMedia('(prefers-color-scheme: dark)').matches);
        this.listen();
        for (const [name, {text, ends}] of Object.entries(MAPS))
            this.addChoice(name, {text: new TextEncoder().encode(text), ends});
        this.openChoice(Object.keys(MAPS)[0]);
        this.openLink();
        requestAnimationFrame(() => this.frame());
    }

    // --------------------------------------------------------------------------------- maps --

    addChoice(name, choice) {
        if (!this.choices.has(name))
            element('maps').add(new Option(name));
        this.choices.set(name, choice);
    }

    openChoice(name) {
        const {text, ends} = this.choices.get(name);
        this.open(text, terrainOf(text));
        this.original = this.letters.slice();
        this.undone = [];
        this.picture.showWhole();
        this.pointed = this.cursor = null;
        this.chosen = element('maps').value = name;
        if (ends)
            [this.start, this.goal] = ends.map(([x, y]) => y * this.cairn.width + x);
        else
            this.putEndsAnywhere();
        this.rebuild([]);
    }

    open(text, terrain) {
        this.cairn.openMap(text, terrain, valueOf('rule'));
        element('problem').textContent = '';
        this.terrain = terrain;
        this.letters = this.cairn.letters();
        this.picture.resize(this.cairn.width, this.cairn.height, valueOf('rule') === 'hex');
        this.crowd = [];
        this.chooseSearch();
    }

    // The same cells under other rules or costs.
    reopen(terrain) {
        this.open(textOfMap(this.cairn.width, this.cairn.height, this.letters), terrain);
        this.rebuild(this.dragged ? this.landmarksInUse() : []);
    }

    // Its name joins the list, unless it is no map: then all stays as it was. Where there is no
    // memory for it, the map before comes back without its edits.
    async openFile(file) {
        if (!file)
            return;
        const before = this.chosen;
        const name = Object.hasOwn(MAPS, file.name) ? `${file.name} (file)` : file.name;
        try {
            const text = new Uint8Array(await file.arrayBuffer());
            element('file').value = '';
            this.open(text, terrainOf(text));
            this.addChoice(name, {text});
            this.openChoice(name);
        } catch (problem) {
            if (this.chosen !== before || this.choices.has(name) && name !== before) {
                this.dropChoice(name);
                this.openChoice(before);
            }
            element('problem').textContent = `${file.name}: ${problem.message}`;
        }
    }

    // As a file, with what was drawn.
    saveMap() {
        const text = textOfMap(this.cairn.width, this.cairn.height, this.cairn.letters());
        const address = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
        const link = document.createElement('a');
        link.href = address;
        link.download = `${this.chosen.replace(/\.map$/, '').replace(/[^\w-]+/g, '-')}.map`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), KEEP_SAVED);
    }

    dropChoice(name) {
        this.choices.delete(name);
        Array.from(element('maps').options).find((option) => option.value === name)?.remove();
    }

    // In the component of the cell in the middle of all open ones, and apart, but not as far as can
    // be: landmarks lie at such ends, and gain more there than between most others.
    putEndsAnywhere() {
        const open = [];
        for (let node = 0; node < this.cairn.count; node++)
            if (this.isOpen(node))
                open.push(node);
        this.start = this.apartFrom(open[open.length >> 1] ?? 0, 0.8);
        this.goal = this.apartFrom(this.start, 0.7);
    }

    // A node that is about so far from another one, in parts of the largest cost.
    apartFrom(node, part) {
        const costs = this.cairn.costsTo(node) ?? [];
        let largest = 0, best = node, least = Infinity;
        for (const cost of costs)
            if (cost !== UNREACHABLE && cost > largest)
                largest = cost;
        for (let other = 0; other < costs.length; other++) {
            const beside = Math.abs(costs[other] - part * largest);
            if (costs[other] !== UNREACHABLE && beside < least)
                [best, least] = [other, beside];
        }
        return best;
    }

    isOpen(node) {
        return !'@OTW'.includes(String.fromCharCode(this.letters[node]));
    }

    // ------------------------------------------------------------------------------- tables --

    rebuild(listed) {
        this.dragged = listed.length > 0;
        const began = performance.now();
        this.cairn.build(numberOf('rows'), listed);
        this.buildTime = performance.now() - began;
        this.repairing = false;
        element('refresh').textContent = this.cairn.rowCount()
            ? `built in ${this.buildTime.toFixed(1)} ms` : 'no landmarks';
        this.lookAtGoal();
        this.restart();
    }

    landmarksInUse() {
        return this.marks.filter((node) => node !== undefined && this.isOpen(node));
    }

    // The landmark of a row that serves the component of the goal.
    landmarkOf(row) {
        return Array.from(this.cairn.landmarks(row))
            .find((node) => this.exact && this.exact[node] !== UNREACHABLE);
    }

    lookAtGoal() {
        this.exact = this.cairn.costsTo(this.goal);
        this.marks = Array.from({length: this.cairn.rowCount()}, (_, row) => this.landmarkOf(row));
    }

    // Known before any search, which would have to visit all that the start can reach.
    isCutOff() {
        return this.isOpen(this.start) && this.isOpen(this.goal) &&
            this.exact !== null && this.exact[this.start] === UNREACHABLE;
    }

    // One frame's part of the work that edits left. What it is worth to searches is shown as often
    // as that takes a tenth of the time, and at the end.
    repair() {
        const before = this.cairn.refreshedCells();
        this.repairing = this.cairn.refresh(Math.round(2 ** numberOf('budget')));
        this.showRepair(this.cairn.refreshedCells() - before);
        if (this.repairing && performance.now() < this.shownAt + 10 * this.shownFor)
            return;
        this.showsRepair = true;
        this.lookAtGoal();
        this.restart();
    }

    showRepair(visited) {
        const waits = this.repairing && visited === 0;
        this.repaired += visited;
        this.repairFrames += waits ? 0 : 1;
        element('refresh').textContent = waits ? 'the repair waits until the map rests'
            : `repaired: ${inThousands(this.repaired)} entries visited in ` +
              `${this.repairFrames} frames`;
    }

    // ------------------------------------------------------------------------------- search --

    chooseSearch() {
        this.cairn.choose(valueOf('heuristic'), numberOf('weight'), valueOf('ties'));
    }

    // Both searches from their start: to the end, unless they are to be watched.
    restart() {
        for (const kind of KINDS) {
            this.cairn.begin(kind, this.start, this.goal);
            element(`time-${kind}`).textContent = '';
        }
        this.noteEnd(this.isCutOff());
        if (!this.finished && !this.watching)
            this.resume(ALL);
        this.wanted.add('draw').add('hover');
    }

    resume(expansions) {
        if (this.finished)
            return;
        for (const kind of KINDS)
            this.cairn.resume(kind, expansions);
        this.noteEnd(KINDS.every((kind) => this.cairn.report(kind).outcome !== 'paused'));
        this.wanted.add('draw').add('time');
    }

    noteEnd(isThere) {
        this.finished = isThere;
        if (isThere)
            this.playing = this.watching = false;
    }

    // Both searches after so many nodes.
    scrub(expansions) {
        const most = this.most;
        this.watching = true;
        this.playing = false;
        this.restart();
        if (!this.finished && expansions > 0)
            this.resume(expansions >= most ? ALL : expansions);   // the goal is no expansion
        this.most = most;
    }

    isBeingWatched() {
        return this.watching && !this.finished;
    }

    rewind() {
        this.watching = true;
        this.playing = false;
        this.restart();
    }

    step() {
        if (!this.isBeingWatched())
            this.rewind();
        this.resume(1);
    }

    play() {
        const pauses = this.playing;
        if (!this.isBeingWatched())
            this.rewind();
        this.playing = !pauses && !this.finished;
        this.wanted.add('draw');
    }

    finish() {
        this.watching = false;
        this.playing = false;
        this.resume(ALL);
        this.wanted.add('draw');
    }

    // ------------------------------------------------------------------------------ pointer --

    // The nearest mark under the pointer.
    markAt(cell) {
        const pixels = (count) => count / this.picture.scale;
        const reach = Math.max(Math.min(1.5, pixels(24 * pixelRatio())),
            pixels(this.picture.markSize() * 1.3));
        const marks = [
            {name: 'start', node: this.start}, {name: 'goal', node: this.goal},
            ...this.marks.map((node, row) => ({name: 'landmark', row, node})),
        ].filter(({node}) => node !== undefined);
        const distance = ({node}) => Math.hypot(node % this.cairn.width - cell.x,
            Math.floor(node / this.cairn.width) - cell.y);
        return marks.filter((mark) => distance(mark) <= reach)
            .sort((a, b) => distance(a) - distance(b))[0] ?? null;
    }

    press(event) {
        if (event.button !== 0)
            return;
        const cell = this.picture.cellAt(event);
        this.dropCursor();
        this.pointers.set(event.pointerId, event);
        element('map').setPointerCapture(event.pointerId);
        this.pressed = {x: event.clientX, y: event.clientY};
        if (this.pointers.size > 1)
            this.letGo();
        if (!cell || this.pointers.size > 1)
            return;
        this.held = this.tool() === 'move' ? this.markAt(cell) : this.brush();
        this.lastCell = cell;
        if (!this.held)
            return;
        this.remember();
        if (this.held.name !== 'brush') {
            event.preventDefault();   // which would focus the canvas
            this.handleOf(this.held).focus({preventScroll: true});
        }
        this.drag(cell);
    }

    tool() {
        return document.querySelector('input[name=tool]:checked').value;
    }

    brush() {
        return {name: 'brush', letter: this.tool()};
    }

    handleOf({name, row}) {
        return Array.from(element('marks').children)
            .find(({mark}) => mark.name === name && mark.row === row);
    }

    // The second finger of two that zoom takes back what the first one drew.
    letGo() {
        if (this.held?.name === 'brush')
            this.undo();
        this.held = null;
    }

    release(event) {
        const isAlone = this.pointers.delete(event.pointerId) && this.pointers.size === 0;
        if (this.held && !this.hasChanged) {
            this.undone.pop();
            this.wanted.add('draw');
        }
        if (isAlone && !this.held && event.pointerType === 'touch' && this.isTap(event))
            this.point(this.picture.cellAt(event));
        this.held = null;
    }

    // A finger that hardly moved explains the cell where it was.
    isTap(event) {
        const FAR_FOR_A_TAP = 8;
        return Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) <
            FAR_FOR_A_TAP;
    }

    point(cell) {
        this.pointed = cell ? cell.y * this.cairn.width + cell.x : null;
        this.wanted.add('hover');
    }

    // Two fingers zoom; one that holds nothing moves the map.
    slide(event) {
        const before = this.pointers.get(event.pointerId);
        const other = Array.from(this.pointers.values()).find((one) => one !== before);
        const apart = (one) => Math.hypot(one.clientX - other.clientX,
            one.clientY - other.clientY);
        if (other)
            this.picture.zoomBy(apart(event) / Math.max(apart(before), 1), other);
        else
            this.picture.moveBy(event.clientX - before.clientX, event.clientY - before.clientY);
        this.pointers.set(event.pointerId, event);
        this.wanted.add('draw');
    }

    zoom(factor, at) {
        const box = element('map').getBoundingClientRect();
        this.picture.zoomBy(factor, at ?? {clientX: (box.left + box.right) / 2,
            clientY: (box.top + box.bottom) / 2});
        this.wanted.add('draw');
    }

    move(event) {
        if (this.pointers.has(event.pointerId) && !this.held) {
            this.slide(event);
            return;
        }
        const cell = this.picture.cellAt(event);
        if (!cell)
            return;
        this.point(cell);
        if (this.held)
            this.drag(cell);
    }

    drag(cell) {
        const node = cell.y * this.cairn.width + cell.x;
        if (this.held.name === 'brush')
            this.draw(cell);
        else
            this.put(this.held, node);
        this.lastCell = cell;
    }

    nodeOf({name, row}) {
        return name === 'landmark' ? this.marks[row] : this[name];
    }

    // A mark to another open cell.
    put(mark, node) {
        if (!this.isOpen(node) || node === this.nodeOf(mark))
            return;
        this.hasChanged = true;
        if (mark.name === 'landmark') {
            this.marks[mark.row] = node;
            this.wanted.add('rebuild');
        } else {
            this[mark.name] = node;
            this.lookAtGoal();
            this.restart();
        }
    }

    // The next open cell that way, beyond walls if need be; the same cell where there is none.
    nextOpen(node, [dx, dy]) {
        const {width, height} = this.cairn;
        let x = node % width + dx, y = Math.floor(node / width) + dy;
        for (; x >= 0 && y >= 0 && x < width && y < height; x += dx, y += dy)
            if (this.isOpen(y * width + x))
                return y * width + x;
        return node;
    }

    // What a key does on the map or on a mark.
    pressKey(event) {
        const {target: {mark}, key} = event;
        const steps = event.shiftKey ? FAR : 1;
        if (ARROWS[key] && mark)
            this.moveMark(mark, ARROWS[key], steps);
        else if (ARROWS[key])
            this.moveCursor(ARROWS[key], steps);
        else if (mark && key in OTHER_MARKS)
            this.focusMark(mark, OTHER_MARKS[key]);
        else if (!mark && this.cursor !== null && (key === 'Enter' || key === ' '))
            this.actAtCursor();
        else
            return;
        event.preventDefault();
    }

    moveMark(mark, direction, steps) {
        let node = this.nodeOf(mark);
        for (let i = 0; i < steps; i++)
            node = this.nextOpen(node, direction);
        if (node === this.nodeOf(mark))
            return;
        this.remember();
        this.put(mark, node);
    }

    // The next mark in the order of the list, or the one before.
    focusMark(mark, direction) {
        const handles = Array.from(element('marks').children).filter((handle) => !handle.hidden);
        const next = handles.indexOf(this.handleOf(mark)) + direction;
        handles[(next + handles.length) % handles.length].focus({preventScroll: true});
    }

    // Of all marks one is reached by Tab: that which had the focus last.
    noteFocus(handle) {
        for (const other of element('marks').children)
            other.tabIndex = other === handle ? 0 : -1;
        this.reveal(this.nodeOf(handle.mark));
    }

    cellOf(node) {
        return {x: node % this.cairn.width, y: Math.floor(node / this.cairn.width)};
    }

    // From the start, or where it was. Blocked cells do not stop it.
    moveCursor([dx, dy], steps) {
        const {width, height} = this.cairn;
        const within = (place, size) => Math.min(Math.max(place, 0), size - 1);
        const {x, y} = this.cellOf(this.cursor ?? this.start);
        const cell = {x: within(x + dx * steps, width), y: within(y + dy * steps, height)};
        this.point(cell);
        this.cursor = this.pointed;
        this.reveal(this.cursor);
    }

    dropCursor() {
        if (this.cursor === null)
            return;
        this.cursor = null;
        this.point(null);
        this.wanted.add('draw');
    }

    tellOf(node) {
        this.pointed = node;
        this.showHover();
        this.showWhy();
        element('said').textContent = `${element('hover').textContent}. ` +
            (element('why').firstChild?.textContent ?? '');
    }

    actAtCursor() {
        if (this.tool() === 'move') {
            this.tellOf(this.cursor);
            return;
        }
        this.lastCell = this.cellOf(this.cursor);
        this.held = this.brush();
        this.remember();
        this.drag(this.lastCell);
        this.held = null;
    }

    // What a key does anywhere but in a field that takes it.
    pressAnywhere(event) {
        const {target, key} = event;
        if (event.defaultPrevented)
            return;
        const takesKeys = target.matches('select, summary, input[type=number], input[type=file]') ||
            key === ' ' && target.matches('button, input') && !target.mark;
        if (key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey))
            this.undo();
        else if (takesKeys || event.ctrlKey || event.metaKey || event.altKey || !this.serveKey(key))
            return;
        event.preventDefault();
    }

    serveKey(key) {
        const actions = {
            ' ': () => this.step(), p: () => this.play(), f: () => this.finish(),
            r: () => this.rewind(), '+': () => this.zoom(1.5), '=': () => this.zoom(1.5),
            '-': () => this.zoom(1 / 1.5), 0: () => this.showWhole(),
            c: () => element('crowd').click(), d: () => element('dark').click(),
        };
        const tools = document.querySelectorAll('input[name=tool]');
        const action = actions[key.toLowerCase()] ??
            (tools[key - 1] && (() => { tools[key - 1].click(); }));
        if (action)
            action();
        return Boolean(action);
    }

    // Moves the map to a node that lies outside of what is shown.
    reveal(node) {
        const {width, height} = element('map').getBoundingClientRect();
        const [x, y] = this.picture.placeOf(node);
        if (x < 0 || y < 0 || x > width || y > height)
            this.picture.moveBy(width / 2 - x, height / 2 - y);
        this.wanted.add('draw');
    }

    showWhole() {
        this.picture.showWhole();
        this.wanted.add('draw');
    }

    // --------------------------------------------------------------------------- undo, links --

    remember() {
        this.hasChanged = false;
        this.undone.push({letters: this.letters.slice(), start: this.start, goal: this.goal,
            marks: this.dragged ? this.marks.slice() : null});
        if (this.undone.length > UNDO_MOST)
            this.undone.shift();
        this.wanted.add('draw');
    }

    undo() {
        const before = this.undone.pop();
        if (!before)
            return;
        this.putLetters(before.letters);
        this.start = before.start;
        this.goal = before.goal;
        if (before.marks || this.dragged)
            this.rebuild(before.marks ? before.marks.filter((node) => node !== undefined) : []);
        this.lookAtGoal();
        this.restart();
    }

    // Runs of letters that differ, as edits: [x, y, length, letter].
    runsFrom(letters, others) {
        const {width, count} = this.cairn, runs = [];
        for (let node = 0; node < count; node++) {
            const last = runs[runs.length - 1], x = node % width, y = Math.floor(node / width);
            const letter = String.fromCharCode(others[node]);
            if (letters[node] === others[node])
                continue;
            if (last && last[1] === y && last[0] + last[2] === x && last[3] === letter)
                last[2]++;
            else
                runs.push([x, y, 1, letter]);
        }
        return runs;
    }

    putLetters(letters) {
        this.putRuns(this.runsFrom(this.letters, letters));
    }

    putRuns(runs) {
        if (!this.terrain && runs.some(([, , , letter]) => 'FM'.includes(letter)))
            this.reopen(TERRAIN);
        for (const [x, y, length, letter] of runs)
            this.cairn.edit(x, y, length, 1, letter);
        this.noteEdit();
    }

    // All that a link keeps: what is chosen, and how the map differs from that of its name.
    state() {
        const choices = Object.fromEntries(LINKED.map((id) => [id, valueOf(id)]));
        return {map: this.chosen, ...choices, start: this.start, goal: this.goal,
            marks: this.dragged ? this.landmarksInUse() : undefined,
            edits: this.runsFrom(this.original, this.letters).map((run) => run.join(' '))};
    }

    link() {
        return `${location.href.split('#')[0]}#${encodeURIComponent(JSON.stringify(this.state()))}`;
    }

    openLink() {
        let state;
        try {
            state = JSON.parse(decodeURIComponent(location.hash.slice(1)));
        } catch {
            return;
        }
        if (!this.choices.has(state?.map))
            return;
        for (const id of LINKED)
            if (state[id] !== undefined)
                setValueOf(id, state[id]);
        this.showNumbers();
        this.chooseColours(element('dark').checked);
        this.openChoice(state.map);
        const {width, height} = this.cairn;
        this.putRuns(listOf(state.edits).map((run) => String(run).split(' '))
            .map(([x, y, length, letter]) => [Number(x), Number(y), Number(length), letter])
            .filter(([x, y, length, letter]) => [x, y, length].every(Number.isInteger) && x >= 0 &&
                length > 0 && x + length <= width && y >= 0 && y < height &&
                LETTERS.includes(letter)));
        const onMap = (node) => Number.isInteger(node) && node >= 0 && node < this.cairn.count;
        this.start = onMap(state.start) ? state.start : this.start;
        this.goal = onMap(state.goal) ? state.goal : this.goal;
        this.rebuild(listOf(state.marks).filter((node) => onMap(node) && this.isOpen(node)));
    }

    async copyLink() {
        history.replaceState(null, '', this.link());
        const copied = await navigator.clipboard?.writeText(this.link())
            .then(() => true, () => false);
        const what = Object.hasOwn(MAPS, this.chosen) ? '' : ', without the map';
        this.tellOfLink((copied ? 'Copied' : 'In the address') + what);
    }

    // For a while: on the button, and for screen readers.
    tellOfLink(what) {
        element('link').textContent = what;
        element('said').textContent = what;
        clearTimeout(this.linkTold);
        this.linkTold = setTimeout(() => {
            element('link').textContent = 'Copy link';
            element('said').textContent = '';
        }, TOLD_FOR);
    }

    // -------------------------------------------------------------------------------- crowd --

    anyOpenCell() {
        for (let i = 0; i < 1000; i++) {
            const node = Math.floor(Math.random() * this.cairn.count);
            if (this.exact && this.exact[node] !== UNREACHABLE && this.isOpen(node))
                return node;
        }
        return this.goal;
    }

    // One step of every unit. Who has arrived, or is walled in, begins somewhere else.
    walkCrowd() {
        if (!this.cairn.flow(this.goal))
            return;
        while (this.crowd.length < UNITS)
            this.crowd.push(this.anyOpenCell());
        this.crowd = this.crowd.map((node) => this.cairn.flowNext(node) ?? this.anyOpenCell());
        this.wanted.add('draw');
    }

    draw(cell) {
        if (!this.terrain && 'FM'.includes(this.held.letter))
            this.reopen(TERRAIN);
        for (const middle of cellsBetween(this.lastCell, cell))
            this.fillAround(middle);
        this.noteEdit();
    }

    noteEdit() {
        this.hasChanged = true;
        this.letters = this.cairn.letters();
        if (!this.repairing)
            this.repaired = this.repairFrames = 0;
        this.repairing = true;
        this.lookAtGoal();
        this.restart();
    }

    // The brush's square, as far as it is on the map.
    fillAround({x, y}) {
        const half = (numberOf('brush') - 1) / 2;
        const left = Math.max(x - half, 0), right = Math.min(x + half + 1, this.cairn.width);
        const top = Math.max(y - half, 0), bottom = Math.min(y + half + 1, this.cairn.height);
        this.cairn.edit(left, top, right - left, bottom - top, this.held.letter);
    }

    // --------------------------------------------------------------------------------- show --

    // Whatever fails, the next frame comes.
    frame() {
        requestAnimationFrame(() => this.frame());
        const began = performance.now();
        this.showsRepair = false;
        this.work();
        if (this.showsRepair) {
            this.shownAt = performance.now();
            this.shownFor = this.shownAt - began;
        }
    }

    work() {
        if (this.wanted.delete('rebuild'))
            this.rebuild(this.landmarksInUse());
        if (this.repairing && element('repair').checked && !this.isBeingWatched())
            this.repair();
        if (this.playing)
            this.resume(2 ** numberOf('speed'));
        if (element('crowd').checked && ++this.frames % FRAMES_A_STEP === 0)
            this.walkCrowd();
        if (this.wanted.delete('draw')) {
            this.paint();
            this.showResults();
        }
        if (this.finished && !this.repairing && !this.held && this.wanted.delete('time'))
            this.showTimes();
        if (this.wanted.delete('hover')) {
            const before = this.explained?.decides ?? null;
            this.showHover();
            this.showWhy();
            if (before !== null || this.explained)
                this.wanted.add('draw');
        }
    }

    ground(node) {
        switch (String.fromCharCode(this.letters[node])) {
        case 'F': return COLOUR.forest;
        case 'M': return COLOUR.mud;
        default: return this.isOpen(node) ? COLOUR.floor : COLOUR.wall;
        }
    }

    exploredColour() {
        const [base, landmarks] = KINDS.map((kind) => this.cairn.states(kind));
        return (node) => {
            const ground = this.ground(node);
            if (landmarks[node] === CLOSED)
                return over(COLOUR.landmarks, ground);
            if (base[node] === CLOSED)
                return over(COLOUR.base, ground);
            const isOpen = base[node] === OPEN || landmarks[node] === OPEN;
            return isOpen ? over(COLOUR.open, ground) : ground;
        };
    }

    // A share of each node on the scale; undefined where there is none.
    scaledColour(shareOf) {
        return (node) => {
            if (!this.isOpen(node))
                return COLOUR.wall;
            const share = shareOf(node);
            return share === undefined ? COLOUR.unreached : onScale(share);
        };
    }

    boundColour(kind) {
        const bounds = this.cairn.bounds(kind, this.goal);
        const {exact} = this;
        const shareOf = (node) => !exact || exact[node] === UNREACHABLE ? undefined
            : exact[node] === 0 ? 1 : bounds[node] / exact[node];
        const least = this.leastShare = this.leastOf(shareOf);
        return this.scaledColour((node) => {
            const share = shareOf(node);
            return share === undefined ? undefined : (share - least) / (1 - least);
        });
    }

    // What all but a few cells have at least, in twentieths: where a scale that ends at 1 begins.
    leastOf(shareOf) {
        const STEPS = 20, FEW = 0.02;
        const counts = new Array(STEPS).fill(0);
        for (let node = 0; node < this.cairn.count; node++) {
            const share = this.isOpen(node) ? shareOf(node) : undefined;
            if (share !== undefined)
                counts[Math.min(Math.floor(share * STEPS), STEPS - 1)]++;
        }
        let left = FEW * counts.reduce((sum, count) => sum + count, 0);
        const step = counts.findIndex((count) => (left -= count) < 0);
        return Math.max(step, 0) / STEPS;
    }

    // The landmark whose costs are shown: one that there is; -1 where there is none.
    shownRow() {
        const asked = Math.trunc(numberOf('row')) || 0;
        return Math.min(Math.max(asked, 0), this.cairn.rowCount() - 1);
    }

    rowColour() {
        const row = this.shownRow();
        this.farthest = 0;
        if (row < 0)
            return (node) => this.ground(node);
        const costs = this.cairn.rowCosts(row);
        let most = 1;
        costs.forEach((cost, node) => {
            if (cost !== UNREACHABLE && cost > most && this.isOpen(node))
                most = cost;
        });
        this.farthest = most / this.cairn.straight();
        return this.scaledColour((node) => costs[node] === UNREACHABLE ? undefined
            : 1 - costs[node] / most);
    }

    paint() {
        const view = element('view').value;
        const colours = {
            explored: () => this.exploredColour(), row: () => this.rowColour(),
            'bound-0': () => this.boundColour(0), 'bound-1': () => this.boundColour(1),
        };
        this.picture.paint(colours[view]());
        const path = this.cairn.pathCells(KIND.LANDMARKS);
        this.picture.line(path.length ? path : this.cairn.pathCells(KIND.BASE), PAINT.path);
        if (element('crowd').checked)
            this.picture.dots(this.crowd, PAINT.unit);
        const decides = this.explained?.decides ?? null;
        if (decides !== null && this.marks[decides] !== undefined) {
            this.picture.thread(this.marks[decides], this.pointed, PAINT.decides);
            this.picture.thread(this.marks[decides], this.goal, PAINT.decides);
        }
        this.marks.forEach((node, row) => {
            const stands = row === decides || view === 'row' && row === this.shownRow();
            if (node !== undefined && stands)
                this.picture.heap(node, PAINT.decides, row, PAINT.onDecides);
            else if (node !== undefined)
                this.picture.heap(node, PAINT.landmark, row);
        });
        this.picture.disc(this.start, PAINT.start, 'S');
        this.picture.disc(this.goal, PAINT.goal, 'G');
        if (this.cursor !== null)
            this.picture.cursor(this.cursor, this.tool() === 'move' ? 1 : numberOf('brush'));
        this.showLegend(view);
        this.showMarks();
    }

    // A button on every mark, for the keyboard: the pointer takes what is drawn below.
    showMarks() {
        const marks = [{name: 'start'}, {name: 'goal'},
            ...this.marks.map((_, row) => ({name: 'landmark', row}))];
        const handles = element('marks').children;
        while (handles.length > marks.length)
            handles[marks.length].remove();
        while (handles.length < marks.length) {
            const handle = document.createElement('button');
            handle.type = 'button';
            handle.tabIndex = -1;
            element('marks').append(handle);
        }
        marks.forEach((mark, i) => this.showMark(handles[i], mark));
        if (!Array.from(handles).some(({hidden, tabIndex}) => !hidden && tabIndex === 0))
            handles[0].tabIndex = 0;
    }

    showMark(handle, mark) {
        const node = this.nodeOf(mark);
        handle.mark = mark;
        handle.hidden = node === undefined;
        if (handle.hidden)
            return;
        const [x, y] = this.picture.placeOf(node);
        const size = this.picture.markSize() / pixelRatio() * 2.4;
        const name = mark.name === 'landmark' ? `landmark ${mark.row}` : mark.name;
        handle.ariaLabel = `${name} at ${this.cellName(node)}`;
        Object.assign(handle.style, {left: `${x}px`, top: `${y}px`, width: `${size}px`,
            height: `${size}px`});
    }

    showLegend(view) {
        const css = (colour) => `rgb(${colour.map(Math.round)})`;
        const entries = view === 'explored'
            ? [[over(COLOUR.base, COLOUR.floor), 'expanded with the base heuristic'],
                [over(COLOUR.landmarks, COLOUR.floor), 'expanded with landmarks'],
                [over(COLOUR.open, COLOUR.floor), 'on an open list'], [COLOUR.wall, 'blocked'],
                ...(this.terrain ? [[COLOUR.forest, 'forest'], [COLOUR.mud, 'mud']] : [])]
            : view === 'row'
                ? [[onScale(1), 'at the landmark'],
                    [onScale(0), `farthest from it: ${this.farthest.toFixed(1)} steps`]]
                : [[onScale(1), this.cairn.isAdmissible() ? 'the bound is exact'
                    : 'the cost, or more'],
                    [onScale(0.5), `${inPercent((1 + this.leastShare) / 2)} of the cost`],
                    [onScale(0), `${inPercent(this.leastShare)} or less`]];
        entries.push(['path', 'path'], ['heap', 'landmark']);
        if (element('crowd').checked)
            entries.push(['unit', 'unit of the crowd']);
        const item = ([mark, text]) => Array.isArray(mark)
            ? `<li><i style="background:${css(mark)}"></i>${text}</li>`
            : `<li><i class="${mark}"></i>${text}</li>`;
        element('legend').innerHTML = entries.map(item).join('');
        element('row-choice').hidden = view !== 'row';
    }

    showResults() {
        const [base, landmarks] = KINDS.map((kind) => this.cairn.report(kind));
        [base, landmarks].forEach((report, kind) => {
            const found = report.outcome === 'found';
            element(`expanded-${kind}`).textContent =
                this.isCutOff() ? '–' : inThousands(report.expanded);
            element(`length-${kind}`).textContent = found ? report.length.toFixed(2) : '–';
            element(`shortest-${kind}`).textContent = this.verdict(report);
        });
        this.say(this.headline(base, landmarks));
        element('play').textContent = this.playing ? 'Pause' : 'Play';
        element('undo').disabled = this.undone.length === 0;
        this.showScrub(Math.max(base.expanded, landmarks.expanded));
        this.showChips();
    }

    showScrub(expanded) {
        this.most = this.finished ? expanded : Math.max(this.most, expanded);
        element('scrub').max = this.most;
        element('scrub').value = expanded;
        element('scrub-value').textContent = inThousands(expanded);
    }

    verdict(report) {
        if (report.outcome !== 'found')
            return '–';
        const least = this.exact ? this.exact[this.start] : NaN;
        const above = least === report.cost ? 0 : (report.cost / least - 1) * 100;
        return above === 0 ? 'yes' : `+ ${above.toFixed(1)} %`;
    }

    headline(base, landmarks) {
        if (this.isCutOff())
            return 'No path: the goal is cut off from the start.';
        if (!this.finished)
            return this.playing ? 'Searching …' : 'Paused: Step, Play or Finish.';
        if (base.outcome === 'start-blocked' || base.outcome === 'goal-blocked')
            return `The ${base.outcome === 'goal-blocked' ? 'goal' : 'start'} is blocked.`;
        if (this.usesNoRows(landmarks))
            return 'Too much was opened: rows are not used until they are repaired.';
        const unsafe = this.cairn.isAdmissible() ? ''
            : ' This distance may exceed the cost: paths may be longer.';
        const ratio = Math.max(base.expanded, 1) / Math.max(landmarks.expanded, 1);
        return `<b>${ratio.toFixed(1)} ×</b> fewer nodes ` +
            `with ${this.cairn.rowCount()} landmarks.${this.ofLackingRows(landmarks)}${unsafe}`;
    }

    usesNoRows({rowCount, state}) {
        return rowCount === 0 && state === 'unsafe';
    }

    // Rows that lack opened cells; none where it is the single one that is being repaired.
    lackingRows() {
        const lacking = this.marks.filter((_, row) => this.cairn.rowState(row) === 'unsafe').length;
        return lacking > 1 ? lacking : 0;
    }

    // Where more rows are used than those that lack nothing.
    serveByGates({rowCount}) {
        return rowCount > this.marks.length - this.lackingRows();
    }

    ofLackingRows(report) {
        const use = this.serveByGates(report) ? 'serve by gates'
            : 'are not used until they are repaired';
        const lacking = this.lackingRows();
        return lacking ? ` ${lacking} rows lack what was opened, and ${use}.` : '';
    }

    // Again only where it differs, or screen readers repeat it with every frame.
    say(html) {
        if (this.said === html)
            return;
        this.said = html;
        element('headline').innerHTML = html;
    }

    showChips() {
        const states = this.marks.map((_, row) => this.cairn.rowState(row));
        element('chips').innerHTML = states.map((state, row) =>
            `<li class="chip ${state}" title="row ${row}: ${state}" ` +
            `aria-label="row ${row}: ${state}">${row}${SIGNS[state]}</li>`).join('');
        element('states').hidden = states.every((state) => state === 'fresh');
    }

    showTimes() {
        for (const kind of KINDS) {
            if (this.cairn.report(kind).outcome !== 'found')
                continue;
            const time = this.cairn.timeOf(kind, this.start, this.goal, TIMED_FOR);
            element(`time-${kind}`).textContent = time < 1000
                ? `${time.toPrecision(3)} µs` : `${(time / 1000).toPrecision(3)} ms`;
        }
    }

    showHover() {
        const node = this.pointed;
        if (node === null) {
            element('hover').textContent = '\u00a0';
            return;
        }
        const letter = `${this.cellName(node)} “${String.fromCharCode(this.letters[node])}”`;
        if (!this.isOpen(node)) {
            element('hover').textContent = `${letter}, blocked`;
            return;
        }
        const unit = this.cairn.straight();
        const inSteps = (cost) => cost >= UNREACHABLE ? 'none' : (cost / unit).toFixed(2);
        const seen = KINDS.map((kind) => {
            const {state, g, h, f, parent} = this.cairn.look(kind, node);
            const name = kind === KIND.BASE ? 'base' : 'landmarks';
            return state === 'unseen' ? `${name}: not reached`
                : `${name}: ${state === 'closed' ? 'expanded' : 'open'}, g ${inSteps(g)}, ` +
                  `h ${inSteps(h)}, f ${inSteps(f)}, from ${this.cellName(parent)}`;
        });
        const exact = this.exact ? `, true cost ${inSteps(this.exact[node])}` : '';
        element('hover').textContent = `${letter}${exact} · ${seen.join(' · ')}`;
    }

    // The bound of every row at a node: how much farther the goal is from its landmark, or nearer.
    boundsOfRows(node) {
        return this.marks.map((_, row) => {
            const there = this.cairn.rowCost(row, this.goal), here = this.cairn.rowCost(row, node);
            const isKnown = there !== UNREACHABLE && here !== UNREACHABLE;
            return {row, there, here, bound: isKnown ? Math.abs(there - here) : 0,
                isUnsafe: this.cairn.rowState(row) === 'unsafe'};
        });
    }

    // Which bound decides at the cell that is pointed at, and why the search expands it or not.
    explain(node) {
        if (node === null || !this.isOpen(node) || !this.exact ||
            this.exact[node] === UNREACHABLE)
            return null;
        const base = this.cairn.boundAt(KIND.BASE, this.goal, node);
        const rows = this.boundsOfRows(node);
        const usable = rows.filter(({isUnsafe}) => !isUnsafe);
        const best = usable.reduce((a, b) => b.bound > (a?.bound ?? 0) ? b : a, null);
        return {base, rows, best, decides: best && best.bound > base ? best.row : null};
    }

    showWhy() {
        const node = this.pointed;
        this.explained = this.explain(node);
        if (!this.explained) {
            element('why').textContent = node === null ? ''
                : this.isOpen(node) ? 'No path leads from here to the goal.'
                : 'This cell is blocked: no path goes through it.';
            return;
        }
        const {base, rows, best, decides} = this.explained;
        const inSteps = (cost) => (cost / this.cairn.straight()).toFixed(2);
        const item = ({row, bound, isUnsafe}) => `<li class="${row === decides ? 'decides' : ''}` +
            `${isUnsafe ? ' unsafe' : ''}">▲${row}: ${inSteps(bound)}</li>`;
        const sentence = this.serveByGates(this.cairn.report(KIND.LANDMARKS))
            ? 'Rows that lack what was opened serve by gates, until they are repaired.'
            : decides === null
            ? `The base heuristic decides: it says ${inSteps(base)}.`
            : `Landmark ${decides} decides: ${inSteps(best.there)} to the goal and ` +
              `${inSteps(best.here)} to here differ by ${inSteps(best.bound)}; ` +
              `the base heuristic says ${inSteps(base)}.`;
        const weight = numberOf('weight') / 1000;
        const weighted = weight === 1 ? '' : ` In h it counts ${weight.toFixed(1)} times.`;
        element('why').innerHTML = `${sentence}${weighted} ${this.whySkipped(node)}` +
            `<ol aria-label="Bound of each landmark">${rows.map(item).join('')}</ol>`;
    }

    whySkipped(node) {
        const report = this.cairn.report(KIND.LANDMARKS);
        const {state, g, h} = this.cairn.look(KIND.LANDMARKS, node);
        if (!this.finished || report.outcome !== 'found' || state === 'closed')
            return state === 'closed' ? 'It was expanded.' : '';
        const inSteps = (cost) => (cost / this.cairn.straight()).toFixed(2);
        return state === 'open'
            ? `Skipped: g + h is ${inSteps(g + h)}, and a path of ${inSteps(report.cost)} is there.`
            : 'Never reached: every cell before it was skipped.';
    }

    chooseColours(isDark) {
        useColours(isDark);
        document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
        element('dark').checked = isDark;
        this.wanted.add('draw');
    }

    cellName(node) {
        return `${node % this.cairn.width},${Math.floor(node / this.cairn.width)}`;
    }

    // ------------------------------------------------------------------------------ controls --

    listen() {
        const on = (id, event, action) => element(id).addEventListener(event, action);
        const canvas = element('map');
        canvas.addEventListener('pointerdown', (event) => this.press(event));
        canvas.addEventListener('pointermove', (event) => this.move(event));
        on('stage', 'pointerleave', (event) => {
            if (event.pointerType !== 'touch')
                this.point(null);
        });
        for (const event of ['pointerup', 'pointercancel'])
            canvas.addEventListener(event, (event) => this.release(event));
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            this.zoom(1.0015 ** -event.deltaY, event);
        }, {passive: false});
        window.addEventListener('hashchange', () => this.openLink());
        document.addEventListener('keydown', (event) => this.pressAnywhere(event));
        on('zoom-in', 'click', () => this.zoom(1.5));
        on('zoom-out', 'click', () => this.zoom(1 / 1.5));
        on('whole', 'click', () => this.showWhole());
        on('undo', 'click', () => this.undo());
        on('link', 'click', () => this.copyLink());
        on('scrub', 'input', () => this.scrub(numberOf('scrub')));
        for (const id of ['crowd', 'tools', 'brush'])
            on(id, 'change', () => this.wanted.add('draw'));
        on('dark', 'change', () => this.chooseColours(element('dark').checked));
        on('frame', 'keydown', (event) => this.pressKey(event));
        on('map', 'blur', () => this.dropCursor());
        on('marks', 'focusin', (event) => this.noteFocus(event.target));
        on('marks', 'scroll', () => element('marks').scrollTo(0, 0));
        on('maps', 'change', () => this.openChoice(element('maps').value));
        on('save', 'click', () => this.saveMap());
        on('file', 'change', () => this.openFile(element('file').files[0]));
        document.addEventListener('dragover', (event) => event.preventDefault());
        document.addEventListener('drop', (event) => {
            event.preventDefault();
            this.openFile(event.dataTransfer.files[0]);
        });
        on('rule', 'change', () => this.reopen(this.terrain));
        on('rows', 'change', () => this.rebuild([]));
        on('place', 'click', () => this.rebuild([]));
        on('rewind', 'click', () => this.rewind());
        on('step', 'click', () => this.step());
        on('play', 'click', () => this.play());
        on('finish', 'click', () => this.finish());
        for (const id of ['heuristic', 'weight', 'ties'])
            on(id, 'change', () => { this.chooseSearch(); this.restart(); });
        on('view', 'change', () => this.wanted.add('draw'));
        on('row', 'change', () => {
            element('row').value = Math.max(this.shownRow(), 0);
            this.wanted.add('draw');
        });
        // At once: a canvas of another size is empty, and observers come after the frame's turn.
        new ResizeObserver(() => { this.picture.fit(); this.paint(); }).observe(element('frame'));
        this.showValues();
    }

    // The number beside each slider.
    showValues() {
        for (const id of Object.keys(this.shown()))
            element(id).addEventListener('input', () => this.showNumbers());
        this.showNumbers();
    }

    shown() {
        return {
            rows: (value) => value, weight: (value) => (value / 1000).toFixed(1),
            brush: (value) => `${value} × ${value}`,
            budget: (value) => inThousands(2 ** value), speed: (value) => inThousands(2 ** value),
        };
    }

    showNumbers() {
        for (const [id, text] of Object.entries(this.shown()))
            element(`${id}-value`).textContent = text(numberOf(id));
    }
}

async function open() {
    const bytes = Uint8Array.from(atob(MODULE_BASE64), (letter) => letter.charCodeAt(0));
    window.demo = new Page(new Model(await cairnPath.load({module: bytes})));
}

open().catch((problem) => {
    element('headline').textContent = `This browser cannot run the demo: ${problem.message}`;
});
