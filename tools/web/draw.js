// The picture of the map: a colour a cell, and what lies on top of it.
'use strict';

const COLOUR = {
    floor: [246, 243, 235], wall: [58, 57, 64], forest: [188, 212, 165], mud: [206, 182, 148],
    base: [160, 200, 243], landmarks: [24, 88, 164], open: [245, 180, 60],
    unreached: [225, 222, 214],
};

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
    }

    resize(width, height) {
        this.width = this.cells.width = width;
        this.height = this.cells.height = height;
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
        this.scale = Math.min(width / this.width, height / this.height);
        this.left = Math.floor((this.canvas.width - this.width * this.scale) / 2);
        this.top = Math.floor((this.canvas.height - this.height * this.scale) / 2);
        this.whole = Math.max(1, Math.ceil(this.scale));
        this.enlarged.width = this.width * this.whole;
        this.enlarged.height = this.height * this.whole;
    }

    // The cell under a pointer; null outside the map.
    cellAt(event) {
        const box = this.canvas.getBoundingClientRect();
        const ratio = this.canvas.width / box.width;
        const x = Math.floor(((event.clientX - box.left) * ratio - this.left) / this.scale);
        const y = Math.floor(((event.clientY - box.top) * ratio - this.top) / this.scale);
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
        const whole = this.enlarged.getContext('2d');
        whole.imageSmoothingEnabled = false;
        whole.drawImage(this.cells, 0, 0, this.enlarged.width, this.enlarged.height);
        const canvas = this.canvas.getContext('2d');
        canvas.imageSmoothingQuality = 'high';
        canvas.clearRect(0, 0, this.canvas.width, this.canvas.height);
        canvas.drawImage(this.enlarged, this.left, this.top, this.width * this.scale,
            this.height * this.scale);
    }

    middle(node) {
        const x = node % this.width, y = Math.floor(node / this.width);
        return [this.left + (x + 0.5) * this.scale, this.top + (y + 0.5) * this.scale];
    }

    // Where a node is on the page, from the canvas' upper left corner.
    placeOf(node) {
        return this.middle(node).map((place) => place / pixelRatio());
    }

    // Marks keep their size on maps of many cells.
    markSize() {
        return Math.max(this.scale * 0.8, 8.5 * pixelRatio());
    }

    // Narrow, and in dashes, so that the cells that it lies on are seen.
    line(nodes, colour) {
        const canvas = this.canvas.getContext('2d');
        const middle = Math.max(this.scale * 0.25, 1.5 * pixelRatio());
        canvas.lineJoin = 'round';
        canvas.setLineDash([7 * pixelRatio(), 4 * pixelRatio()]);
        for (const [width, style] of [[middle + pixelRatio(), '#ffffff99'], [middle, colour]]) {
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
    heap(node, colour, number) {
        const canvas = this.canvas.getContext('2d');
        const [x, y] = this.middle(node);
        const size = this.markSize() * 1.2;
        canvas.beginPath();
        canvas.moveTo(x, y - size);
        canvas.lineTo(x + size, y + size * 0.8);
        canvas.lineTo(x - size, y + size * 0.8);
        canvas.closePath();
        this.fill(colour);
        this.write(String(number), x, y + size * 0.35, size * 0.9);
    }

    fill(colour) {
        const canvas = this.canvas.getContext('2d');
        canvas.fillStyle = colour;
        canvas.fill();
        canvas.lineWidth = 1.5 * pixelRatio();
        canvas.strokeStyle = '#fff';
        canvas.stroke();
    }

    write(text, x, y, size) {
        const canvas = this.canvas.getContext('2d');
        canvas.font = `bold ${size}px system-ui, sans-serif`;
        canvas.textAlign = 'center';
        canvas.textBaseline = 'middle';
        canvas.fillStyle = '#fff';
        canvas.fillText(text, x, y);
    }
}
