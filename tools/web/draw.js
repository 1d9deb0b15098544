// The picture of the map: a colour a cell, and what lies on top of it.
'use strict';

const COLOUR = {
    floor: [246, 243, 235], wall: [58, 57, 64], forest: [188, 212, 165], mud: [206, 182, 148],
    plain: [178, 209, 240], landmarks: [54, 112, 178], open: [245, 190, 90],
    unreached: [225, 222, 214],
};

// From none to all: dark blue, green, yellow.
const SCALE = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

// Of the screen to one of the page.
function pixelRatio() {
    return window.devicePixelRatio || 1;
}

function onScale(share) {
    const place = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
    const first = Math.min(Math.floor(place), SCALE.length - 2);
    return SCALE[first].map((from, i) => from + (SCALE[first + 1][i] - from) * (place - first));
}

function mix(colour, ground, share) {
    return colour.map((part, i) => part * share + ground[i] * (1 - share));
}

class Picture {
    constructor(canvas) {
        this.canvas = canvas;
        this.cells = document.createElement('canvas');
        this.width = 1;
        this.height = 1;
    }

    resize(width, height) {
        this.width = this.cells.width = width;
        this.height = this.cells.height = height;
        this.fit();
    }

    // The map as large as the canvas allows, cells of whole pixels where they are large.
    fit() {
        const ratio = pixelRatio();
        this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
        this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
        const scale = Math.min(this.canvas.width / this.width, this.canvas.height / this.height);
        this.scale = scale > 2 ? Math.floor(scale) : scale;
        this.left = Math.floor((this.canvas.width - this.width * this.scale) / 2);
        this.top = Math.floor((this.canvas.height - this.height * this.scale) / 2);
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
        const canvas = this.canvas.getContext('2d');
        canvas.imageSmoothingEnabled = this.scale < 1;
        canvas.clearRect(0, 0, this.canvas.width, this.canvas.height);
        canvas.drawImage(this.cells, this.left, this.top, this.width * this.scale,
            this.height * this.scale);
    }

    middle(node) {
        const x = node % this.width, y = Math.floor(node / this.width);
        return [this.left + (x + 0.5) * this.scale, this.top + (y + 0.5) * this.scale];
    }

    // Marks keep their size on maps of many cells.
    markSize() {
        return Math.max(this.scale * 0.8, 7 * pixelRatio());
    }

    line(nodes, colour) {
        const canvas = this.canvas.getContext('2d');
        canvas.lineJoin = canvas.lineCap = 'round';
        for (const [width, style] of [[2.2, '#fff'], [1.2, colour]]) {
            canvas.lineWidth = Math.max(this.scale * 0.3, 2 * pixelRatio()) * width;
            canvas.strokeStyle = style;
            canvas.beginPath();
            nodes.forEach((node) => canvas.lineTo(...this.middle(node)));
            canvas.stroke();
        }
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
