import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; flavor?: 'last-resort' }) => void

/** V8 offers its collector to JavaScript only by a flag. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
}

const collect = exposedCollector()

/**
 * Frees memory that only the start needed: loading some hundred modules leaves over 100 MB of garbage, which
 * an idle process would keep forever.
 */
export function returnStartMemory(): void {
  collect({ type: 'major', flavor: 'last-resort' })
}

/** Collects all garbage, buffers outside the heap too; takes some 40 ms. */
export function collectGarbage(): void {
  collect({ type: 'major' })
}
