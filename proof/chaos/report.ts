import { faultKinds, faultTitles } from '../compare.ts'
import type { Evidence, Verdict } from './checker.ts'
import type { CycleResult } from './cycles.ts'

const kindTitles: Partial<Record<CycleResult['kind'], string>> = {
  program: 'kill -9 do programa',
  postmaster: 'kill -9 do servidor do banco',
  'program and server': 'kill -9 dos dois',
  cut: 'banco cortado',
  'cut after bytes': 'banco cortado após N bytes',
  server: 'parada imediata do banco',
}

function spread(results: CycleResult[]): string {
  const figures = results.map(({ recoveryMs }) => recoveryMs).filter((ms) => ms !== undefined)
  const sorted = figures.toSorted((a, b) => a - b)
  if (sorted.length === 0) return '—'
  return `p50 ${sorted[Math.floor((sorted.length - 1) / 2)]} ms, máx. ${sorted.at(-1)} ms`
}

/** What the cycles were, a line a kind. */
export function cycleLines(results: CycleResult[]): string[] {
  const byKind = Map.groupBy(results, (result) => result.kind)
  const lines = [...byKind]
    .map(([kind, some]) => {
      const missed = some.filter((one) => one.wasMissed).length
      const note = missed > 0 ? ` (${missed} sem chegar ao ponto: kill -9 de fora)` : ''
      const title = (kindTitles[kind] ?? kind).padEnd(30)
      return `  ${title} ${String(some.length).padStart(4)}   de volta: ${spread(some)}${note}`
    })
    .sort((a, b) => a.localeCompare(b, 'pt-BR', { numeric: true }))
  return [
    ...lines,
    `  ${'todos'.padEnd(30)} ${String(results.length).padStart(4)}   de volta: ${spread(results)}`,
  ]
}

const faultLimit = 60

/** The figures, the zeros and, where there are any, the faults. */
export function verdictLines(verdict: Verdict, evidence: Evidence): string[] {
  const { written, received, stored, answered, faults, visible, unaccepted } = verdict
  const frames = evidence.transcripts.flatMap(({ notes }) => notes)
  const fetches = frames.filter((note) => note.kind === 'fetched').length
  const resyncs = frames.filter((note) => note.kind === 'heard' && note.type === 'resync').length
  const connections = frames.filter((note) => note.kind === 'heard' && note.type === 'hello').length
  return [
    `  escritas nos celulares: ${written + unaccepted}, das quais aceitas com 200: ${evidence.accepted.size}; no banco: ${stored}`,
    `  respostas aceitas com 201: ${evidence.acknowledged.size}; no banco: ${answered}; recebidas nos celulares: ${received}`,
    `  sem resposta nossa até o fim (o gateway desistiu): ${unaccepted}; falhas e dúvidas visíveis: ${visible.length}`,
    `  arquivos: ${evidence.files.length}, inteiros: ${evidence.files.filter(({ isWhole }) => isWhole).length}`,
    `  sockets: ${frames.length} avisos em ${connections} conexões, ${resyncs} pedidos de nova leitura, ${fetches} leituras completas`,
    ...visible.slice(0, 10).map((line) => `    ${line}`),
    `  ${faultKinds.map((kind) => `${faultTitles[kind]}: ${faults.filter((fault) => fault.kind === kind).length}`).join('   ')}`,
    ...faults.slice(0, faultLimit).map(({ kind, what }) => `  FALHA ${faultTitles[kind]}: ${what}`),
    ...(faults.length > faultLimit ? [`  … e mais ${faults.length - faultLimit}`] : []),
  ]
}
