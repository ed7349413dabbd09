// The oracle as a page: builds itself from /spec (oracle.py), writes down every event, answers the program that serves it.
'use strict';
let spec, events = [], clicks = {}, quiet = false, counted = false;
const widgets = {}, getters = {}, setters = {}, pages = {};
const make = (parent, tag, attributes = {}, text = '') => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
};
const log = (event, target, more = {}) => quiet || events.push({event, target, ...more});
const say = (words) => { document.getElementById('status').textContent = words; };
const clicked = (id) => { if (!quiet) say(`${id} ${clicks[id] = (clicks[id] || 0) + 1}`); log('clicked', id); };
const changed = (id) => log('changed', id, {value: getters[id]()});
const add = (id, element, get, put) => {
  widgets[id] = element;
  element.dataset.id = id;
  if (get) { getters[id] = get; setters[id] = put; }
  return element;
};
const ident = (node) => node?.closest?.('[data-id]')?.dataset.id ?? null;

const button = (parent, id, label) => {
  const made = add(id, make(parent, 'button', {}, label));
  made.onclick = () => clicked(id);
  return made;
};
const input = (parent, id, label, attributes) => {
  const made = make(parent, 'input', {'aria-label': label, ...attributes});
  made.oninput = () => changed(id);
  return made;
};
const choice = (parent, id, label, type, more = {}) => {
  const outer = make(parent, 'label'), made = input(outer, id, label, {type, ...more});
  outer.append(' ' + label);
  return add(id, made, () => made.checked, (v) => { made.checked = v; });
};
const number = (parent, id, label, type) => {
  const made = input(parent, id, label, {type, min: 0, max: 100, value: spec.start[id]});
  return add(id, made, () => Number(made.value), (v) => { made.value = v; });
};
const field = (parent, id, label, type) => {
  const made = input(parent, id, label, {type, autocomplete: 'off'});
  made.onkeydown = (event) => { if (event.key === 'Enter') log('activated', id); };
  return add(id, made, () => made.value, (v) => { made.value = v; });
};
const items = (parent, id, label, names, prefix, each) => {
  const list = make(parent, 'ul', {role: 'listbox', 'aria-label': label, class: 'wide', tabindex: 0});
  for (const name of names) each(add(prefix + name, make(list, 'li', {role: 'option'}, name)), name);
  return list;
};

