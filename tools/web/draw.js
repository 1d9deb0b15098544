// The picture of the map: a colour a cell, and what lies on top of it.
'use strict';

// Light ones as in pictures and reports (tools/render/palette.h), dark ones of the same hues.
const COLOURS = {
    light: {
        floor: '#f6f3ec', wall: '#3a3f47', forest: '#bcd4a5', mud: '#b3a799',
        base: '#f4c98a', landmarks: '#b9501b', open: '#56b4c8', unreached: '#e1ded6',
        path: '#1d4f9f', start: '#2d8a4e', goal: '#c0243c', landmark: '#7a1fa2',
        decides: '#d6006c', onDecides: '#ffffff', unit: '#0b6e74', halo: '#ffffff',
    },
    dark: {
        floor: '#34363c', wall: '#101114', forest: '#345438', mud: '#5c5650',
        base: '#8a6a3c', landmarks: '#f0934f', open: '#4aa3b8', unreached: '#24262a',
        path: '#8fbaff', start: '#2d8a4e', goal: '#d13a50', landmark: '#a04fd0',
        decides: '#ff5ea8', onDecides: '#1d1f24', unit: '#4fd0d8', halo: '#101114',
    },
};

// Those in use: for style and canvas, and as red, green and blue.
let PAINT = COLOURS.light;
let COLOUR = inParts(PAINT);

function inParts(colours) {
    const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    return Object.fromEntries(Object.entries(colours).map(([name, hex]) => [name, parts(hex)]));
}

function useColours(isDark) {
    PAINT = isDark ? COLOURS.dark : COLOURS.light;
    COLOUR = inParts(PAINT);
    for (const [name, hex] of Object.entries(PAINT))
        document.documentElement.style.setProperty(`--${name}`, hex);
}

const ZOOM_MAX = 32;

// From none to all: dark blue, green, yellow.
const SCALE = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

// Pixels of the page around the map, so that marks at its edge are whole: as in page.css.
const MARGIN = 12;

// Pixels of the screen to one of the page.
function pixelRatio() {
    return window.devicePixelRatio || 1;
}

function onScale(share) {
    const place = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
    const first = Math.min(Math.floor(place), SCALE.length - 2);
    return SCALE[first].map((from, i) => from + (SCALE[first + 1][i] - from) * (place - first));
}

// What a search did with a cell lets its floor shine through.
function over(colour, floor) {
    return colour.map((part, i) => part * 0.7 + floor[i] * 0.3);
}

class Picture {
    constructor(canvas) {
        this.canvas = canvas;
        this.cells = document.createElement('canvas');
        this.enlarged = document.createElement('canvas');
        this.width = 1;
        this.height = 1;
        this.zoom = 1;
        this.centre = [0.5, 0.5];   // of the window, as shares of the map
        this.isHex = false;
    }

    resize(width, height, isHex) {
        this.width = this.cells.width = width;
        this.height = this.cells.height = height;
        this.isHex = isHex;
        this.canvas.parentElement.style.setProperty('--shape', width / height);
        this.fit();
    }

    // The map as large as the canvas allows.
    fit() {
        const ratio = pixelRatio();
        this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
        this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
        const width = Math.max(1, this.canvas.width - 2 * MARGIN * ratio);
        const height = Math.max(1, this.canvas.height - 2 * MARGIN * ratio);
        this.fitted = Math.min(width / (this.width + (this.isHex ? 0.5 : 0)),
            height / this.height);
        this.scale = this.fitted * this.zoom;
        this.left = this.edge(0, this.canvas.width, this.width * this.scale, MARGIN * ratio);
        this.top = this.edge(1, this.canvas.height, this.height * this.scale, MARGIN * ratio);
        this.whole = this.zoom > 1 ? 1 : Math.max(1, Math.ceil(this.scale));
        this.enlarged.width = this.width * this.whole;
        this.enlarged.height = this.height * this.whole;
    }

