// The page's side of the Chromium probe: fills the page, measures it with getBoundingClientRect, obeys the program.
'use strict';
const $ = (id) => document.getElementById(id);
const make = (parent, tag, attributes, text) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
};
for (let i = 0; i < 12; i++) {
  const button = make($('tools'), 'button', {class: 'tiny', id: 'tiny' + i, 'data-k': 'button', 'data-l': 'Tiny ' + i, 'aria-label': 'Tiny ' + i});
  button.innerHTML = `<svg viewBox="0 0 12 12"><path d="M1 ${i}L11 ${12 - i}M${i} 1L${12 - i} 11" stroke="#${i % 2 ? '936' : '369'}"/></svg>`;
}
['Milk', 'Bread', 'Eggs'].forEach((name, i) => {
  const row = make($('rows'), 'tr', {});
  make(row, 'td', {}, name);
  const box = make(make(row, 'td', {}), 'input', {type: 'checkbox', id: 'buy' + i, 'data-k': 'check', 'aria-label': 'Buy ' + name, 'data-l': 'Buy ' + name});
  box.checked = i === 0;
  box.setAttribute(i === 0 ? 'data-s' : 'data-n', 'checked');
});
for (let i = 0; i < 40; i++) make(make($('pane'), 'div', {class: 'item'}), 'a', {href: '#p' + i, id: 'pane' + i, 'data-k': 'link'}, 'Entry ' + i);
for (let i = 0; i < 20; i++) make(make($('inner'), 'div', {class: 'item'}), 'a', {href: '#i' + i, id: 'inner' + i, 'data-k': 'link'}, 'Inner ' + i);
for (let i = 0; i < 20; i++) make(make($('below'), 'div', {class: 'item'}), 'a', {href: '#b' + i, id: 'below' + i, 'data-k': 'link'}, 'Below ' + i);
for (let i = 0; i < 60; i++) make($('tall'), 'button', {id: 'item' + i, 'data-k': 'button'}, 'Item ' + i);

let popup = null;

/// Visible part of an element's rectangle: clipped by every scrolling ancestor and the view. CSS pixels.
function clip(element, rect) {
  let [x, y, r, b] = [rect.left, rect.top, rect.right, rect.bottom];
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    const style = getComputedStyle(outer);
    if (outer !== document.body && outer !== document.documentElement && style.overflowY !== 'visible') {
      const box = outer.getBoundingClientRect();
      x = Math.max(x, box.left + outer.clientLeft);
      y = Math.max(y, box.top + outer.clientTop);
      r = Math.min(r, box.left + outer.clientLeft + outer.clientWidth);
      b = Math.min(b, box.top + outer.clientTop + outer.clientHeight);
    }
  }
  const view = element.ownerDocument.documentElement;
  x = Math.max(x, 0); y = Math.max(y, 0); r = Math.min(r, view.clientWidth); b = Math.min(b, view.clientHeight);
  return r > x && b > y ? [x, y, r - x, b - y] : null;
}

/// How many of 25 points of the visible part belong to the element: 0 covered, 25 free.
function hits(element, part) {
  let count = 0;
  for (let i = 0; i < 25; i++) {
    const px = part[0] + part[2] * (0.06 + 0.22 * (i % 5)), py = part[1] + part[3] * (0.06 + 0.22 * Math.floor(i / 5));
    const top = element.ownerDocument.elementFromPoint(px, py);
    if (top && (element === top || element.contains(top) || top.contains(element))) count++;
  }
  return count;
}

function measure(element, dx, dy) {
  const rect = element.getBoundingClientRect(), style = getComputedStyle(element), data = element.dataset;
  const shown = rect.width > 0 && rect.height > 0 && style.visibility === 'visible' &&
                (!element.checkVisibility || element.checkVisibility());
  const part = shown ? clip(element, rect) : null;
  const words = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); part && node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const seen = box.width > 0 ? clip(element.firstElementChild || element, box) : null;
    if (seen) words.push([seen[0] + dx, seen[1] + dy, seen[2], seen[3]]);
  }
  const inside = element.closest('#pop, #dialog, #menu');
  return {
    id: element.id, kind: data.k, label: data.l || element.textContent.trim() || null,
    rect: shown ? [rect.left + dx, rect.top + dy, rect.width, rect.height] : null,
    visible: part ? [part[0] + dx, part[1] + dy, part[2], part[3]] : null,
    enabled: !element.disabled && !data.off, text: words, hits: part ? hits(element, part) : 0, optional: !!data.p, inside: inside ? inside.id : null,
    states: data.s ? data.s.split(' ') : null, absent: data.n ? data.n.split(' ') : null, value: data.v || null,
    parts: data.k === 'date', labels: data.a ? [data.a] : null,
  };
}

function truth() {
  let elements = [...document.querySelectorAll('[data-k]')];
  if (elements.length > 1000) elements = elements.filter((e) => e.getBoundingClientRect().top < innerHeight * 2);  // the rest is far below
  const controls = elements.map((e) => measure(e, 0, 0));
  for (const frame of document.querySelectorAll('iframe')) {
    const at = frame.getBoundingClientRect();
    for (const e of frame.contentDocument.querySelectorAll('[data-k]')) controls.push(measure(e, at.left + frame.clientLeft, at.top + frame.clientTop));
  }
  return {ok: true, ratio: devicePixelRatio, inner: [innerWidth, innerHeight], popup, top: scrollY, controls,
          client: [document.documentElement.clientWidth, document.documentElement.clientHeight]};
}

const commands = {
  truth,
  scroll: (y) => { scrollTo(0, Number(y)); },
  'scroll-inner': (y) => { $('pane').scrollTop = Number(y); $('inner').scrollTop = Number(y); },
  disable: (id, on) => { $(id).disabled = on !== '0'; },
  'open-popover': () => { $('pop').showPopover(); popup = 'popover'; },
  'open-dialog': () => { $('dialog').showModal(); popup = 'dialog'; },
  'open-combo': () => { popup = 'combo'; const at = $('size').getBoundingClientRect(); return {ok: true, click: [at.left + at.width / 2, at.top + at.height / 2]}; },
  'open-menu': () => {
    const at = $('more').getBoundingClientRect(), menu = make(document.body, 'div', {id: 'menu', role: 'menu', 'aria-label': 'Menu'});
    menu.style.left = at.left + scrollX + 'px'; menu.style.top = at.bottom + scrollY + 'px';
    for (const name of ['Rename', 'Duplicate', 'Archive']) make(menu, 'div', {role: 'menuitem', tabindex: -1, id: 'menu' + name, 'data-k': 'menu-item'}, name);
    popup = 'webmenu';
  },
  close: () => {
    $('pop').hidePopover(); $('dialog').close(); if ($('menu')) $('menu').remove();
    document.activeElement.blur(); popup = null;
  },
  links: (n) => {
    document.body.innerHTML = '';
    for (let i = 0; i < Number(n); i++) make(make(document.body, 'div', {}), 'a', {href: '#l' + i, id: 'link' + i, 'data-k': 'link'}, 'Link number ' + i);
  },
};

async function serve() {
  $('password').value = (await (await fetch('/secret')).text());
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
  }
}
serve();
