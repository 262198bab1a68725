import type { Evidence, Verdict } from './checker.ts'
import type { CycleResult } from '../cycles.ts'

const kindTitles: Partial<Record<CycleResult['kind'], string>> = {
  program: 'kill -9 of the program',
  postmaster: 'kill -9 of the database server',
  'program and server': 'kill -9 of both',
  cut: 'database cut off',
  'cut after bytes': 'database cut off after N bytes',
  server: 'immediate stop of the database',
}

function spread(results: CycleResult[]): string {
  const figures = results.map(({ recoveryMs }) => recoveryMs).filter((ms) => ms !== undefined)
  const sorted = figures.toSorted((a, b) => a - b)
  if (sorted.length === 0) return '—'
  return `p50 ${sorted[Math.floor((sorted.length - 1) / 2)]} ms, max ${sorted.at(-1)} ms`
}

/** One line for each kind of cycle. */
export function formatCycles(results: CycleResult[]): string[] {
  const byKind = Map.groupBy(results, (result) => result.kind)
  const lines = [...byKind]
    .map(([kind, some]) => {
      const missed = some.filter((one) => one.wasMissed).length
      const note = missed > 0 ? ` (${missed} did not reach the point: killed from outside)` : ''
      const title = (kindTitles[kind] ?? kind).padEnd(30)
      return `  ${title} ${String(some.length).padStart(4)}   back: ${spread(some)}${note}`
    })
    .sort((a, b) => a.localeCompare(b, 'pt-BR', { numeric: true }))
  return [...lines, `  ${'all'.padEnd(30)} ${String(results.length).padStart(4)}   back: ${spread(results)}`]
}

/** The figures of a run, and the failures that users saw. */
export function formatEvidence(verdict: Verdict, evidence: Evidence): string[] {
  const { written, received, stored, answered, visible, unaccepted } = verdict
  const frames = evidence.transcripts.flatMap(({ notes }) => notes)
  const fetches = frames.filter((note) => note.kind === 'fetched').length
  const resyncs = frames.filter((note) => note.kind === 'frame' && note.type === 'resync').length
  const connections = frames.filter((note) => note.kind === 'frame' && note.type === 'hello').length
  return [
    `  written on phones: ${written + unaccepted}, accepted with 200: ${evidence.accepted.size}; ` +
      `stored: ${stored}`,
    `  replies accepted with 201: ${evidence.acknowledged.size}; stored: ${answered}; ` +
      `received on phones: ${received}`,
    `  never accepted (the gateway gave up): ${unaccepted}; visibly failed or unconfirmed: ${visible.length}`,
    `  files: ${evidence.files.length}, whole: ${evidence.files.filter(({ isWhole }) => isWhole).length}`,
    `  sockets: ${frames.length} frames on ${connections} connections, ${resyncs} times resync, ` +
      `${fetches} full fetches`,
    ...visible.slice(0, 10).map((line) => `    ${line}`),
  ]
}
