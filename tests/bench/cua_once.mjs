// cua-driver's first answer in a fresh process: node cua_once.mjs PID WINDOW; prints milliseconds without node's own start.
const { openCua } = await import('./cua.mjs')
const start = performance.now()
const cua = await openCua()
await cua.state(Number(process.argv[2]), process.argv[3])
console.log(performance.now() - start)
process.exit(0)
