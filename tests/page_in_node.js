// Runs the script of an animation's page on a canvas that writes down what is drawn; prints it as JSON.
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const data = page.match(/<script id="data"[^>]*>([\s\S]*?)<\/script>/)[1];
const script = page.match(/<script>([\s\S]*?)<\/script>/)[1];
let calls = [], waiting = null;
const pen = new Proxy({}, {
  get: (of, name) => name in of ? of[name] : (...args) => { calls.push([name, ...args]); },
  set: (of, name, value) => { of[name] = value; calls.push(["set", name, value]); return true; },
});
const elements = {};
const element = id => elements[id] ??= {
  id, textContent: id === "data" ? data : "", value: id === "rate" ? "1" : "0",
  getContext: () => pen, getBoundingClientRect: () => ({width: 800, height: 600}), setPointerCapture() {},
};
const listeners = {};
globalThis.document = {getElementById: element, addEventListener: (name, f) => { listeners[name] = f; }};
globalThis.window = {devicePixelRatio: 1, addEventListener: () => {}};
globalThis.requestAnimationFrame = f => { waiting = f; };
new Function(script)();
const frames = [];
const last = JSON.parse(data).times.length - 1;
const show = k => {
  elements.slider.value = String(k); calls = []; elements.slider.oninput();
  frames.push({frame: k, shown: elements.slider.value, play: elements.play.textContent, calls});
};
[last, Math.floor(last / 2), 0].forEach(show);
elements.play.onclick();
calls = [];
waiting(0); waiting(1000);
const afterASecond = elements.slider.value;
listeners.keydown({key: "ArrowLeft", target: null});
const afterKey = elements.slider.value;
elements.canvas.onpointerdown({clientX: 0, clientY: 0, pointerId: 1});
calls = []; elements.canvas.onpointermove({clientX: 40, clientY: 25});
console.log(JSON.stringify({frames, afterASecond, afterKey, turned: calls.length}));
