// Printed at the head of a check: what this machine is worth at the moment, so that the seconds of runs on
// different days can be compared. Runs on any Node, before anything is installed.
import { cpus, loadavg, totalmem } from 'node:os'

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Milliseconds of a fixed loop of plain arithmetic. */
function arithmetic() {
  const startedAt = performance.now()
  let value = 0
  for (let step = 0; step < 100_000_000; step++) value = (value * 31 + step) | 0
  return value === 0.5 ? 0 : performance.now() - startedAt
}

/** Microseconds of a page fault: of the first write to each page of fresh memory. */
function pageFault() {
  const pageBytes = 4096
  const before = process.resourceUsage().minorPageFault
  const startedAt = performance.now()
  const memory = new Uint8Array(64 * 1024 * 1024)
  for (let at = 0; at < memory.length; at += pageBytes) memory[at] = 1
  const faults = process.resourceUsage().minorPageFault - before
  return ((performance.now() - startedAt) * 1000) / Math.max(1, faults)
}

/** Nanoseconds of a read at an unforeseeable place within 8 MB. */
function randomRead() {
  const places = new Uint32Array(2 * 1024 * 1024)
  let seed = 1
  for (let at = 0; at < places.length; at++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    places[at] = seed % places.length
  }
  const reads = 2_000_000
  const startedAt = performance.now()
  let at = 0
  for (let read = 0; read < reads; read++) at = ((places[at] ?? 0) + read) % places.length
  return at < 0 ? 0 : ((performance.now() - startedAt) * 1_000_000) / reads
}

/** @param {() => number} measure */
const measured = (measure) => median(Array.from({ length: 5 }, measure))
const fault = measured(pageFault)
console.log(
  [
    `${cpus().length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `load ${(loadavg()[0] ?? 0).toFixed(1)}`,
    `fixed loop ${measured(arithmetic).toFixed(0)} ms`,
    `page fault ${fault.toFixed(1)} µs (${Math.round(1_000_000 / fault).toLocaleString('en')} a second)`,
    `random read in 8 MB ${measured(randomRead).toFixed(0)} ns`,
  ].join(', '),
)
