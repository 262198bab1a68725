import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { reserveBytes } from '#server/platform/file-store/disk-room.ts'
import type { Random } from '#simulator/random.ts'
import {
  exchange,
  meetPeople,
  missingMedia,
  missingTexts,
  type People,
  type Sent,
  unfetched,
} from './arrivals.ts'
import type { Level } from './levels.ts'
import { lookAtFiles, lookForLeftovers } from './look.ts'
import { giveNewFiles, removeFirstHalf, seed, takeNewFiles } from './past.ts'
import { ask, confirm, insist, type Place } from './place.ts'
import type { Tally } from './tally.ts'
import { type Ended, importFile, isReported, listBackups, path, runToEnd, untilIdle } from './upkeep.ts'

/** An installation that is worked with, and what it has from before. */
export interface Shop extends Place {
  people: People
  /** The backup that is restored at every level, and its file. */
  base: Backup
  file: string
}

export async function furnish(place: Place, defer: (close: () => unknown) => void): Promise<Shop> {
  const people = await meetPeople(place)
  await seed(place)
  await confirm(place)
  const made = await runToEnd(place, 'backup', undefined, 60_000)
  const [base] = await listBackups(place)
  if (made.state !== 'done' || !base) throw new Error(`no backup: ${made.error}`)
  const headers = { authorization: `Bearer ${place.token}` }
  const answer = await fetch(`${place.program.url}${path(`download/${base.id}`)}`, { headers })
  const folder = mkdtempSync(join(tmpdir(), 'balcao-download-'))
  defer(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'Baixado.tar')
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
  return { ...place, people, base, file }
}

/** How long a full disk is kept so for what may wait for the database. */
const patienceMs = 12_000
/** What must have room that a database can still write: two segments of its log, and what is half written. */
const writableBytes = 48 * 1024 * 1024

/** Works at one level, then with space again. */
export async function workAt(
  shop: Shop,
  level: Level,
  { tag, n, random, tally }: { tag: string; n: number; random: Random; tally: Tally },
): Promise<string> {
  const { disk, hasDatabase } = shop
  await confirm(shop)
  const removed = await removeFirstHalf(shop)
  await giveNewFiles(shop)

  disk.fill(level.atFirst)
  const filling = fillLater(shop, level)
  const [sent, ended] = await Promise.all([
    exchange(shop, shop.people, tag, random),
    keepUp(shop, level),
    filling,
  ])
  const leftFree = disk.free()
  judgeEnds(shop, level, { sent, ended }, tally)
  const isWritable = !hasDatabase || leftFree > writableBytes
  if (isWritable) {
    tally.add('stored', sent.texts.length, await inTime(5000, () => missingTexts(shop, sent.texts)))
    await lookWhileFull(shop, tally)
  }

  disk.clear()
  await recover(shop, { tag, n, sent, removed }, tally)
  const counts = ended.map(({ kind, state }) => `${kind} ${state}`).join(', ')
  return `${sent.uploads.taken} of ${sent.uploads.taken + sent.uploads.refused} uploads, ${counts}`
}

async function fillLater(shop: Shop, { kind, later }: Level): Promise<void> {
  if (!later) return
  await sleep(later.afterMs)
  shop.disk.fill(later.leave)
  if (kind === 'fallen') await exhaustLog(shop)
}

/** How long the embedded database is kept from starting again. */
const downMs = 10_000

/** Writes to the embedded database until it has no room for its log, goes down, and cannot start. */
async function exhaustLog({ disk, superuser }: Shop): Promise<void> {
  const client = new pg.Client(superuser)
  let isDown = false
  client.on('error', () => undefined)
  client.once('end', () => (isDown = true))
  // It may be down already.
  await client.connect().catch(() => (isDown = true))
  for (let n = 0; n < 500 && !isDown; n++) {
    disk.fill(0)
    await client
      .query(`select pg_logical_emit_message(true, 'x', 'x'); select pg_switch_wal()`)
      .catch(() => sleep(10))
  }
  // What its recovery gives back would let it start.
  for (const end = performance.now() + downMs; performance.now() < end; await sleep(20)) disk.fill(0)
  const again = new pg.Client(superuser)
  again.on('error', () => undefined)
  await again.connect().then(
    () => Promise.reject(new Error('the database does not go down')),
    () => undefined,
  )
}

/** A restore, a backup, and a file that is brought in. */
async function keepUp(shop: Shop, { kind }: Level): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const what of ['restore', 'backup'] as const) {
    const end = await runToEnd(shop, what, shop.base, patienceMs)
    ended.push(end)
    if (end.state === 'waits') return ended
  }
  // A command that finds no server starts one, and would take the folder over.
  if (kind !== 'fallen') ended.push(await importFile(shop, shop.file))
  return ended
}

