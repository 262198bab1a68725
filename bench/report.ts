import { alignColumns } from '../proof/support/table.ts'
import {
  type Aim,
  type Check,
  type Figure,
  type Measurement,
  ratios,
  type Scenario,
  type Spread,
  spreadOf,
} from './rounds.ts'

/** An aim or a check with what was measured. */
export interface Judgement {
  scenario: string
  title: string
  aim: string
  seen: string
  isReached: boolean
  /** How far it was missed, as a fraction of the aim; absent if it was reached or has no number. */
  missedBy?: number
}

interface Line {
  figure: string
  unit: string
  ours: Spread | undefined
  floor: Spread | undefined
  ratio: Spread | undefined
  peers: Record<string, Spread | undefined>
}

/** The result of a scenario, as `--json` writes it. */
export interface Outcome {
  name: string
  title: string
  lines: Line[]
  checks: Check[]
  judgements: Judgement[]
  steady: number
  rounds: number
  reference: [number, number]
  loadAverage: number
}

export function outcomeOf(scenario: Scenario, measurement: Measurement): Outcome {
  const { series, checks, steady, rounds, reference, loadAverage } = measurement
  const lines = scenario.figures.map((figure): Line => {
    const { ours = [], floor = [], ...peers } = series[figure.key] ?? {}
    return {
      figure: figure.title,
      unit: figure.unit,
      ours: spreadOf(ours),
      floor: spreadOf(floor),
      ratio: spreadOf(ratios(ours, floor)),
      peers: Object.fromEntries(
        Object.entries(peers).map(([name, values]) => [name, spreadOf(ratios(ours, values))]),
      ),
    }
  })
  const ofFigures = scenario.figures.flatMap((figure, n) => {
    const { ours, ratio } = lines[n] as Line
    return (figure.aims ?? []).map((aim) => judge(scenario.name, figure, aim, { ours, ratio }))
  })
  const ofChecks = checks.map(({ title, holds, detail }) => ({
    scenario: scenario.name,
    title,
    aim: 'holds',
    seen: detail,
    isReached: holds,
  }))
  const judgements = [...ofFigures, ...ofChecks]
  return {
    name: scenario.name,
    title: scenario.title,
    lines,
    checks,
    judgements,
    steady,
    rounds,
    reference,
    loadAverage,
  }
}

/** An aim for which nothing was measured counts as missed. */
export function judge(
  scenario: string,
  { title, unit, better }: Figure,
  aim: Aim,
  { ours, ratio }: { ours: Spread | undefined; ratio: Spread | undefined },
): Judgement {
  const isRatio = aim.ratio !== undefined
  const wanted = aim.ratio ?? aim.value ?? Number.NaN
  const seen = isRatio ? ratio : ours
  const suffix = isRatio ? ' × floor' : ` ${unit}`
  const base = {
    scenario,
    title,
    aim: `${better === 'lower' ? '≤' : '≥'} ${wanted}${suffix}`.trimEnd(),
    seen: seen ? `${round(seen.median)}${suffix}`.trimEnd() : 'not measured',
  }
  if (!seen) return { ...base, isReached: false }
  const isReached = better === 'lower' ? seen.median <= wanted : seen.median >= wanted
  return isReached
    ? { ...base, isReached }
    : { ...base, isReached, missedBy: Math.abs(seen.median / wanted - 1) }
}

const round = (n: number) =>
  Math.abs(n) >= 100 ? n.toFixed(0) : Math.abs(n) >= 10 ? n.toFixed(1) : n.toFixed(2)

function formatSpread(spread: Spread | undefined, unit: string): string {
  if (!spread) return 'not measured'
  const range = spread.min === spread.max ? '' : ` (${round(spread.min)}–${round(spread.max)})`
  return `${round(spread.median)}${unit}${range}`
}

/** The lines printed after a scenario. */
export function formatOutcome({ lines, checks, steady, rounds, reference, loadAverage }: Outcome): string[] {
  const times = reference.map((ms) => ms.toFixed(0)).join('–')
  const load = loadAverage.toFixed(1)
  const head = `  ${steady} of ${rounds} rounds steady, reference ${times} ms, load up to ${load}`
  const figures = lines.map((line) => {
    const unit = ` ${line.unit}`.trimEnd()
    const parts = [`ours ${formatSpread(line.ours, unit)}`]
    if (line.floor)
      parts.push(`floor ${formatSpread(line.floor, unit)}`, `ratio ${formatSpread(line.ratio, ' ×')}`)
    for (const [name, ratio] of Object.entries(line.peers))
      if (ratio) parts.push(`${name}: ratio ${formatSpread(ratio, ' ×')}`)
    return `  ${line.figure}: ${parts.join(' · ')}`
  })
  const checked = checks.map(
    ({ title, holds, detail }) => `  ${holds ? 'holds' : 'FAILS'}  ${title}: ${detail}`,
  )
  return [...(rounds > 0 ? [head] : []), ...figures, ...checked]
}

/** Every aim of a run with what was measured, the missed ones last, and the verdict. */
export function formatJudgements(judgements: readonly Judgement[], reproduction: string): string[] {
  const sorted = [
    ...judgements.filter(({ isReached }) => isReached),
    ...judgements.filter((one) => !one.isReached),
  ]
  const rows = sorted.map(({ scenario, title, aim, seen, isReached, missedBy }) => [
    scenario,
    title,
    aim,
    seen,
    isReached
      ? 'reached'
      : `MISSED${missedBy !== undefined && Number.isFinite(missedBy) ? ` by ${percent(missedBy)}` : ''}`,
  ])
  const table = alignColumns([['scenario', 'figure', 'aim', 'seen', 'verdict'], ...rows])
  const missed = judgements.filter(({ isReached }) => !isReached).length
  const verdict =
    missed === 0
      ? `all ${judgements.length} aims reached`
      : `${judgements.length - missed} of ${judgements.length} aims reached, ${missed} MISSED`
  return ['', ...table, '', `again: ${reproduction}`, verdict]
}

const percent = (part: number) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`
