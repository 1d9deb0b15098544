// The page: what is chosen, dragged and drawn, and what is shown of it.
'use strict';

const ALL = 0xffffffff;
const TERRAIN = 'F=3 M=6';
const ROW_STATES = ['fresh', 'weaker', 'unsafe'];
const TIMED_FOR = 4;   // milliseconds

const KINDS = [KIND.PLAIN, KIND.LANDMARKS];
const element = (id) => document.getElementById(id);
const numberOf = (id) => Number(element(id).value);
const inThousands = (number) => Math.round(number).toLocaleString('en');

function textOfMap(width, height, letters) {
    const rows = Array.from({length: height}, (_, y) =>
        String.fromCharCode(...letters.subarray(y * width, (y + 1) * width)));
    return new TextEncoder().encode(
        `type octile\nheight ${height}\nwidth ${width}\nmap\n${rows.join('\n')}\n`);
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
        this.playing = false;
        this.held = null;       // what the pointer drags
        this.lastCell = null;
        this.terrain = '';
        this.repairing = false;
        this.dragged = false;   // whether landmarks are where somebody put them
        this.wanted = new Set();  // what the next frame does
        this.listen();
        this.fillMaps();
        this.openNamed(Object.keys(MAPS)[0]);
        requestAnimationFrame(() => this.frame());
    }

    // --------------------------------------------------------------------------------- maps --

    fillMaps() {
        for (const name of Object.keys(MAPS))
            element('maps').add(new Option(name));
    }

    openNamed(name) {
        this.open(new TextEncoder().encode(MAPS[name].text), '');
        [this.start, this.goal] = MAPS[name].ends.map(([x, y]) => y * this.cairn.width + x);
        this.rebuild([]);
    }

    open(text, terrain) {
        this.cairn.openMap(text, terrain, numberOf('rule'));
        element('problem').textContent = '';
        this.terrain = terrain;
        this.letters = this.cairn.letters().slice();
        this.picture.resize(this.cairn.width, this.cairn.height);
        this.chooseSearch();
    }

    // The same cells under other rules or costs.
    reopen(terrain) {
        this.open(textOfMap(this.cairn.width, this.cairn.height, this.letters), terrain);
        this.rebuild(this.dragged ? this.landmarksInUse() : []);
    }

    async openFile(file) {
        if (!file)
            return;
        try {
            this.open(new Uint8Array(await file.arrayBuffer()), '');
        } catch (problem) {
            this.reopen(this.terrain);
            element('problem').textContent = `${file.name}: ${problem.message}`;
            return;
        }
        this.putEndsAnywhere();
        this.rebuild([]);
    }

    // Far apart, in the component of the cell in the middle of all open ones.
    putEndsAnywhere() {
        const open = [];
        for (let node = 0; node < this.cairn.count; node++)
            if (this.isOpen(node))
                open.push(node);
        this.start = this.farthestFrom(open[open.length >> 1] ?? 0);
        this.goal = this.farthestFrom(this.start);
    }

    farthestFrom(node) {
        const costs = this.cairn.costsTo(node);
        let best = node;
        for (let other = 0; costs && other < costs.length; other++)
            if (costs[other] !== UNREACHABLE && costs[other] > costs[best])
                best = other;
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
            ? `measured in ${this.buildTime.toFixed(1)} ms` : 'no landmarks';
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
        const costs = this.cairn.costsTo(this.goal);
        this.exact = costs && costs.slice();
        this.marks = Array.from({length: this.cairn.rowCount()}, (_, row) => this.landmarkOf(row));
    }

    // One frame's part of the work that edits left.
    repair() {
        const before = this.cairn.refreshedCells();
        this.repairing = this.cairn.refresh(Math.round(2 ** numberOf('budget')));
        this.repaired += this.cairn.refreshedCells() - before;
        this.repairFrames++;
        element('refresh').textContent = `repaired: ${inThousands(this.repaired)} entries ` +
            `looked at in ${this.repairFrames} frames`;
        this.lookAtGoal();
        this.restart();
    }

    // ------------------------------------------------------------------------------- search --

    chooseSearch() {
        this.cairn.choose(numberOf('plain'), numberOf('weight'), numberOf('ties'));
    }

    // Both searches from their start: to the end, unless they are to be watched.
    restart() {
        for (const kind of KINDS)
            this.cairn.begin(kind, this.start, this.goal);
        this.finished = false;
        if (!this.watching)
            this.resume(ALL);
        this.wanted.add('draw');
    }

    resume(expansions) {
        for (const kind of KINDS)
            this.cairn.resume(kind, expansions);
        this.finished = KINDS.every(
            (kind) => this.cairn.report(kind).outcome !== OUTCOME.PAUSED);
        if (this.finished)
            this.playing = false;
        this.wanted.add('draw').add('time');
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
        if (this.playing) {
            this.playing = false;
            return;
        }
        if (!this.isBeingWatched())
            this.rewind();
        this.playing = true;
    }

    finish() {
        this.watching = false;
        this.playing = false;
        this.resume(ALL);
    }

    // ------------------------------------------------------------------------------ pointer --

    // The nearest mark under the pointer.
    markAt(cell) {
        const reach = Math.max(1.5, this.picture.markSize() / this.picture.scale * 1.3);
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
        const cell = this.picture.cellAt(event);
        if (!cell)
            return;
        element('map').setPointerCapture(event.pointerId);
        const tool = document.querySelector('input[name=tool]:checked').value;
        this.held = tool === 'move' ? this.markAt(cell) : {name: 'brush', letter: tool};
        this.lastCell = cell;
        if (this.held)
            this.drag(cell);
    }

    move(event) {
        const cell = this.picture.cellAt(event);
        this.pointed = cell ? cell.y * this.cairn.width + cell.x : null;
        this.wanted.add('hover');
        if (cell && this.held)
            this.drag(cell);
    }

    drag(cell) {
        const node = cell.y * this.cairn.width + cell.x;
        if (this.held.name === 'brush') {
            this.draw(cell);
        } else if (!this.isOpen(node) || node === this.held.node) {
            return;
        } else if (this.held.name === 'landmark') {
            this.marks[this.held.row] = node;
            this.wanted.add('rebuild');
        } else {
            this[this.held.name] = node;
            this.lookAtGoal();
            this.restart();
        }
        this.held.node = node;
        this.lastCell = cell;
    }

    draw(cell) {
        if (!this.terrain && 'FM'.includes(this.held.letter))
            this.reopen(TERRAIN);
        for (const middle of cellsBetween(this.lastCell, cell))
            this.fillAround(middle);
        this.letters = this.cairn.letters().slice();
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

    frame() {
        if (this.wanted.delete('rebuild'))
            this.rebuild(this.landmarksInUse());
        if (this.repairing && element('repair').checked && !this.isBeingWatched())
            this.repair();
        if (this.playing)
            this.resume(2 ** numberOf('speed'));
        if (this.wanted.delete('draw')) {
            this.paint();
            this.showResults();
        }
        if (this.finished && !this.repairing && !this.held && this.wanted.delete('time'))
            this.showTimes();
        if (this.wanted.delete('hover'))
            this.showHover();
        requestAnimationFrame(() => this.frame());
    }

    ground(node) {
        switch (String.fromCharCode(this.letters[node])) {
        case 'F': return COLOUR.forest;
        case 'M': return COLOUR.mud;
        default: return this.isOpen(node) ? COLOUR.floor : COLOUR.wall;
        }
    }

    exploredColour() {
        const [plain, landmarks] = KINDS.map((kind) => this.cairn.states(kind).slice());
        return (node) => {
            const ground = this.ground(node);
            if (landmarks[node] === 2)
                return mix(COLOUR.landmarks, ground, 0.85);
            if (plain[node] === 2)
                return mix(COLOUR.plain, ground, 0.85);
            const isOpen = plain[node] === 1 || landmarks[node] === 1;
            return isOpen ? mix(COLOUR.open, ground, 0.8) : ground;
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
        const found = this.cairn.bounds(kind, this.goal);
        const bounds = found && found.slice();
        const {exact} = this;
        return this.scaledColour((node) => !exact || exact[node] === UNREACHABLE ? undefined
            : exact[node] === 0 ? 1 : bounds[node] / exact[node]);
    }

    rowColour() {
        const row = Math.min(numberOf('row'), this.cairn.rowCount()) - 1;
        if (row < 0)
            return (node) => this.ground(node);
        const costs = this.cairn.rowCosts(row).slice();
        let most = 1;
        costs.forEach((cost, node) => {
            if (cost !== UNREACHABLE && cost > most && this.isOpen(node))
                most = cost;
        });
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
        this.picture.line(path.length ? path : this.cairn.pathCells(KIND.PLAIN), '#d1331f');
        this.marks.forEach((node, row) => {
            if (node !== undefined)
                this.picture.heap(node, view === 'row' && row + 1 === numberOf('row') ? '#d1331f'
                    : '#6b4e2e', row + 1);
        });
        this.picture.disc(this.start, '#1d7a3e', 'S');
        this.picture.disc(this.goal, '#b32020', 'G');
        this.showLegend(view);
    }

    showLegend(view) {
        const css = (colour) => `rgb(${colour.map(Math.round)})`;
        const entries = view === 'explored'
            ? [[COLOUR.plain, 'plain distance explored these'],
                [COLOUR.landmarks, 'with landmarks these are enough'],
                [COLOUR.open, 'on an open list']]
            : view === 'row'
                ? [[onScale(1), 'near the landmark'], [onScale(0), 'far from it']]
                : [[onScale(1), 'the bound is exact'], [onScale(0.5), 'half of the cost'],
                    [onScale(0), 'it knows nothing']];
        const item = ([colour, text]) =>
            `<li><i style="background:${css(colour)}"></i>${text}</li>`;
        element('legend').innerHTML = entries.map(item).join('');
        element('row-choice').hidden = view !== 'row';
    }

    showResults() {
        const [plain, landmarks] = KINDS.map((kind) => this.cairn.report(kind));
        [plain, landmarks].forEach((report, kind) => {
            const found = report.outcome === OUTCOME.FOUND;
            element(`expanded-${kind}`).textContent = inThousands(report.expanded);
            element(`length-${kind}`).textContent = found ? report.length.toFixed(2) : '–';
            element(`shortest-${kind}`).textContent = this.verdict(report);
            element(`time-${kind}`).textContent = '';
        });
        this.say(this.headline(plain, landmarks));
        this.showChips();
    }

    verdict(report) {
        if (report.outcome !== OUTCOME.FOUND)
            return '–';
        const least = this.exact ? this.exact[this.start] : NaN;
        const above = (report.cost / least - 1) * 100;
        return above === 0 ? 'yes' : `+ ${above.toFixed(1)} %`;
    }

    headline(plain, landmarks) {
        if (!this.finished)
            return this.playing ? 'Searching …' : 'Stopped on the way: Step, Play or Finish.';
        if (plain.outcome === OUTCOME.START_BLOCKED || plain.outcome === OUTCOME.GOAL_BLOCKED)
            return `The ${plain.outcome === OUTCOME.GOAL_BLOCKED ? 'goal' : 'start'} is blocked.`;
        if (plain.outcome === OUTCOME.NONE)
            return `No path: plain distance looked at ${inThousands(plain.expanded)} nodes ` +
                `to know, landmarks at ${inThousands(landmarks.expanded)}.`;
        const unsafe = this.cairn.isAdmissible() ? ''
            : ' This distance may exceed the cost: paths may be longer.';
        const ratio = Math.max(plain.expanded, 1) / Math.max(landmarks.expanded, 1);
        return `<b>${ratio.toFixed(1)} ×</b> fewer nodes ` +
            `with ${this.cairn.rowCount()} landmarks.${unsafe}`;
    }

    say(html) {
        element('headline').innerHTML = html;
    }

    showChips() {
        element('chips').innerHTML = this.marks.map((_, row) => {
            const state = ROW_STATES[this.cairn.rowState(row)];
            return `<span class="chip ${state}" title="row ${row + 1}: ${state}">${row + 1}</span>`;
        }).join('');
    }

    showTimes() {
        for (const kind of KINDS) {
            const time = this.cairn.timeOf(kind, this.start, this.goal, TIMED_FOR);
            element(`time-${kind}`).textContent = time < 1000 
                ? `${time.toPrecision(3)} µs` : `${(time / 1000).toPrecision(3)} ms`;
        }
    }

    showHover() {
        const node = this.pointed;
        if (node === null || node === undefined) {
            element('hover').textContent = '\u00a0';
            return;
        }
        const unit = this.cairn.straight();
        const inSteps = (cost) => cost >= UNREACHABLE ? 'none' : (cost / unit).toFixed(2);
        const seen = KINDS.map((kind) => {
            const {state, g, h, f, parent} = this.cairn.look(kind, node);
            const name = kind === KIND.PLAIN ? 'plain' : 'landmarks';
            return state === 0 ? `${name}: unseen`
                : `${name}: ${state === 1 ? 'open' : 'closed'}, g ${inSteps(g)}, ` +
                  `h ${inSteps(h)}, f ${inSteps(f)}, from ${this.cellName(parent)}`;
        });
        const exact = this.exact && this.isOpen(node)
            ? `, true cost ${inSteps(this.exact[node])}` : '';
        element('hover').textContent = `${this.cellName(node)} ` +
            `“${String.fromCharCode(this.letters[node])}”${exact} · ${seen.join(' · ')}`;
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
        canvas.addEventListener('pointerleave', () => {
            this.pointed = null;
            this.wanted.add('hover');
        });
        for (const event of ['pointerup', 'pointercancel'])
            canvas.addEventListener(event, () => { this.held = null; });
        canvas.addEventListener('keydown', (event) => {
            if (event.key === ' ') {
                event.preventDefault();
                this.step();
            }
        });
        on('maps', 'change', () => this.openNamed(element('maps').value));
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
        for (const id of ['plain', 'weight', 'ties'])
            on(id, 'change', () => { this.chooseSearch(); this.restart(); });
        for (const id of ['view', 'row'])
            on(id, 'change', () => this.wanted.add('draw'));
        window.addEventListener('resize', () => { this.picture.fit(); this.wanted.add('draw'); });
        this.showValues();
    }

    // The number beside each slider.
    showValues() {
        const shown = {
            rows: (value) => value, weight: (value) => (value / 1000).toFixed(1),
            budget: (value) => inThousands(2 ** value), speed: (value) => inThousands(2 ** value),
        };
        for (const [id, text] of Object.entries(shown)) {
            const show = () => { element(`${id}-value`).textContent = text(numberOf(id)); };
            element(id).addEventListener('input', show);
            show();
        }
    }
}

async function open() {
    const bytes = Uint8Array.from(atob(MODULE_BASE64), (letter) => letter.charCodeAt(0));
    window.demo = new Page(await Cairn.load(bytes));
}

open().catch((problem) => {
    element('headline').textContent = `This browser cannot run the demo: ${problem.message}`;
});
