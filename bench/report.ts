import {
  type Figure,
  type Limit,
  type Played,
  ratios,
  type Scenario,
  type Spread,
  spreadOf,
} from './rounds.ts'

interface Verdict {
  limit: Limit
  isMet: boolean
  /** How much is wanting, as a part of the limit; infinite where nothing is allowed. */
  short: number
}

interface Line {
  figure: string
  unit: string
  ours: Spread | undefined
  floor: Spread | undefined
  ratio: Spread | undefined
  peers: Record<string, Spread | undefined>
  land: Verdict | undefined
  aim: Verdict | undefined
}

/** What a scenario came to; also what `--json` writes. */
export interface Outcome {
  name: string
  title: string
  lines: Line[]
  checks: Played['checks']
  steady: number
  rounds: number
  reference: Played['reference']
  loadAverage: number
}

function judge(
  { better }: Figure,
  limit: Limit | undefined,
  ratio?: Spread,
  ours?: Spread,
): Verdict | undefined {
  const measured = limit?.ratio !== undefined ? ratio?.median : ours?.median
  const wanted = limit?.ratio ?? limit?.value
  if (!limit || wanted === undefined || measured === undefined) return undefined
  const isMet = better === 'lower' ? measured <= wanted : measured >= wanted
  return { limit, isMet, short: isMet ? 0 : Math.abs(measured / wanted - 1) }
}

export function outcomeOf(scenario: Scenario, played: Played): Outcome {
  const { series, checks, steady, rounds, reference, loadAverage } = played
  const lines = scenario.figures.map((figure): Line => {
    const { nosso = [], piso = [], ...others } = series[figure.key] ?? {}
    const [ours, floor, ratio] = [spreadOf(nosso), spreadOf(piso), spreadOf(ratios(nosso, piso))]
    return {
      figure: figure.title,
      unit: figure.unit,
      ours,
      floor,
      ratio,
      peers: Object.fromEntries(
        Object.entries(others).map(([name, values]) => [name, spreadOf(ratios(nosso, values))]),
      ),
      land: judge(figure, figure.land, ratio, ours),
      aim: judge(figure, figure.aim, ratio, ours),
    }
  })
  return { name: scenario.name, title: scenario.title, lines, checks, steady, rounds, reference, loadAverage }
}

const short = (n: number) =>
  Math.abs(n) >= 100 ? n.toFixed(0) : Math.abs(n) >= 10 ? n.toFixed(1) : n.toFixed(2)
const range = (spread: Spread | undefined, unit: string) =>
  spread
    ? `${short(spread.median)}${unit}${spread.min === spread.max ? '' : ` (${short(spread.min)}–${short(spread.max)})`}`
    : 'não medido'

function verdictText(name: string, figure: Figure, verdict: Verdict | undefined): string[] {
  if (!verdict) return []
  const { limit, isMet, short: wanting } = verdict
  const wanted = limit.ratio !== undefined ? `${limit.ratio}×` : `${limit.value} ${figure.unit}`
  const sign = figure.better === 'lower' ? '≤' : '≥'
  const said = isMet
    ? 'atingido'
    : `NÃO atingido${Number.isFinite(wanting) ? `, ${figure.better === 'lower' ? 'passa' : 'faltam'} ${(wanting * 100).toFixed(0)} %` : ''}`
  return [`${name} ${sign} ${wanted}: ${said}`]
}

/** The lines that are printed for a scenario. */
export function toldOf(outcome: Outcome, figures: Figure[]): string[] {
  const head = `  ${outcome.steady} de ${outcome.rounds} rodadas firmes, referência ${outcome.reference
    .map((ms) => ms.toFixed(0))
    .join('–')} ms, carga até ${outcome.loadAverage.toFixed(1)}`
  const told = outcome.lines.map((line, n) => {
    const figure = figures[n] as Figure
    const unit = ` ${line.unit}`
    const parts = [`nosso ${range(line.ours, unit)}`]
    if (line.floor) parts.push(`piso ${range(line.floor, unit)}`, `razão ${range(line.ratio, '×')}`)
    for (const [name, ratio] of Object.entries(line.peers))
      if (ratio) parts.push(`${name}: razão ${range(ratio, '×')}`)
    parts.push(...verdictText('chegar', figure, line.land), ...verdictText('alvo', figure, line.aim))
    return `  ${line.figure}: ${parts.join(' · ')}`
  })
  const checks = outcome.checks.map(
    ({ title, holds, said }) => `  ${holds ? 'certo' : 'ERRADO'}  ${title}: ${said}`,
  )
  return [...(outcome.rounds > 0 ? [head] : []), ...told, ...checks]
}

/** Whether everything that had to be reached was reached. */
export function hasLanded(outcome: Outcome): boolean {
  return (
    outcome.checks.every((check) => check.holds) && outcome.lines.every((line) => line.land?.isMet ?? true)
  )
}
