// deskmark against its peers, the same window in the same run, rounds interleaved. Usage: node bench.mjs BINARY OUT_PREFIX [ROUNDS]
// Writes OUT_PREFIX.md and OUT_PREFIX.json. Absolute times depend on the machine; the ratios are what counts.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir, cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apps } from './apps.mjs'
import { coldCapture, Deskmark } from './deskmark.mjs'
import { clicks } from './click.mjs'
import { ms, ratio, summary, timed } from './stats.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const [binary, prefix, roundsText] = process.argv.slice(2)
const rounds = Number(roundsText ?? 20)
const only = process.env.BENCH_ONLY?.split(',')
const say = (text) => process.stderr.write(text + '\n')

const started = JSON.parse(execFileSync(binary, ['desktop', 'start', '--size', '1440x900', '--json'], { encoding: 'utf8' }))
const env = { ...process.env, ...(started.environment ?? started.env) }
// The peer's library reads this process's own environment.
Object.assign(process.env, started.environment ?? started.env)
const { openCua } = await import('./cua.mjs')

const qt6Probe = `
import sys
from PyQt6.QtWidgets import *
app = QApplication(sys.argv)
w = QWidget(); w.setWindowTitle('qt6 form'); l = QFormLayout(w)
for i in range(8): l.addRow('Field %d' % i, QLineEdit()); l.addRow(QCheckBox('Option %d' % i))
b = QComboBox(); b.addItems(['one', 'two', 'three']); l.addRow('Choice', b); l.addRow(QPushButton('Send'))
w.resize(500, 600); w.show(); app.exec()`

async function windowOf(deskmark, pid, before, limitMs) {
  const end = performance.now() + limitMs
  for (;;) {
    const { body } = await deskmark.call({ action: 'list_windows' })
    const fresh = (body?.windows ?? []).filter((w) => !before.has(w.window_id) && !w.owner && w.bounds[2] > 60)
    const found = fresh.find((w) => w.pid === pid) ?? fresh[0]
    if (found) return found
    if (performance.now() > end) return null
    await new Promise((r) => setTimeout(r, 200))
  }
}

async function settled(deskmark, windowId, limitMs) {
  // The tree is there when two captures in a row agree.
  const end = performance.now() + limitMs
  let last = -1
  while (performance.now() < end) {
    const { body } = await deskmark.call({ action: 'capture', mode: 'ax', window_id: windowId })
    if (body?.ok && body.total_elements > 0 && body.total_elements === last) return
    last = body?.total_elements ?? -1
    await new Promise((r) => setTimeout(r, 500))
  }
}

