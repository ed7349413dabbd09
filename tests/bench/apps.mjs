// The programs of the benchmark: command, how its window is found, and a page for the browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

function page(dir, name, body) {
  const file = join(dir, name)
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>${name}</title>${body}`)
  return `file://${file}`
}

const links = (n) =>
  Array.from({ length: n }, (_, i) => `<p><a href="#${i}">Entry number ${i}</a></p>`).join('\n')

const form =
  '<h1>Order</h1><form><label>Name <input name="name"></label> <label>Size <select><option>S<option>M<option>L</select></label>' +
  Array.from({ length: 12 }, (_, i) => `<label><input type="checkbox"> Option ${i}</label> `).join('') +
  '<button>Send</button></form>'

export function apps(dir) {
  mkdirSync(dir, { recursive: true })
  const chromium = (name, url) => ({
    name,
    toolkit: 'Chromium',
    title: 'Chromium',
    command: [
      'chromium', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--force-renderer-accessibility',
      '--password-store=basic', `--user-data-dir=${join(dir, 'profile-' + name.replaceAll(/\W/g, ''))}`, '--window-size=1200,800', url,
    ],
    settle: 8000,
  })
  const list = [
    { name: 'gtk3-widget-factory', toolkit: 'GTK 3', command: ['gtk3-widget-factory'] },
    { name: 'mousepad', toolkit: 'GTK 3', command: ['mousepad'] },
    { name: 'gtk4-widget-factory', toolkit: 'GTK 4', command: ['gtk4-widget-factory'] },
    { name: 'featherpad', toolkit: 'Qt 5', command: ['featherpad'] },
    { name: 'kcalc', toolkit: 'Qt 5', command: ['kcalc'] },
    { name: 'qt6 form', toolkit: 'Qt 6', command: ['/usr/bin/python3', 'QT6_PROBE'] },
    chromium('page with a form', page(dir, 'form.html', form)),
    chromium('page with 10,000 links', page(dir, 'links10k.html', links(10_000))),
    { name: 'xterm', toolkit: 'Xt', command: ['xterm'] },
  ]
  if (process.env.BENCH_HUGE) list.push({ ...chromium('page with 100,000 links', page(dir, 'links100k.html', links(100_000))), settle: 40000 })
  return list
}