const kinds = {
  button,
  disabled: (parent, id, label) => { button(parent, id, label).disabled = true; },
  poll: (parent, id, label) => {
    const made = add(id, make(parent, 'button', {}, label));
    let held = false, since = 0;
    made.onmousedown = () => { held = true; since = performance.now(); };
    addEventListener('mouseup', () => { held = false; }, true);
    made.onclick = () => { if (performance.now() - since < 5) clicked(id); };  // by an accessible action: nothing is held
    setInterval(() => { if (held && !counted) clicked(id); counted = held; }, 40);
  },
  check: (parent, id, label) => choice(parent, id, label, 'checkbox'),
  toggle: (parent, id, label) => {
    const made = make(parent, 'button', {'aria-pressed': 'false'}, label);
    add(id, made, () => made.ariaPressed === 'true', (v) => { made.ariaPressed = String(v); });
    made.onclick = () => { setters[id](!getters[id]()); changed(id); };
  },
  switch: (parent, id, label) => choice(parent, id, label, 'checkbox', {role: 'switch'}),
  radio: (parent, id, label) => choice(parent, id, label, 'radio', {name: 'colour'}),
  combo: (parent, id, label) => {
    const made = make(parent, 'select', {'aria-label': label});
    for (const option of spec.options) make(made, 'option', {}, option);
    made.onchange = () => changed(id);
    add(id, made, () => made.value, (v) => { made.value = v; });
  },
  spin: (parent, id, label) => number(parent, id, label, 'number'),
  slider: (parent, id, label) => { number(parent, id, label, 'range').className = 'wide'; },
  entry: (parent, id, label) => field(parent, id, label, 'text'),
  password: (parent, id, label) => field(parent, id, label, 'password'),
  text: (parent, id, label) => {
    const made = make(parent, 'textarea', {'aria-label': label, class: 'wide'});
    made.oninput = () => changed(id);
    add(id, made, () => made.value, (v) => { made.value = v; });
  },
  list: (parent, id, label) => {
    const choose = (city) => { for (const row of list.children) row.ariaSelected = String(row.textContent === city); };
    const list = items(parent, id, label, spec.cities, 'city_', (row, city) => {
      row.onclick = () => { if (getters[id]() !== city) { choose(city); changed(id); } };
      row.ondblclick = () => log('activated', 'city_' + city);
    });
    add(id, list, () => [...list.children].find((row) => row.ariaSelected === 'true')?.textContent ?? null, choose);
  },
  order: (parent, id, label) => {
    const list = items(parent, id, label, spec.order, 'order_', (row) => {
      row.draggable = true;
      row.ondragstart = (event) => event.dataTransfer.setData('text/plain', row.textContent);
      row.ondragover = (event) => event.preventDefault();
      row.ondrop = (event) => {
        event.preventDefault();
        row.before(widgets['order_' + event.dataTransfer.getData('text/plain')]);
        changed(id);
      };
    });
    add(id, list, () => [...list.children].map((row) => row.textContent), (names) => list.append(...names.map((name) => widgets['order_' + name])));
  },
  tabs: (parent, id, label) => {
    const list = make(parent, 'div', {role: 'tablist', 'aria-label': label});
    const choose = (name) => { for (const tab of list.children) tab.ariaSelected = String(tab.textContent === name); };
    for (const name of spec.tabs) {
      const tab = add('tab_' + name, make(list, 'button', {role: 'tab'}, name));
      tab.onclick = () => { if (getters[id]() !== name) { choose(name); changed(id); } };
    }
    add(id, list, () => [...list.children].find((tab) => tab.ariaSelected === 'true')?.textContent, choose);
  },
  area: (parent, id) => {
    const outer = make(parent, 'div', {id: 'area', class: 'wide', tabindex: 0});
    for (let i = 0; i < spec.items; ++i) button(outer, 'item_' + i, 'Item ' + i);
    outer.onscroll = () => changed(id);
    add(id, outer, () => outer.scrollTop, (v) => { outer.scrollTop = v; });
  },
  canvas: (parent, id, label) => {
    const made = add(id, make(parent, 'canvas', {id: 'canvas', class: 'wide', tabindex: 0, 'aria-label': label}));
    made.oncontextmenu = (event) => {
      event.preventDefault();
      open('context', event.pageX, event.pageY);
    };
    made.onauxclick = made.onwheel = (event) => event.preventDefault();
  },
};

function open(page, x, y) {
  Object.assign(pages[page].style, {left: x + 'px', top: y + 'px'});
  pages[page].hidden = false;
}
function close() { for (const page of Object.values(pages)) page.hidden = true; }
function menu(page, entries) {
  const outer = pages[page] = make(document.body, 'div', {class: 'menu', role: 'menu', hidden: ''});
  for (const [id, label] of entries) {
    const item = add(id, make(outer, 'div', {role: 'menuitem', tabindex: -1}, label));
    item.onclick = () => {
      if (id === 'recent') return open('recent', item.getBoundingClientRect().right, item.getBoundingClientRect().top);
      close();
      clicked(id);
    };
  }
}

function build() {
  for (const [column, lines] of [['left', spec.lines], ['right', spec.right.map((entry) => [entry])]]) {
    for (const line of lines) {
      const row = make(document.getElementById(column), 'div', {class: 'line'});
      for (const [id, kind, label] of line) kinds[kind](row, id, label);
    }
  }
  const entries = Object.fromEntries(spec.menu), of = (...ids) => ids.map((id) => [id, entries[id]]);
  menu('file', of('open', 'recent', 'leave'));
  menu('recent', of('one', 'two'));
  menu('context', spec.context);
  const file = add('file', make(document.getElementById('bar'), 'button', {'aria-haspopup': 'menu'}, 'File'));
  file.onclick = () => open('file', 8, file.getBoundingClientRect().bottom);
}

