// The page's side of the Chromium probe, for every page: finds what is marked with data-k, measures it with the engine's own
// geometry (getClientRects, elementFromPoint), and obeys the program. A page may add commands of its own to `commands`.
//
// data-k kind, data-l label (else the text), data-a other right label, data-s states that must be there, data-n that must not,
// data-v value, data-off disabled by other means, data-p either answer is right.
'use strict';
const $ = (id) => document.getElementById(id);
const make = (parent, tag, attributes, text) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
};
let popup = null;

/// What `element` is in, shadow roots and slots included; null at its document.
const above = (element) => element.assignedSlot || element.parentElement || (element.getRootNode().host ?? null);
const holds = (outer, inner) => {
  for (let at = inner; at; at = above(at)) if (at === outer) return true;
  return false;
};

/// Part of `rect` that nothing cuts off: every box around it that scrolls or hides, and the view. CSS pixels of its document.
function clip(element, rect) {
  let [x, y, r, b] = [rect.left, rect.top, rect.right, rect.bottom];
  let position = getComputedStyle(element).position;
  for (let outer = above(element); outer && position !== 'fixed'; outer = above(outer)) {
    const style = getComputedStyle(outer);
    const positioned = style.position !== 'static' || style.transform !== 'none';
    if (position === 'absolute' && !positioned) continue;  // it is not laid out in this one
    position = style.position;
    if (outer === outer.ownerDocument.body || outer === outer.ownerDocument.documentElement || style.display === 'contents') continue;
    const box = outer.getBoundingClientRect(), zoom = outer.currentCSSZoom || 1;
    if (style.overflowX !== 'visible') {
      x = Math.max(x, box.left + outer.clientLeft * zoom);
      r = Math.min(r, box.left + (outer.clientLeft + outer.clientWidth) * zoom);
    }
    if (style.overflowY !== 'visible') {
      y = Math.max(y, box.top + outer.clientTop * zoom);
      b = Math.min(b, box.top + (outer.clientTop + outer.clientHeight) * zoom);
    }
  }
  const view = element.ownerDocument.documentElement;
  x = Math.max(x, 0); y = Math.max(y, 0); r = Math.min(r, view.clientWidth); b = Math.min(b, view.clientHeight);
  return r > x && b > y ? [x, y, r - x, b - y] : null;
}

/// A [x, y, w, h] of a frame's document in the page's, cut by the frame and what cuts it off.
function outwards(part, frames) {
  for (const frame of frames) {
    if (!part) return null;
    const at = frame.getBoundingClientRect(), left = at.left + frame.clientLeft, top = at.top + frame.clientTop;
    part = clip(frame, {left: part[0] + left, top: part[1] + top, right: part[0] + part[2] + left, bottom: part[1] + part[3] + top});
  }
  return part;
}

/// How many of 25 points of the visible part belong to the element: 0 covered, 25 free. `part` in the element's own document.
function hits(element, part, frames) {
  let count = 0;
  for (let i = 0; i < 25; i++) {
    let px = part[0] + part[2] * (0.06 + 0.22 * (i % 5)), py = part[1] + part[3] * (0.06 + 0.22 * Math.floor(i / 5));
    let free = true;
    for (let inner = element, level = 0; free && inner; inner = frames[level++]) {
      const top = inner.getRootNode().elementFromPoint(px, py);
      const label = top && top.closest('label');  // what a label holds is as good as its control
      free = top && (holds(inner, top) || holds(top, inner) || (label && label.control === inner));
      if (frames[level]) {
        const at = frames[level].getBoundingClientRect();
        px += at.left + frames[level].clientLeft;
        py += at.top + frames[level].clientTop;
      }
    }
    if (free) count++;
  }
  return count;
}

/// The part of a line of text that is drawn on: its box without the room above and below the letters.
const pen = document.createElement('canvas').getContext('2d');
function inked(box, element, text) {
  const cut = element.closest('.what');  // ends in an ellipsis somewhere before the edge
  pen.font = getComputedStyle(element).font;
  const size = pen.measureText(text), room = size.fontBoundingBoxAscent + size.fontBoundingBoxDescent;
  const scale = room > 0 ? box.height / room : 1;
  const top = box.top + Math.max(0, size.fontBoundingBoxAscent - size.actualBoundingBoxAscent) * scale;
  const bottom = box.bottom - Math.max(0, size.fontBoundingBoxDescent - size.actualBoundingBoxDescent) * scale;
  const right = cut ? Math.min(box.right, cut.getBoundingClientRect().right - 14) : box.right;
  return {left: box.left, right, top, bottom: Math.max(bottom, top)};
}

