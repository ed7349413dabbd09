// From the request of a click to its verdict: deskmark's, which says what changed, and cua-driver's by element token, which does not.
import { timed } from './stats.mjs'

/** A control that may be clicked again and again without harm, and shows that it was. */
function harmless(elements) {
  const labelled = elements.filter((e) => e.source === 'ax' && e.label)
  return (
    labelled.find((e) => e.role === 'check box') ??
    labelled.find((e) => e.role === 'toggle button') ??
    labelled.find((e) => e.role === 'push button' && /^[0-9]$/.test(e.label))
  )
}

/** Milliseconds of `rounds` clicks each, interleaved; how many of deskmark's were confirmed. */
export async function clicks(deskmark, cua, window, rounds) {
  const out = { label: '', deskmark: [], cua: [], confirmed: 0, cuaError: '' }
  const first = await deskmark.call({ action: 'capture', mode: 'ax', window_id: window.window_id })
  const target = harmless(first.body?.elements ?? [])
  if (!target) return out
  out.label = `${target.role} "${target.label}"`
  for (let i = -1; i < rounds; ++i) {
    const { body } = await deskmark.call({ action: 'capture', mode: 'ax', window_id: window.window_id })
    const mark = body?.elements?.find((e) => e.role === target.role && e.label === target.label)
    if (!mark) break
    const click = await timed(() => deskmark.call({ action: 'click', element: mark.index }))
    if (click.result.body?.ok && i >= 0) {
      out.deskmark.push(click.ms)
      out.confirmed += click.result.body.effect === 'confirmed' ? 1 : 0
    }
    if (!window.pid || out.cuaError) continue
    try {
      const state = await cua.state(window.pid, window.window_id)
      const same = (state.elements ?? []).filter((e) => e.elementToken && e.label === target.label)
      const peer = same.find((e) => e.role.replaceAll(/[-_ ]/g, '').includes(target.role.replaceAll(' ', ''))) ?? same[0]
      if (!peer) throw new Error('lists no such element')
      const done = await timed(() => cua.click(window.pid, window.window_id, peer.elementToken))
      if (i >= 0) out.cua.push(done.ms)
    } catch (fault) {
      out.cuaError = String(fault.inner?.message ?? fault.message ?? fault).slice(0, 120)
    }
  }
  return out
}