const held = (event) => ['shift', 'ctrl', 'alt', 'meta'].filter((name) => event[name + 'Key']).map((name) => name === 'meta' ? 'super' : name);
// Where the page begins on the screen is the program's to know: it adds it.
const pointer = (event, more = {}) => ({modifiers: held(event), x: event.clientX, y: event.clientY, page: true, ...more});
for (const [type, name] of [['mousedown', 'press'], ['mouseup', 'release']]) {
  addEventListener(type, (event) => log(name, ident(event.target), pointer(event, {button: event.button + 1, count: event.detail})), true);
}
addEventListener('mousemove', (event) => log('motion', ident(event.target), pointer(event)), true);
addEventListener('wheel', (event) => log('scroll', ident(event.target), pointer(event, {dx: event.deltaX / 120, dy: event.deltaY / 120})), {capture: true, passive: true});
addEventListener('keydown', (event) => log('key', ident(event.target), {key: event.key, modifiers: held(event)}), true);

function rect(element) {
  if (!element.isConnected || !element.checkVisibility()) return null;
  const box = element.getBoundingClientRect(), area = element.closest('#area')?.getBoundingClientRect();
  const top = Math.max(box.top, area?.top ?? 0), bottom = Math.min(box.bottom, area?.bottom ?? innerHeight);
  return bottom > top ? [box.left, top, box.width, bottom - top] : null;
}
const commands = {
  look: () => ({state: {...Object.fromEntries(Object.entries(getters).map(([id, get]) => [id, get()])), ...clicks}, events,
                focus: ident(document.activeElement)}),
  where: () => ({inner: [innerWidth, innerHeight], ratio: devicePixelRatio, title: document.title,
                 controls: Object.fromEntries(Object.entries(widgets).map(([id, element]) => [id, rect(element)]).filter(([, box]) => box))}),
  reset: () => new Promise((done) => {
    quiet = true;
    close();
    for (const [id, value] of Object.entries(spec.start)) if (JSON.stringify(getters[id]()) !== JSON.stringify(value)) setters[id](value);
    setTimeout(() => { quiet = false; say('ready'); events = []; clicks = {}; done({}); }, 60);
  }),
  selection: () => {
    const notes = widgets.notes;
    return {text: notes.value.slice(notes.selectionStart, notes.selectionEnd)};
  },
  put: (id, ...words) => setters[id](words.join(' ')),
  forget: () => { events = []; },
  title: (...words) => { document.title = words.join(' '); },
  rename: (id, ...words) => { widgets[id].textContent = words.join(' '); },
  remove: (id) => { widgets[id].remove(); delete widgets[id]; },
  swap: (one, two) => {
    const mark = document.createElement('i');
    widgets[one].replaceWith(mark);
    widgets[two].replaceWith(widgets[one]);
    mark.replaceWith(widgets[two]);
  },
  job: (what, place, ...words) => {
    const label = words.join(' '), row = document.getElementById('jobs');
    if (what === 'insert') button(row, label, label);
    if (what === 'remove') return commands.remove(label);
    row.insertBefore(widgets[label], [...row.children].filter((job) => job !== widgets[label])[place] ?? null);
  },
};

async function obey() {
  spec = await (await fetch('/spec')).json();
  build();
  for (;;) {
    const [word, ...rest] = (await (await fetch('/next')).text()).split(' ');
    let reply;
    try {
      reply = commands[word] ? {ok: true, ...await commands[word](...rest)} : {ok: false, message: 'unknown command ' + word};
    } catch (fault) {
      reply = {ok: false, message: `${word}: ${fault}`};
    }
    await fetch('/answer', {method: 'POST', body: JSON.stringify(reply)});
  }
}
obey();
