"""The HTML page of an animation; ``@DATA@`` and ``@TITLE@`` are the placeholders of its JSON and its title."""

PAGE = r"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>@TITLE@</title>
<style>
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: #fff; color: #222; font: 14px system-ui, sans-serif; }
#stage { flex: 1; min-height: 0; position: relative; }
canvas { position: absolute; width: 100%; height: 100%; touch-action: none; }
#bar { display: flex; gap: 10px; align-items: center; padding: 8px 12px; border-top: 1px solid #ddd; }
#bar input { flex: 1; }
#bar button { width: 72px; }
</style>
</head>
<body>
<div id="stage"><canvas id="canvas" aria-label="@TITLE@"></canvas></div>
<div id="bar">
<button id="play" type="button">Pause</button>
<input id="slider" type="range" min="0" step="1" value="0" aria-label="time">
<select id="rate" aria-label="speed">
<option value="0.1">0.1 x</option><option value="0.25">0.25 x</option><option value="0.5">0.5 x</option>
<option value="1" selected>1 x</option><option value="2">2 x</option><option value="4">4 x</option>
</select>
</div>
<script id="data" type="application/json">@DATA@</script>
<script>
"use strict";
const scene = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("canvas"), pen = canvas.getContext("2d");
const slider = document.getElementById("slider"), play = document.getElementById("play");
const rate = document.getElementById("rate"), last = scene.times.length - 1;
let frame = 0, playing = last > 0, before = null, turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
let width = 1, height = 1, unit = 1, middle = [0, 0];
slider.max = last;

