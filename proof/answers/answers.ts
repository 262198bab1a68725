import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { isFresh, projectFolder } from '../../scripts/built.mjs'
import { computed, makeBackup } from '../upgrades/installation.ts'
import { makeOtherVersion } from '../support/other-version.ts'
import { Program } from '../support/program.ts'
import { defineScenario } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { type Answered, differenceOf } from './compare.ts'
import { type Reading, readingsOf } from './readings.ts'
import { read } from '../support/http.ts'

const people = ['admin', 'supervisora', 'ana'] as const

/** What each program says of itself, its machine and what it was asked, which is of the moment. */
const ofTheMoment: Readonly<Record<string, RegExp>> = {
  'GET /api/auth/me': /"(epoch|cursor)":("[^"]*"|\d+)/g,
  'GET /api/maintenance/stats':
    /"(\w*(?:[sS]ize|[bB]ytes|[vV]ersion|[gG]rowth|uptime|percentage|daysLeft)\w*)":("[^"]*"|[\d.]+)/g,
  // Where notes are asked for, a page can show them.
  'GET /api/conversations/archived/:id/export': /(<style>)[^]*?<\/style>/g,
  // The rows about these very requests.
  'GET /api/audit-logs/export': /^.*;(audit\.export);.*$/gm,
}

/** What was changed on purpose since then. */
const changed = {
  /** Files of conversations, which clients get, have what the team wrote to itself only where it is asked. */
  asksMore: { 'GET /api/conversations/archived/:id/export': 'notes=with' } as Readonly<
    Record<string, string>
  >,
  /** Notices tell whoever manages sectors of theirs; here of none. */
  isOpened: (call: string, who: string) => call === 'GET /api/notices' && who === 'supervisora',
}

interface Found {
  same: number
  /** How often each call was answered with each status. */
  byCall: Map<string, Record<number, number>>
  /** 'GET /api/conversations: [].sectorId' */
  newFields: Set<string>
  faults: string[]
}

/**
 * A demonstration that an earlier version has filled is upgraded, and its copy is not. Every call that reads
 * is made of both at once, by three people, with the ids that there are and with random queries.
 */