    // Where the map begins along one axis. Its edge is not drawn into the window beyond the margin.
    edge(axis, window, size, margin) {
        if (size <= window - 2 * margin + 1)
            return Math.floor((window - size) / 2);
        const least = window - margin - size;
        const edge = Math.min(Math.max(window / 2 - this.centre[axis] * size, least), margin);
        this.centre[axis] = (window / 2 - edge) / size;
        return Math.floor(edge);
    }

    // What is at a place of the page stays there.
    zoomBy(factor, {clientX, clientY}) {
        const [x, y] = this.pixelsOf({clientX, clientY});
        const shares = [(x - this.left) / (this.width * this.scale),
            (y - this.top) / (this.height * this.scale)];
        this.zoom = Math.min(Math.max(this.zoom * factor, 1), ZOOM_MAX);
        const scale = this.fitted * this.zoom;
        this.centre = [shares[0] + (this.canvas.width / 2 - x) / (this.width * scale),
            shares[1] + (this.canvas.height / 2 - y) / (this.height * scale)];
        this.fit();
    }

    // By pixels of the page.
    moveBy(dx, dy) {
        this.centre[0] -= dx * pixelRatio() / (this.width * this.scale);
        this.centre[1] -= dy * pixelRatio() / (this.height * this.scale);
        this.fit();
    }

    showWhole() {
        this.zoom = 1;
        this.fit();
    }

    pixelsOf({clientX, clientY}) {
        const box = this.canvas.getBoundingClientRect();
        const ratio = this.canvas.width / box.width;
        return [(clientX - box.left) * ratio, (clientY - box.top) * ratio];
    }

    // Odd rows of hexagons are shifted by half a cell.
    shiftOf(y) {
        return this.isHex && y % 2 ? this.scale / 2 : 0;
    }

    // The cell under a pointer; null outside the map.
    cellAt(event) {
        const [right, down] = this.pixelsOf(event);
        const y = Math.floor((down - this.top) / this.scale);
        const x = Math.floor((right - this.left - this.shiftOf(y)) / this.scale);
        return x >= 0 && y >= 0 && x < this.width && y < this.height ? {x, y} : null;
    }

    // `colourOf` gives red, green and blue of a node.
    paint(colourOf) {
        const context = this.cells.getContext('2d');
        const image = context.createImageData(this.width, this.height);
        for (let node = 0, at = 0; node < this.width * this.height; node++, at += 4) {
            const colour = colourOf(node);
            image.data[at] = colour[0];
            image.data[at + 1] = colour[1];
            image.data[at + 2] = colour[2];
            image.data[at + 3] = 255;
        }
        context.putImageData(image, 0, 0);
        this.enlarge();
    }

    // To cells of whole pixels first, which are then made smaller: so that all have one size.
    enlarge() {
        const canvas = this.canvas.getContext('2d');
        canvas.clearRect(0, 0, this.canvas.width, this.canvas.height);
        if (this.isHex || this.zoom > 1)
            this.drawRows(canvas);
        else
            this.drawWhole(canvas);
    }

    // Row by row, where they are shifted or cells are large.
    drawRows(canvas) {
        canvas.imageSmoothingEnabled = false;
        for (let y = 0; y < this.height; y++) {
            const top = Math.floor(this.top + y * this.scale);
            const below = Math.floor(this.top + (y + 1) * this.scale);
            if (below >= 0 && top < this.canvas.height)
                canvas.drawImage(this.cells, 0, y, this.width, 1, this.left + this.shiftOf(y), top,
                    this.width * this.scale, below - top);
        }
    }

    drawWhole(canvas) {
        const whole = this.enlarged.getContext('2d');
        whole.imageSmoothingEnabled = false;
        whole.drawImage(this.cells, 0, 0, this.enlarged.width, this.enlarged.height);
        canvas.imageSmoothingEnabled = true;
        canvas.imageSmoothingQuality = 'high';
        canvas.drawImage(this.enlarged, this.left, this.top, this.width * this.scale,
            this.height * this.scale);
    }

    middle(node) {
        const x = node % this.width, y = Math.floor(node / this.width);
        return [this.left + (x + 0.5) * this.scale + this.shiftOf(y),
            this.top + (y + 0.5) * this.scale];
    }

    // Where a node is on the page, from the canvas' upper left corner.
    placeOf(node) {
        return this.middle(node).map((place) => place / pixelRatio());
    }

