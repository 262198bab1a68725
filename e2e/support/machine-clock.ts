import { readFileSync } from 'node:fs'

/**
 * Loaded before a program: moves its clock ahead by the milliseconds in a file, which may change. Timers are
 * not affected.
 */
const file = process.env['MACHINE_AHEAD_FILE'] ?? ''
const machine = Date
let aheadMs = 0

function read(): void {
  aheadMs = Number(readFileSync(file, 'utf8'))
}
read()
setInterval(read, 20).unref()

const now = () => machine.now() + aheadMs
globalThis.Date = new Proxy(machine, {
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  apply: () => new machine(now()).toString(),
})