/** What was done must be what the space permits, and what was not done must be reported. */
function judgeEnds(
  shop: Shop,
  { kind }: Level,
  { sent, ended }: { sent: Sent; ended: readonly Ended[] },
  tally: Tally,
): void {
  for (const end of ended) {
    const isFault = !isReported(shop, end) || (end.state === 'waits' && !shop.hasDatabase)
    tally.add('reported', 1, isFault ? [`the ${end.kind} ${end.state}: ${end.error}`] : [])
  }
  const { taken, refused } = sent.uploads
  const done = ended.filter(({ state }) => state === 'done').map((end) => end.kind)
  const all = taken + refused + ended.length
  if (kind === 'ample')
    tally.add('reserve', all, [
      ...(refused > 0 ? [`with room for everything ${refused} files were refused`] : []),
      ...ended
        .filter(({ state }) => state !== 'done')
        .map((end) => `with room for everything the ${end.kind} ${end.state}: ${end.error}`),
    ])
  if (kind === 'reserved')
    tally.add('reserve', all, [
      ...(taken > 0 ? [`${taken} files were taken with less than ${reserveBytes} bytes free`] : []),
      ...done.map((what) => `the ${what} was done with less than ${reserveBytes} bytes free`),
    ])
}

async function lookWhileFull(shop: Shop, tally: Tally): Promise<void> {
  // What was not fetched is reported as well to whoever opens it.
  for (const id of await unfetched(shop)) await ask(shop, 'GET', `/api/media/evolution/${id}`)
  const { checked, faults } = await lookAtFiles(shop)
  tally.add('visible', checked, faults)
  // A client's picture may be on its way.
  const look = async () => (await lookForLeftovers(shop)).faults
  tally.add('left', 1, await inTime(5000, look))
}

/** With space again: what was sent is there, and everything that was refused can be done. */
async function recover(
  shop: Shop,
  { tag, n, sent, removed }: { tag: string; n: number; sent: Sent; removed: number },
  tally: Tally,
): Promise<void> {
  // A database that was down is back a moment later.
  await confirm(shop)
  const again = setInterval(() => shop.simulator.control.retryNow(), 500)
  const [after] = await Promise.all([
    exchange(shop, shop.people, `${tag}-depois`, () => 0),
    arrived(shop, sent, tally),
    keepUpAgain(shop, n, tally),
  ])
  clearInterval(again)
  tally.add('works', after.uploads.taken, [
    ...(after.uploads.refused > 0 ? [`${after.uploads.refused} uploads are refused`] : []),
    ...(await inTime(30_000, async () => [
      ...(await missingTexts(shop, after.texts)),
      ...(await missingMedia(shop, after.media)),
    ])),
  ])
  tally.add('works', 1, await removedAgain(shop, removed))
  const { checked, faults } = await lookAtFiles(shop)
  tally.add('visible', checked, faults)
  tally.add('left', 1, await inTime(5000, async () => (await lookForLeftovers(shop)).faults))
  await tidyUp(shop)
}

/** Waits for what was sent while the disk was full. */
async function arrived(shop: Shop, { texts, media }: Sent, tally: Tally): Promise<void> {
  tally.add('once', texts.length, await inTime(60_000, () => missingTexts(shop, texts)))
  tally.add('works', media.size, await inTime(60_000, () => missingMedia(shop, media)))
}

/** A command takes longest, and is repeated at one level in so many. */
const oneInBringsIn = 3

async function keepUpAgain(shop: Shop, n: number, tally: Tally): Promise<void> {
  const isIdle = (await untilIdle(shop, 'backup', 90_000)) !== undefined
  tally.add('works', 1, isIdle ? [] : ['a run does not come to its end'])
  const ended = [
    await runToEnd(shop, 'restore', shop.base, 60_000),
    await runToEnd(shop, 'backup', undefined, 60_000),
    ...(n % oneInBringsIn === 0 ? [await importFile(shop, shop.file)] : []),
  ]
  for (const { kind, state, error } of ended)
    tally.add('works', 1, state === 'done' ? [] : [`the ${kind} ${state}: ${error}`])
}

/** Whether the restore has brought back what was removed. */
async function removedAgain({ database }: Shop, wanted: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from files f join messages m on m.id = f.message_id
       join conversations v on v.id = m.conversation_id where v.protocol <= '20240000000030'
        and v.protocol like '2024%'`,
  )
  const count = rows[0]?.count ?? 0
  return count === wanted ? [] : [`of ${wanted} files ${count} are back after the restore`]
}

/** Removes what the level has made, so that the next one finds the same. */
async function tidyUp(shop: Shop): Promise<void> {
  for (const { id } of await listBackups(shop))
    if (id !== shop.base.id) await insist(shop, 'DELETE', path(`backups/${id}`))
  await takeNewFiles(shop)
}

/** Looks again until nothing is wrong any more. @returns what still is after `withinMs` */
async function inTime(withinMs: number, look: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const wrong = await look().catch((error: unknown) => [String(error)])
    if (wrong.length === 0 || performance.now() > deadline) return wrong
    await sleep(200)
  }
}
