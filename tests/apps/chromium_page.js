// The page of controls: fills it, and its commands.
'use strict';
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

window.texts = ['Orders of today', 'The quick brown fox', 'Just words'];
Object.assign(commands, {
  'scroll-inner': (y) => { $('pane').scrollTop = Number(y); $('inner').scrollTop = Number(y); },
  disable: (id, on) => { $(id).disabled = on !== '0'; },
  'open-popover': () => { $('pop').showPopover(); popup = 'popover'; },
  'open-dialog': () => { $('dialog').showModal(); popup = 'dialog'; },
  'open-combo': () => { popup = 'combo'; const at = $('size').getBoundingClientRect(); return {ok: true, click: [at.left + at.width / 2, at.top + at.height / 2]}; },
  'open-menu': () => {
    const at = $('more').getBoundingClientRect(), menu = make(document.body, 'div', {id: 'menu', 'data-inside': 'menu', role: 'menu', 'aria-label': 'Menu'});
    menu.style.left = at.left + scrollX + 'px'; menu.style.top = at.bottom + scrollY + 'px';
    for (const name of ['Rename', 'Duplicate', 'Archive']) make(menu, 'div', {role: 'menuitem', tabindex: -1, id: 'menu' + name, 'data-k': 'menu-item'}, name);
    popup = 'webmenu';
  },
  close: () => {
    $('pop').hidePopover(); $('dialog').close(); if ($('menu')) $('menu').remove();
    document.activeElement.blur(); popup = null;
  },
  links: (n) => {
    window.texts = [];
    document.body.innerHTML = '';
    for (let i = 0; i < Number(n); i++) make(make(document.body, 'div', {}), 'a', {href: '#l' + i, id: 'link' + i, 'data-k': 'link'}, 'Link number ' + i);
  },
});