const sized = (rect) => rect.width > 0 && rect.height > 0;
/// Pieces of one line (words of both directions are apart) as one rectangle.
function joined(rects) {
  const lines = [];
  for (const r of rects) {
    const line = lines.find((l) => Math.min(l.bottom, r.bottom) - Math.max(l.top, r.top) > 0.6 * Math.min(l.height, r.height));
    if (!line) {
      lines.push({left: r.left, top: r.top, right: r.right, bottom: r.bottom, width: r.width, height: r.height});
      continue;
    }
    line.left = Math.min(line.left, r.left); line.right = Math.max(line.right, r.right);
    line.top = Math.min(line.top, r.top); line.bottom = Math.max(line.bottom, r.bottom);
    line.width = line.right - line.left; line.height = line.bottom - line.top;
  }
  return lines;
}
const numbers = (rect) => [rect.left, rect.top, rect.width, rect.height];

/// `frames`: the inline frames it is in, innermost first.
function measure(element, frames) {
  const style = getComputedStyle(element), data = element.dataset;
  const lines = joined([...element.getClientRects()].filter(sized)).sort((a, b) => b.width * b.height - a.width * a.height);
  const shown = lines.length > 0 && style.visibility === 'visible' && (!element.checkVisibility || element.checkVisibility());
  // Text that goes over several lines is where its longest line is.
  const rect = lines[0], own = shown ? clip(element, rect) : null, part = outwards(own, frames);
  const move = (r) => {
    let [x, y] = [r[0], r[1]];
    for (const frame of frames) {
      const at = frame.getBoundingClientRect();
      x += at.left + frame.clientLeft;
      y += at.top + frame.clientTop;
    }
    return [x, y, r[2], r[3]];
  };
  const words = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); part && node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const seen = sized(box) ? outwards(clip(node.parentElement || element, inked(box, node.parentElement || element, node.data)), frames) : null;
      if (seen) words.push(seen);
    }
  }
  const inside = element.closest('[data-inside]');
  return {
    id: element.id || element.tagName.toLowerCase(), kind: data.k, label: data.l || element.textContent.replace(/\s+/g, ' ').trim() || null,
    rect: shown ? move(numbers(rect)) : null, visible: part,
    alt: shown && lines.length > 1 ? lines.slice(1).map((r) => move(numbers(r))) : [],
    enabled: !element.matches(':disabled') && !data.off, text: words, hits: part ? hits(element, own, frames) : 0, optional: !!data.p,
    inside: inside ? inside.dataset.inside : null, states: data.s ? data.s.split(' ') : null, absent: data.n ? data.n.split(' ') : null,
    value: data.v || null, parts: data.k === 'date' || data.k === 'media', labels: data.a ? [data.a] : null,
  };
}

/// Everything that is marked in a document or shadow root and in what it holds: [element, frames].
function* marked(root, frames) {
  let all = [...root.querySelectorAll('[data-k]')];
  if (all.length > 1000) all = all.filter((e) => e.getBoundingClientRect().top < innerHeight * 2);  // the rest is far below
  for (const element of all) yield [element, frames];
  for (const host of root.querySelectorAll('[data-shadow]')) yield* marked(host.shadowRoot, frames);
  for (const frame of root.querySelectorAll('iframe')) yield* marked(frame.contentDocument, [frame, ...frames]);
}

function truth() {
  const controls = [...marked(document, [])].map(([element, frames]) => measure(element, frames));
  return {ok: true, ratio: devicePixelRatio, inner: [innerWidth, innerHeight], popup, top: scrollY, controls, texts: window.texts || [],
          client: [document.documentElement.clientWidth, document.documentElement.clientHeight]};
}

const commands = {
  truth,
  scroll: (y) => { scrollTo(0, Number(y)); },
  page: (name) => ({ok: true, next: `/chromium_${name}.html`}),
};

async function serve() {
  if ($('password')) $('password').value = (await (await fetch('/secret')).text());
  for (;;) {
    const words = (await (await fetch('/next')).text()).split(' ');
    let reply;
    try {
      reply = commands[words[0]] ? commands[words[0]](...words.slice(1)) || {ok: true} : {ok: false, message: 'unknown command ' + words[0]};
    } catch (fault) {
      reply = {ok: false, message: String(fault)};
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await fetch('/answer', {method: 'POST', body: JSON.stringify(reply)});
    if (reply.next) {
      location.href = reply.next;
      return;
    }
  }
}
addEventListener('load', serve);