    // So much of a cell, but within these pixels of the page: on maps of many cells and of few.
    sizeOf(cell, share, least, most) {
        return Math.min(Math.max(cell * share, least * pixelRatio()), most * pixelRatio());
    }

    markSize() {
        return this.sizeOf(this.fitted, 0.8, 8.5, 16);
    }

    // A straight line from one node to another.
    thread(from, to, colour) {
        const canvas = this.canvas.getContext('2d');
        canvas.lineWidth = 1.5 * pixelRatio();
        canvas.strokeStyle = colour;
        canvas.beginPath();
        canvas.moveTo(...this.middle(from));
        canvas.lineTo(...this.middle(to));
        canvas.stroke();
    }

    // A square of so many cells around a node, light within dark.
    cursor(node, cells) {
        const canvas = this.canvas.getContext('2d');
        const [x, y] = this.middle(node);
        const size = Math.max(cells * this.scale, 12 * pixelRatio());
        for (const [width, colour] of [[5, '#22252b'], [2.5, '#f0a500']]) {
            canvas.lineWidth = width * pixelRatio();
            canvas.strokeStyle = colour;
            canvas.strokeRect(x - size / 2, y - size / 2, size, size);
        }
    }

    // The units of a crowd.
    dots(nodes, colour) {
        const canvas = this.canvas.getContext('2d');
        const size = this.sizeOf(this.scale, 0.5, 3, 10);
        canvas.fillStyle = colour;
        canvas.beginPath();
        for (const node of nodes) {
            const [x, y] = this.middle(node);
            canvas.moveTo(x + size, y);
            canvas.arc(x, y, size, 0, 2 * Math.PI);
        }
        canvas.fill();
        canvas.lineWidth = pixelRatio() / 2;
        canvas.strokeStyle = '#fff';
        canvas.stroke();
    }

    // Narrow, and in dashes, so that the cells that it lies on are seen.
    line(nodes, colour) {
        const canvas = this.canvas.getContext('2d');
        const middle = this.sizeOf(this.scale, 0.25, 2, 5);
        canvas.lineJoin = 'round';
        canvas.setLineDash([7 * pixelRatio(), 4 * pixelRatio()]);
        for (const [width, style] of [[middle + pixelRatio(), `${PAINT.halo}99`],
            [middle, colour]]) {
            canvas.lineWidth = width;
            canvas.strokeStyle = style;
            canvas.beginPath();
            nodes.forEach((node) => canvas.lineTo(...this.middle(node)));
            canvas.stroke();
        }
        canvas.setLineDash([]);
    }

    disc(node, colour, letter) {
        const canvas = this.canvas.getContext('2d');
        const [x, y] = this.middle(node);
        const size = this.markSize();
        canvas.beginPath();
        canvas.arc(x, y, size * 1.1, 0, 2 * Math.PI);
        this.fill(colour);
        this.write(letter, x, y, size * 1.4);
    }

    // A landmark: a heap of stones.
    heap(node, colour, number, ink) {
        const canvas = this.canvas.getContext('2d');
        const [x, y] = this.middle(node);
        const size = this.markSize() * 1.2;
        canvas.beginPath();
        canvas.moveTo(x, y - size);
        canvas.lineTo(x + size, y + size * 0.8);
        canvas.lineTo(x - size, y + size * 0.8);
        canvas.closePath();
        this.fill(colour);
        this.write(String(number), x, y + size * 0.35, size * 0.9, ink);
    }

    fill(colour) {
        const canvas = this.canvas.getContext('2d');
        canvas.fillStyle = colour;
        canvas.fill();
        canvas.lineWidth = 1.5 * pixelRatio();
        canvas.strokeStyle = '#fff';
        canvas.stroke();
    }

    write(text, x, y, size, ink = '#fff') {
        const canvas = this.canvas.getContext('2d');
        canvas.font = `bold ${size}px system-ui, sans-serif`;
        canvas.textAlign = 'center';
        canvas.textBaseline = 'middle';
        canvas.fillStyle = ink;
        canvas.fillText(text, x, y);
    }
}
