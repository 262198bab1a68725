import { sql } from 'drizzle-orm'
import { type Break, verifyChain, walkChain } from '#server/audit/audit.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { checkEnd, startTwoInstances, type TwoInstances } from '../support/two-instances.ts'
import { editOf, others, readColumns, takeProtectionAway, type Tampering } from './tamper.ts'
import { eraseSome, untilSealed, write, type Written } from './writers.ts'

class Undone extends Error {}

const shown = ({ position, kind }: Break) => `${position} ${kind}`

/** Tampers once, asks the verifier, and undoes it. @returns what is wrong with its answer */
async function tamperOnce(at: TwoInstances, tampering: Tampering, random: Random, end: number) {
  const breaks: Break[] = []
  let expected = 0
  await inTransaction(at.database, async (db) => {
    await takeProtectionAway(db)
    expected = await tampering.apply(db, random, end)
    await walkChain(db, (found) => void breaks.push(found))
    throw new Undone()
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  // Not always the first: with the row that tells of an erasure the erased ones before it become suspect.
  if (breaks.some(({ position }) => position === expected)) return undefined
  return `${tampering.kind} at ${expected}: ${breaks.slice(0, 3).map(shown).join(', ') || 'nothing found'}`
}

async function verify(at: TwoInstances) {
  const breaks: Break[] = []
  const found = await verifyChain(at.database, (one) => void breaks.push(one))
  return { ...found, list: breaks.map(shown) }
}

interface Observed {
  written: Written
  erased: number
  isSealed: boolean
  whole: Awaited<ReturnType<typeof verify>>
  again: Awaited<ReturnType<typeof verify>>
  missed: string[]
  counts: Map<string, number>
  stored: { rows: number; places: number }
}

/**
 * People act on two instances, which both seal what is recorded, while whoever seals is cut off again and
 * again. Then somebody with all rights of the database tampers with the log: edits any column, deletes,
 * inserts, reorders, cuts the end, computes hashes anew. Each time the verifier must name the place, and each
 * time it is undone.
 */
export const audit = defineScenario({
  options: { rows: 2000, tamperings: 1000 },
  nightly: { rows: 500, tamperings: 150 },

  async arrange({ defer }) {
    const at = await startTwoInstances()
    defer(at.close)
    const people = await Promise.all(
      ['ana', 'bruno', 'carla', 'dora', 'elisa', 'fabio'].map((name) => at.signIn('admin', name)),
    )
    return { at, people }
  },

  async act(
    { at, people },
    { options: { rows: wanted, tamperings }, random, print, seconds },
  ): Promise<Observed> {
    const before = await count(at)
    const written = await write(at, people, { rows: wanted, random })
    print(`  ${written.done} calls in ${seconds()} s; sealing was cut off ${written.cut} times`)
    const after = await count(at)
    const erased = await eraseSome(at, 20)
    const isSealed = await untilSealed(at)
    // Nothing is sealed while somebody tampers, so that places stay the same.
    await Promise.all(at.apps.map((app) => app.stop()))
    const whole = await verify(at)
    const all = [...(await readColumns(at.database)).map(editOf), ...others]
    const counts = new Map<string, number>()
    const missed: string[] = []
    for (let n = 0; n < tamperings; n++) {
      const tampering = all[n % all.length] as Tampering
      const fault = await tamperOnce(at, tampering, random, whole.sealed)
      if (fault) missed.push(fault)
      counts.set(tampering.kind, (counts.get(tampering.kind) ?? 0) + 1)
      if ((n + 1) % 100 === 0)
        print(`  ${n + 1} tamperings in ${seconds()} s, ${n + 1 - missed.length} found`)
    }
    const again = await verify(at)
    const stored = { rows: after.rows - before.rows, places: (await count(at)).places }
    return { written, erased, isSealed, whole, again, missed, counts, stored }
  },

  check(seen, { at }, { options: { tamperings }, print }): Result[] {
    const { written, erased, isSealed, whole, again, missed, counts, stored } = seen
    for (const [kind, n] of counts) print(`  ${String(n).padStart(4)} × ${kind}`)
    print(`  found ${tamperings - missed.length}/${tamperings}`)
    const fault = (isWrong: boolean, text: string) => (isWrong ? [text] : [])
    return [
      {
        property: 'every call that succeeds leaves one row',
        checked: written.done,
        faults: fault(stored.rows !== written.done, `${written.done} calls, ${stored.rows} rows`),
      },
      {
        property: 'the chain is whole while it is written',
        checked: written.verified,
        faults: written.breaks.map(shown),
      },
      {
        property: 'every row gets one place, without gaps',
        checked: whole.sealed,
        faults: [
          ...fault(!isSealed, 'some rows were never sealed'),
          ...fault(stored.places !== whole.sealed, `${stored.places} places, ${whole.sealed} rows`),
          ...whole.list,
        ],
      },
      {
        property: 'erased personal values leave it whole',
        checked: erased,
        faults: fault(erased === 0 || whole.erased !== erased, `${erased} erased, ${whole.erased} counted`),
      },
      { property: 'tampering is found, at its place', checked: tamperings, faults: missed },
      {
        property: 'what was undone left no trace',
        checked: again.sealed,
        faults: [...again.list, ...fault(again.head?.hash !== whole.head?.hash, 'another head')],
      },
      ...checkEnd(at, undefined),
    ]
  },
})

/** Rows of the people's calls, and the last place. */
async function count(at: TwoInstances): Promise<{ rows: number; places: number }> {
  const [found] = await rows<{ rows: number; places: number }>(
    at.database,
    sql`select count(*) filter (where origin = 'request' and action not like 'auth.%')::int as rows,
               coalesce(max(position), 0) as places from audit_logs`,
  )
  return found ?? { rows: 0, places: 0 }
}
