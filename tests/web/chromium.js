// A headless browser that a test steers: opens a page, presses keys, moves the pointer, takes
// pictures. Speaks the DevTools protocol over a pair of pipes, so that it needs no package.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {spawn} = require('child_process');

const PATIENCE = 60000;   // milliseconds for one answer of the browser

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--hide-scrollbars', '--remote-debugging-pipe'];

const KEY_CODES = {ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9, Enter: 13,
    PageUp: 33, PageDown: 34};

class Browser {
    static async start(program) {
        const browser = new Browser(program);
        const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
        const attached = await browser.send('Target.attachToTarget', {targetId, flatten: true});
        browser.session = attached.sessionId;
        for (const domain of ['Page', 'Runtime', 'Log', 'DOM'])
            await browser.send(`${domain}.enable`);
        return browser;
    }

    constructor(program) {
        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-browser.'));
        this.child = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`],
            {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true});
        this.waiting = new Map();
        this.complaints = [];   // what the console showed
        this.onLoad = null;
        this.sent = 0;
        let text = '';
        this.child.stdio[4].setEncoding('utf8').on('data', (piece) => {
            const messages = (text + piece).split('\0');
            text = messages.pop();
            messages.forEach((message) => this.receive(JSON.parse(message)));
        });
    }

    receive(message) {
        if (message.id !== undefined) {
            this.waiting.get(message.id)(message);
            this.waiting.delete(message.id);
        } else if (message.method === 'Page.loadEventFired' && this.onLoad) {
            this.onLoad();
        } else if (message.method === 'Runtime.exceptionThrown') {
            this.complaints.push(message.params.exceptionDetails.exception?.description ??
                message.params.exceptionDetails.text);
        } else if (message.method === 'Runtime.consoleAPICalled') {
            this.complaints.push(message.params.args.map((each) => each.value).join(' '));
        } else if (message.method === 'Log.entryAdded') {
            this.complaints.push(message.params.entry.text);
        }
    }

    send(method, params = {}) {
        const id = ++this.sent;
        const message = {id, method, params, sessionId: this.session};
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), PATIENCE);
            this.waiting.set(id, (answer) => {
                clearTimeout(timer);
                if (answer.error)
                    reject(new Error(`${method}: ${answer.error.message}`));
                else
                    resolve(answer.result);
            });
            this.child.stdio[3].write(`${JSON.stringify(message)}\0`);
        });
    }

    async open(url, width, height) {
        await this.send('Emulation.setDeviceMetricsOverride',
            {width, height, deviceScaleFactor: 1, mobile: false});
        const loaded = new Promise((resolve) => { this.onLoad = resolve; });
        await this.send('Page.navigate', {url});
        await loaded;
    }

    // The value of an expression in the page.
    async value(expression) {
        const {result, exceptionDetails} = await this.send('Runtime.evaluate',
            {expression, returnByValue: true, awaitPromise: true});
        if (exceptionDetails)
            throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
        return result.value;
    }

    // Until the expression holds; its value.
    async until(expression) {
        const end = Date.now() + PATIENCE;
        while (Date.now() < end) {
            const found = await this.value(expression);
            if (found)
                return found;
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        throw new Error(`did not come to hold: ${expression}`);
    }

    async mouse(type, x, y) {
        const button = type === 'mouseMoved' ? 'none' : 'left';
        await this.send('Input.dispatchMouseEvent', {type, x, y, button, clickCount: 1});
    }

    async click(x, y) {
        await this.mouse('mouseMoved', x, y);
        await this.mouse('mousePressed', x, y);
        await this.mouse('mouseReleased', x, y);
    }

    // By a finger.
    async tap(x, y) {
        await this.send('Emulation.setTouchEmulationEnabled', {enabled: true});
        await this.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
        await this.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
        await this.send('Emulation.setTouchEmulationEnabled', {enabled: false});
    }

    async clickOn(id) {
        const [x, y] = await this.value(`(() => {
            document.getElementById('${id}').scrollIntoView({block: 'nearest'});
            const box = document.getElementById('${id}').getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        })()`);
        await this.click(x, y);
    }

    async press(key) {
        const text = key.length === 1 ? key : undefined;
        const code = KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0);
        const event = {key, code: key, windowsVirtualKeyCode: code};
        await this.send('Input.dispatchKeyEvent',
            {...event, type: text ? 'keyDown' : 'rawKeyDown', text});
        await this.send('Input.dispatchKeyEvent', {...event, type: 'keyUp'});
    }

    async chooseFile(id, file) {
        const {root} = await this.send('DOM.getDocument');
        const {nodeId} = await this.send('DOM.querySelector',
            {nodeId: root.nodeId, selector: `#${id}`});
        await this.send('DOM.setFileInputFiles', {nodeId, files: [file]});
    }

    async picture(file) {
        const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }

    async close() {
        const ended = new Promise((resolve) => this.child.on('exit', resolve));
        await this.send('Browser.close').catch(() => this.child.kill());
        await ended;
        fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
    }
}

module.exports = {Browser};
