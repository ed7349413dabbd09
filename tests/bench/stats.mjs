// Medians and spread of timed rounds.
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
  return sorted.length === 0 ? null : { n: sorted.length, median: at(0.5), p10: at(0.1), p90: at(0.9) }
}

export const ms = (s) => (s ? `${s.median.toFixed(s.median < 10 ? 2 : 1)} (${s.p10.toFixed(1)}–${s.p90.toFixed(1)})` : '–')

export const ratio = (a, b) => (a && b ? `${(a.median / b.median).toFixed(1)}×` : '–')

export async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}