export const answers = defineScenario({
  options: {
    /** The commit of the earlier version; the last one without sectors. */
    from: '9b7035d2',
    /** How many ids of each kind, and how many random queries of each call. */
    each: 60,
  },
  nightly: { each: 15 },

  async arrange({ options, defer, print, seconds }) {
    const earlier = makeOtherVersion(options.from)
    defer(() => earlier.remove())
    if (!isFresh('web') || !isFresh('server'))
      execFileSync(process.execPath, [join(projectFolder, 'scripts', 'build.ts')])
    const server = await startOwnServer({ under: tmpdir() })
    defer(() => server.close())
    await server.query('create role balcao login')
    await server.query(`create database earlier owner balcao encoding 'UTF8' template template0`)
    const [one, other] = [makeTemporaryFolder('earlier'), makeTemporaryFolder('upgraded')]
    defer(one.remove)
    defer(other.remove)
    const settings = (database: string, dataDir: string) => ({
      args: ['--demo'],
      env: { DATA_DIR: dataDir, DATABASE_URL: server.url('balcao', database), LOG_LEVEL: 'fatal' },
    })

    const first = await Program.start({ ...settings('earlier', one.dataDir), folder: earlier.folder })
    defer(() => first.stop())
    print(`the earlier version has filled its demonstration: ${seconds()} s`)
    const open = () =>
      openDatabase({
        connection: { connectionString: server.url('balcao', 'earlier') },
        log: createLog('silent'),
        poolSize: 2,
      })
    // A database is copied only while nobody uses it.
    const untilCopied = open()
    await computed(first, untilCopied)
    await untilCopied.close()
    const password = readFileSync(join(one.dataDir, 'demo', 'demo-password'), 'utf8').trim()
    const tokens = await Promise.all(
      people.map(async (username) => {
        const request = { method: 'POST', body: { username, password } }
        return (await read<{ token: string }>(`${first.url}/api/auth/login`, request)).token
      }),
    )
    const backup = await makeBackup(first, tokens[0] ?? '')
    if (typeof backup === 'string') throw new Error(backup)
    await first.end()
    const copiedAt = new Date().toISOString()
    await server.query('create database upgraded owner balcao template earlier')
    cpSync(one.dataDir, other.dataDir, { recursive: true })

    const database = open()
    defer(() => database.close())
    await first.restart()
    const second = await Program.start(settings('upgraded', other.dataDir))
    defer(() => second.stop())
    print(`the copy is upgraded: ${seconds()} s`)
    return { earlier, first, second, tokens, database, copiedAt }
  },

  async act({ earlier, first, second, tokens, database, copiedAt }, { options, print, seconds }) {
    const { readings, left } = await readingsOf(earlier.folder, database, options)
    for (const name of left) print(`not made, since there is nothing to name: ${name}`)
    const found: Found = { same: 0, byCall: new Map(), newFields: new Set(), faults: [] }
    for (const reading of readings)
      for (const [n, token] of tokens.entries()) {
        const more = changed.asksMore[reading.call]
        const pathNow = more
          ? `${reading.path}${reading.path.includes('?') ? '&' : '?'}${more}`
          : reading.path
        const askBoth = () =>
          Promise.all([ask(first.url + reading.path, token), ask(second.url + pathNow, token)])
        await compareReading(reading, { who: people[n] ?? '', copiedAt, askBoth }, found)
      }
    print(`${found.same} answers are the same: ${seconds()} s`)
    return found
  },

  check({ same, byCall, newFields, faults }, _environment, { print }) {
    for (const call of [...byCall.keys()].toSorted(inOrder)) {
      const statuses = Object.entries(byCall.get(call) ?? {})
      print(`${call}: ${statuses.map(([status, count]) => `${count} × ${status}`).join(', ')}`)
    }
    for (const field of [...newFields].toSorted(inOrder)) print(`new: ${field}`)
    return [
      {
        property: 'an upgraded installation answers as before, byte by byte, but for fields that are new',
        checked: same + faults.length,
        faults,
      },
    ]
  },
})

const inOrder = (a: string, b: string) => (a < b ? -1 : 1)

const patience = 4

interface Asking {
  who: string
  copiedAt: string
  askBoth(): Promise<[Answered, Answered]>
}

/** What differs is asked again: between the two something may have become due. */
async function compareReading(
  { call, path }: Reading,
  { who, copiedAt, askBoth }: Asking,
  found: Found,
): Promise<void> {
  const plain = (text: string) => withoutMoment(text, call, copiedAt)
  for (let n = 1; ; n++) {
    const [was, is] = await askBoth()
    const newFields = new Set<string>()
    const isOpened = was.status === 403 && changed.isOpened(call, who)
    const difference = isOpened
      ? is.body.toString() === '[]'
        ? undefined
        : `${is.status} ${is.body.toString()}`
      : await differenceOf(was, is, { plain, newFields })
    if (difference !== undefined && n < patience) continue
    const statuses = found.byCall.get(call) ?? {}
    found.byCall.set(call, { ...statuses, [was.status]: (statuses[was.status] ?? 0) + 1 })
    if (difference !== undefined) return void found.faults.push(`${path} by ${who}: ${difference}`)
    for (const field of newFields) found.newFields.add(`${call}: ${field}`)
    found.same += 1
    return
  }
}

/** Each program has its own addresses and folders, and does what it does at times of its own. */
function withoutMoment(text: string, call: string, copiedAt: string): string {
  const moment = ofTheMoment[call]
  return (
    (moment ? text.replaceAll(moment, '"$1":0') : text)
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1')
      .replaceAll(/balcao-(?:earlier|upgraded)-\w+/g, 'balcao')
      // A client's picture that either has fetched anew has a name that was drawn at random.
      .replaceAll(/\/avatar\?v=[\w-]{32}/g, '/avatar?v=name')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time >= copiedAt ? 'since' : time))
  )
}

async function ask(url: string, token: string): Promise<Answered> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  })
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}