function turned(x, y, z) {
  return [turn[0] * x + turn[1] * y + turn[2] * z, turn[3] * x + turn[4] * y + turn[5] * z,
          turn[6] * x + turn[7] * y + turn[8] * z];
}
function place(list, k) {
  if (list[3 * k] === null) return null;
  const [x, y, z] = turned(list[3 * k] * scene.scale, list[3 * k + 1] * scene.scale, list[3 * k + 2] * scene.scale);
  return [middle[0] + x * unit, middle[1] - y * unit, z];
}
function point(i, f) {
  const k = scene.place[i];
  return k >= 0 ? place(scene.moving[f], k) : place(scene.still, -1 - k);
}
function fit() {
  const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
  width = box.width; height = box.height;
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const left = scene.planar ? 64 : 12, below = scene.planar ? 46 : 12, above = scene.title ? 62 : 38, right = 14;
  const spanX = scene.high[0] - scene.low[0], spanY = scene.high[1] - scene.low[1];
  unit = Math.max(1e-9, Math.min((width - left - right) / spanX, (height - above - below) / spanY));
  middle = [left + (width - left - right) / 2, above + (height - above - below) / 2];
}
function inside() {
  const dx = (scene.high[0] - scene.low[0]) / 2 * unit, dy = (scene.high[1] - scene.low[1]) / 2 * unit;
  return [middle[0] - dx, middle[1] - dy, middle[0] + dx, middle[1] + dy];
}
function path(points, close) {
  pen.beginPath();
  points.forEach((p, k) => k ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]));
  if (close) pen.closePath();
}
function fill(item) {
  pen.globalAlpha = item.opacity; pen.fillStyle = item.colour; pen.fill();
  if (item.edge) { pen.strokeStyle = item.edge; pen.lineWidth = 1.2; pen.stroke(); }
  pen.globalAlpha = 1;
}
function area(points) {
  let sum = 0;
  points.forEach((p, k) => { const n = points[(k + 1) % points.length]; sum += n[0] * p[1] - p[0] * n[1]; });
  return sum;
}
const paint = {
  stroke(item, points) {
    pen.strokeStyle = item.colour; pen.lineWidth = Math.max(1.33 * item.weight, item.width * unit);
    pen.setLineDash(item.dashed ? [7, 5] : []); path(points, false); pen.stroke(); pen.setLineDash([]);
  },
  face(item, points) {
    if (item.outward && area(points) <= 0) return;
    path(points, true); fill(item);
  },
  disc(item, points) {
    const radius = item.radii[Math.min(frame, item.radii.length - 1)] * unit;
    pen.beginPath(); pen.arc(points[0][0], points[0][1], radius, 0, 2 * Math.PI); fill(item);
  },
  dots(item, points) {
    pen.fillStyle = item.colour;
    points.forEach(p => { pen.beginPath(); pen.arc(p[0], p[1], 0.67 * item.size, 0, 2 * Math.PI); pen.fill(); });
  },
  trail(item) {
    const way = [];
    for (let k = 0; k < item.ends[frame]; k++) { const p = place(item.way, k); if (p) way.push(p); }
    pen.strokeStyle = item.colour; pen.globalAlpha = 0.7; pen.lineWidth = 1.33 * item.weight;
    path(way, false); pen.stroke(); pen.globalAlpha = 1;
  },
};
function arrow(tail, head) {
  const dx = head[0] - tail[0], dy = head[1] - tail[1], size = Math.hypot(dx, dy) || 1e-9;
  const box = inside(), tip = Math.min(0.035 * Math.max(box[2] - box[0], box[3] - box[1]), 0.6 * size);
  const f = [dx / size, dy / size], s = [-f[1], f[0]], neck = [head[0] - tip * f[0], head[1] - tip * f[1]];
  const at = (p, r) => [p[0] + r * tip * s[0], p[1] + r * tip * s[1]];
  path([at(tail, .14), at(neck, .14), at(neck, .5), head, at(neck, -.5), at(neck, -.14), at(tail, -.14)], true);
  pen.fillStyle = scene.flash; pen.fill();
}
function marks() {
  const box = inside();
  pen.strokeStyle = pen.fillStyle = "#333"; pen.lineWidth = 1; pen.font = "12px system-ui, sans-serif";
  path([[box[0], box[1]], [box[0], box[3]], [box[2], box[3]]], false); pen.stroke();
  pen.textAlign = "center"; pen.textBaseline = "top";
  for (const [value, text] of scene.ticks[0]) {
    const x = box[0] + (value - scene.low[0]) * unit;
    path([[x, box[3]], [x, box[3] + 4]], false); pen.stroke(); pen.fillText(text, x, box[3] + 7);
  }
  pen.fillText(scene.axes[0], (box[0] + box[2]) / 2, box[3] + 24);
  pen.textAlign = "right"; pen.textBaseline = "middle";
  for (const [value, text] of scene.ticks[1]) {
    const y = box[3] - (value - scene.low[1]) * unit;
    path([[box[0] - 4, y], [box[0], y]], false); pen.stroke(); pen.fillText(text, box[0] - 7, y);
  }
  pen.save(); pen.translate(box[0] - 50, (box[1] + box[3]) / 2); pen.rotate(-Math.PI / 2);
  pen.textAlign = "center"; pen.fillText(scene.axes[1], 0, 0); pen.restore();
}
function words() {
  const box = inside();
  pen.font = "11px system-ui, sans-serif"; pen.fillStyle = "#555";
  pen.textAlign = "center"; pen.textBaseline = "middle";
  for (const label of scene.labels) {
    const p = place(label.at, 0);
    pen.fillText(label.text, p[0] + 1.33 * label.offset[0], p[1] - 1.33 * label.offset[1]);
  }
  pen.fillStyle = "#222"; pen.textAlign = "left"; pen.font = "14px system-ui, sans-serif";
  pen.fillText(scene.captions[frame], Math.max(12, box[0]), scene.title ? 44 : 20);
  if (!scene.title) return;
  pen.font = "bold 15px system-ui, sans-serif"; pen.fillText(scene.title, Math.max(12, box[0]), 20);
}
function draw() {
  pen.clearRect(0, 0, width, height);
  pen.lineCap = pen.lineJoin = "round";
  const drawn = scene.items.map((item, n) => {
    const points = item.points.map(i => point(i, frame));
    const known = points.every(p => p), flat = scene.planar || item.layer !== 1 || !known;
    return {item, points, known, n, depth: flat ? 0 : points.reduce((sum, p) => sum + p[2], 0) / points.length};
  }).sort((a, b) => a.item.layer - b.item.layer || a.depth - b.depth || a.n - b.n);
  pen.save();
  if (scene.planar) { const b = inside(); pen.beginPath(); pen.rect(b[0], b[1], b[2] - b[0], b[3] - b[1]); pen.clip(); }
  for (const {item, points, known} of drawn) if (known) paint[item.kind](item, points);
  for (const flash of scene.flashes) {
    if (frame < flash.first || flash.last < frame) continue;
    arrow(place(flash.ends, 0), place(flash.ends, 1));
  }
  pen.restore();
  if (scene.planar) marks();
  words();
  slider.value = frame;
}
function show(k) { frame = Math.max(0, Math.min(last, k)); draw(); }
function pause(stop) { playing = !stop; before = null; play.textContent = playing ? "Pause" : "Play"; }
function tick(now) {
  if (playing) {
    if (before === null) before = now;
    const steps = Math.floor((now - before) / 1000 * scene.fps * Number(rate.value));
    if (steps > 0) {
      before += steps * 1000 / (scene.fps * Number(rate.value));
      if (frame === last) show(0); else show(frame + steps);
    }
  }
  requestAnimationFrame(tick);
}
play.onclick = () => pause(playing);
rate.onchange = () => { before = null; };
slider.oninput = () => { pause(true); show(Number(slider.value)); };
document.addEventListener("keydown", event => {
  if (event.target === rate || event.target === play || event.target === slider) return;
  if (event.key === " ") { event.preventDefault(); pause(playing); }
  if (event.key === "ArrowRight") { pause(true); show(frame + 1); }
  if (event.key === "ArrowLeft") { pause(true); show(frame - 1); }
});
let held = null;
canvas.onpointerdown = event => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); };
canvas.onpointerup = () => { held = null; };
canvas.onpointermove = event => {
  if (!held || scene.planar) return;
  const a = (event.clientX - held[0]) / 150, b = (event.clientY - held[1]) / 150;
  held = [event.clientX, event.clientY];
  const ca = Math.cos(a), sa = Math.sin(a), cb = Math.cos(b), sb = Math.sin(b), t = turn;
  const step = [ca, 0, sa, sa * sb, cb, -ca * sb, -sa * cb, sb, ca * cb];
  turn = [0, 1, 2].flatMap(i => [0, 1, 2].map(j => [0, 1, 2].reduce((s, k) => s + step[3 * i + k] * t[3 * k + j], 0)));
  draw();
};
window.addEventListener("resize", () => { fit(); draw(); });
pause(!playing);
fit(); draw(); requestAnimationFrame(tick);
</script>
</body>
</html>
"""