const deskmark = new Deskmark(binary, env, ['--max-image-dimension', '0', '--approve', 'background'])
await deskmark.start()
const results = []
try {
  for (const app of apps(join(tmpdir(), 'deskmark-bench'))) {
    if (only && !only.some((o) => app.name.includes(o))) continue
    const before = new Set(((await deskmark.call({ action: 'list_windows' })).body?.windows ?? []).map((w) => w.window_id))
    const command = app.command.map((c) => (c === 'QT6_PROBE' ? '-c' : c))
    if (app.command.includes('QT6_PROBE')) command.push(qt6Probe)
    const child = spawn(command[0], command.slice(1), { env, stdio: 'ignore', detached: true })
    const window = await windowOf(deskmark, child.pid, before, 30_000)
    if (!window) {
      say(`${app.name}: no window`)
      continue
    }
    await settled(deskmark, window.window_id, app.settle ?? 4000)
    say(`${app.name}: window ${window.window_id}`)
    const floor = spawnSync(join(dirname(binary), 'tests/bench/floor'), [String(window.window_id), String(rounds)], { env, encoding: 'utf8' })
    const samples = { som: [], ax: [], unchanged: [], cua: [], cold: [], cuaCold: [] }
    const cua = await openCua()
    let marks = 0
    let cuaElements = 0
    let cuaError = ''
    for (let i = -2; i < rounds; ++i) {
      const som = await timed(() => deskmark.call({ action: 'capture', window_id: window.window_id }))
      const again = await timed(() => deskmark.call({ action: 'capture', window_id: window.window_id }))
      const ax = await timed(() => deskmark.call({ action: 'capture', mode: 'ax', window_id: window.window_id }))
      marks = som.result.body?.total_elements ?? 0
      let peer = null
      if (window.pid && !cuaError) {
        try {
          peer = await timed(() => cua.state(window.pid, window.window_id))
          cuaElements = Number(peer.result.elementCount ?? peer.result.elements?.length ?? 0)
        } catch (fault) {
          cuaError = String(fault.inner?.message ?? fault).slice(0, 120)
        }
      }
      if (i < 0) continue
      samples.som.push(som.ms)
      samples.unchanged.push(again.ms)
      samples.ax.push(ax.ms)
      if (peer) samples.cua.push(peer.ms)
    }
    const clicked = await clicks(deskmark, cua, window, rounds)
    await cua.stop()
    for (let i = 0; i < Math.min(5, rounds); ++i) {
      samples.cold.push(coldCapture(binary, env, window.window_id))
      if (window.pid && !cuaError) {
        const once = spawnSync(process.execPath, [join(here, 'cua_once.mjs'), String(window.pid), String(window.window_id)], { env, encoding: 'utf8', timeout: 60_000 })
        if (once.status === 0) samples.cuaCold.push(Number(once.stdout))
      }
    }
    const tool = (command, args) => {
      const runs = []
      for (let i = 0; i < 3; ++i) {
        const start = performance.now()
        const run = spawnSync(command, args, { env, stdio: 'ignore', timeout: 60_000 })
        if (run.status !== 0) return []
        runs.push(performance.now() - start)
      }
      return runs
    }
    const dogtail = tool('/usr/bin/python3', [join(here, 'dogtail_walk.py'), String(window.pid ?? 0)])
    const ocr = tool('sh', ['-c', 'f=$(mktemp --suffix .png) && scrot -o "$f" && OMP_THREAD_LIMIT=1 tesseract "$f" - --psm 11 >/dev/null; rm -f "$f"'])
    const floors = floor.status === 0 ? JSON.parse(floor.stdout) : {}
    results.push({
      app: app.name, toolkit: app.toolkit, marks, cuaElements, cuaError,
      som: summary(samples.som), unchanged: summary(samples.unchanged), ax: summary(samples.ax), cold: summary(samples.cold),
      cua: summary(samples.cua), cuaCold: summary(samples.cuaCold), dogtail: summary(dogtail), scrotTesseract: summary(ocr),
      click: { target: clicked.label, deskmark: summary(clicked.deskmark), confirmed: clicked.confirmed, cua: summary(clicked.cua), cuaError: clicked.cuaError },
      floorSom: summary(floors.som ?? []), floorAx: summary(floors.ax ?? []), floorGrab: summary(floors.grab ?? []),
    })
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
} finally {
  deskmark.stop()
  spawnSync(binary, ['desktop', 'stop', '--display', started.display], { env })
}

const head = '| app | marks | som warm, ms | ax warm, ms | som again, ms | cua warm, ms | cua / som | cua listed | cold, ms | cua cold, ms | floor som, ms | som / floor | floor ax, ms | dogtail walk, ms | scrot + tesseract, ms |'
const rows = results.map((r) =>
  `| ${r.app} (${r.toolkit}) | ${r.marks} | ${ms(r.som)} | ${ms(r.ax)} | ${ms(r.unchanged)} | ${r.cuaError ? 'refused' : ms(r.cua)} | ${ratio(r.cua, r.som)} | ${r.cuaElements || '–'} | ${ms(r.cold)} | ${ms(r.cuaCold)} | ${ms(r.floorSom)} | ${ratio(r.som, r.floorSom)} | ${ms(r.floorAx)} | ${ms(r.dogtail)} | ${ms(r.scrotTesseract)} |`)
const markdown = [head, head.replaceAll(/[^|]+/g, '---'), ...rows].join('\n')
const clickHead = '| app | clicked | deskmark, ms | confirmed | cua-driver by token, ms | cua / deskmark |'
const clickRows = results
  .filter((r) => r.click.deskmark)
  .map((r) => `| ${r.app} (${r.toolkit}) | ${r.click.target} | ${ms(r.click.deskmark)} | ${r.click.confirmed} of ${r.click.deskmark.n} | ${r.click.cuaError || ms(r.click.cua)} | ${ratio(r.click.cua, r.click.deskmark)} |`)
const clickTable = ['Click to verdict:', '', clickHead, clickHead.replaceAll(/[^|]+/g, '---'), ...clickRows].join('\n')
const note = `Median (10th–90th percentile) of ${rounds} interleaved rounds, 1440x900, ${cpus().length} processors.`
writeFileSync(prefix + '.md', `${note}\n\n${markdown}\n\n${clickTable}\n`)
writeFileSync(prefix + '.json', JSON.stringify({ rounds, results }, null, 1) + '\n')
console.log(`${markdown}\n\n${clickTable}`)
process.exit(0)
