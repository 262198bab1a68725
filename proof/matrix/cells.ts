import { changeLine, changesSince, changesUpTo, isByTheWay } from '../access/world/changes.ts'
import type { Recipe } from '../access/recipe.ts'
import type { Outcome } from '../access/law/expected.ts'
import type { Row } from '../access/law/table.ts'
import { isRefusal, type Trial, trialsOf, tryAll, type Wrong } from '../access/trials.ts'
import { untilCalm, type World } from '../access/world/world.ts'

/** What came of the cells of a row. */
export interface RowReport {
  row: Row
  cells: number
  /** The cells whose own question, that of the first case, is permitted. */
  allowed: number
  /** Calls made, over all cases. */
  calls: number
  wrong: Wrong[]
  /** What refused calls have changed. */
  effects: string[]
  /** What permitted calls have left in the audit log and the row does not declare, or the other way round. */
  audits: string[]
}

/** Executes the cells of a row: first all that must be refused, and have no effect; then the others. */
export async function tryRow(world: World, row: Row, recipe: Recipe): Promise<RowReport> {
  const cases = await trialsOf(world, row, recipe)
  const trials = cases.flat()
  const [refused, allowed] = [true, false].map((isRefused) =>
    trials.filter(({ expected }) => isRefusal(expected) === isRefused),
  ) as [Trial[], Trial[]]
  const { wrong, effects } = await tryRefused(world, refused)
  const first = allowed.find(({ expected, what }) => isSuccess(expected) && what === cases[0]?.[0]?.what)
  const audits = first ? await tryAudited(world, first, wrong) : isUnseen(row) ? ['no call succeeds'] : []
  const place = await changesUpTo(world.database)
  wrong.push(...(await tryAll(allowed.filter((trial) => trial !== first))))
  const others = (await auditedSince(world, place)).filter((action) => !mayLeave(row, action))
  if (others.length > 0) audits.push(`${[...new Set(others)].join(', ')} instead of ${row.audit}`)
  return {
    row,
    cells: world.callers.length,
    allowed: (cases[0] ?? []).filter(({ expected }) => !isRefusal(expected)).length,
    calls: trials.length,
    wrong,
    effects: effects.map((effect) => `${row.id}: ${effect}`),
    audits: audits.map((fault) => `${row.id}: ${fault}`),
  }
}

/**
 * Nobody has switched the AI on; what these leave is tested in conversations/assistant/help.test.ts, and in
 * conversations/transcriptions/transcriptions.test.ts.
 */
const neverSucceeding = [
  'POST /api/conversations/{id}/assistant/summary',
  'POST /api/conversations/{id}/assistant/suggestion',
  'POST /api/conversations/{open}/messages/{messageId}/transcription',
  'POST /api/conversations/{completed}/messages/{messageId}/transcription',
]
const isUnseen = ({ id, audit }: Row) => audit !== null && !neverSucceeding.includes(id)

const mayLeave = ({ audit, sometimes }: Row, action: string) => action === audit || action === sometimes

const isSuccess = (outcome: Outcome) => typeof outcome === 'number' && outcome < 300

/** The actions of people in the audit log since that place, without what was refused. */
async function auditedSince(world: World, place: number): Promise<string[]> {
  return (await changesSince(world.database, place)).flatMap(({ relation, op, after }) =>
    relation === 'audit_logs' && op === 'INSERT' && after?.['outcome'] === 'done' && after['user_id'] !== null
      ? [String(after['action'])]
      : [],
  )
}

/** Makes one call alone. @returns what it leaves in the audit log, unless that is what its row declares */
async function tryAudited(world: World, trial: Trial, wrong: Wrong[]): Promise<string[]> {
  const place = await changesUpTo(world.database)
  wrong.push(...(await tryAll([trial])))
  const left = (await auditedSince(world, place)).join(', ')
  return left === (trial.row.audit ?? '') || mayLeave(trial.row, left)
    ? []
    : [`a call leaves '${left}' instead of '${trial.row.audit}'`]
}

async function tryRefused(world: World, refused: Trial[]): Promise<{ wrong: Wrong[]; effects: string[] }> {
  // What a socket is opened for is not refused, and is noted as presence.
  if (refused.some(({ row }) => row.method === 'WS')) return { wrong: await tryAll(refused), effects: [] }
  await untilCalm(world)
  const place = await changesUpTo(world.database)
  const { wrong, isCalling } = await tryAndListen(world, refused)
  const changes = (await changesSince(world.database, place)).filter((change) => !isByTheWay(change))
  const effects = changes.map((change) => changeLine(change))
  // It may have been the watch over the connections, which calls by time: what is refused may be repeated.
  let isStillCalling = isCalling
  for (let again = 0; isStillCalling && again < 5; again++)
    ({ isCalling: isStillCalling } = await tryAndListen(world, refused))
  if (isStillCalling) effects.push('the gateway was called')
  return { wrong, effects }
}

/** @returns also whether the gateway was called meanwhile, by whomever */
async function tryAndListen(world: World, trials: Trial[]): Promise<{ wrong: Wrong[]; isCalling: boolean }> {
  const calls = world.gatewayCalls()
  const wrong = await tryAll(trials)
  return { wrong, isCalling: world.gatewayCalls() > calls }
}
