import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import type { Random } from '#simulator/random.ts'
import { read } from '../support/http.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { defineScenario } from '../support/scenario.ts'
import { watchMemory } from '../support/watch-memory.ts'
import { quantile, spread } from '../support/latencies.ts'
import { openTraffic, type Traffic } from '../support/traffic.ts'
import { type Directory, makeDirectory } from './people.ts'

/** Its session outlives restarts. */
interface Environment extends Installation {
  server: OwnServer
  traffic: Traffic
}

const call = <Reply>({ program, token }: Environment, method: string, path: string, body?: unknown) =>
  read<Reply>(`${program.url}${path}`, { method, token, ...(body !== undefined && { body }) })

async function upload({ program, token }: Environment, { csv }: Directory): Promise<ContactImport> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(csv)]), 'contatos.csv')
  const answer = await fetch(`${program.url}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`the file was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as ContactImport
}

const path = (id: number, act = '') => `/api/contacts/imports/${id}${act}`
const begin = (at: Environment, { id, mapping }: ContactImport) =>
  call<ContactImport>(at, 'POST', path(id, '/start'), { mapping, known: 'update' })

async function until(
  at: Environment,
  id: number,
  isSo: (job: ContactImport) => boolean,
): Promise<ContactImport> {
  const deadline = performance.now() + 300_000
  for (;;) {
    const job = await call<ContactImport>(at, 'GET', path(id))
    if (isSo(job)) return job
    if (job.state === 'failed') throw new Error(`the import failed after ${job.doneRows} rows`)
    if (performance.now() > deadline) throw new Error(`the import stays at ${job.doneRows} rows`)
    await sleep(50)
  }
}
const isOver = ({ state }: ContactImport) => state === 'done'

/** How long PostgreSQL takes to copy the same rows into tables with the same columns and indexes, in ms. */
async function timeCopy(server: OwnServer, directory: Directory): Promise<number> {
  const people = server.write('contatos.copy', directory.copyContacts)
  const numbers = server.write('numeros.copy', directory.copyIdentities)
  const run = (statement: string) => server.query(statement, 'balcao')
  await run('create table copy_contacts (like contacts including all)')
  await run('create table copy_identities (like contact_identities including all)')
  const startedAt = performance.now()
  await run(`copy copy_contacts (name, phone, email, category, tags, notes) from '${people}'`)
  await run(`copy copy_identities (contact_id, kind, value, jid) from '${numbers}'`)
  const took = performance.now() - startedAt
  await run('drop table copy_contacts, copy_identities')
  return took
}

/** One line for each living contact of an area code whose number is its identity. */
async function storedLines(database: Database, ddd: number): Promise<string[]> {
  const found = await rows<{ line: string }>(
    database,
    sql`select concat_ws('|', c.phone, c.name, c.email, c.category, array_to_string(c.tags, ','),
                         c.notes) as line
          from contacts c join contact_identities i on i.contact_id = c.id and i.kind = 'phone'
                                                   and i.value = c.phone
         where c.deleted_at is null and c.phone like ${`55${ddd}%`} order by c.phone`,
  )
  return found.map(({ line }) => line).toSorted()
}

/** What differs, in a few words. */
function differences(found: readonly string[], expected: readonly string[]): string[] {
  const [there, wanted] = [new Set(found), new Set(expected)]
  const missing = expected.filter((line) => !there.has(line))
  const odd = found.filter((line) => !wanted.has(line))
  return [
    ...(found.length !== expected.length ? [`${found.length} contacts, expected ${expected.length}`] : []),
    ...missing.slice(0, 3).map((line) => `missing: ${line}`),
    ...odd.slice(0, 3).map((line) => `not expected: ${line}`),
  ]
}

/** Kills the program again and again while it imports, and waits for the end. */
async function importUnderKills(
  at: Environment,
  directory: Directory,
  { kills, random, print }: { kills: number; random: Random; print: (line: string) => void },
): Promise<ContactImport> {
  const uploaded = await upload(at, directory)
  await begin(at, uploaded)
  for (let n = 0; n < kills; n++) {
    const { doneRows: before, state } = await call<ContactImport>(at, 'GET', path(uploaded.id))
    if (state === 'done') break
    await until(at, uploaded.id, (job) => isOver(job) || job.doneRows > before)
    await sleep(Math.floor(random() * 1500))
    await at.program.killAndRestart()
    const { doneRows } = await call<ContactImport>(at, 'GET', path(uploaded.id))
    print(`  killed after ${doneRows} of ${directory.rows} rows`)
  }
  return until(at, uploaded.id, isOver)
}

/**
 * Imports a file of contacts while its time and memory are measured beside a COPY of the same rows, once
 * more while clients write, and another one while the program is killed at any moment. What is stored must be
 * what the files say, and the messages must reach an open console in time.
 */
export const importing = defineScenario({
  options: { rows: 100_000, kills: 30, times: 10, most: 300, late: 200 },
  nightly: { rows: 100_000, kills: 3 },

  async arrange({ defer }): Promise<Environment> {
    const server = await startOwnServer()
    defer(() => server.close())
    await server.query('create role balcao login')
    const at = await startInstallation(server, 'balcao', defer)
    const traffic = await openTraffic({ url: at.program.url, token: at.token })
    defer(() => traffic.close())
    return { ...at, server, traffic }
  },

  async act(at, { options: { rows: count, kills }, random, print }) {
    const measured = makeDirectory(random, count, 21)
    const copyMs = await timeCopy(at.server, measured)
    const memory = watchMemory(at.program.pid)
    const endTraffic = at.traffic.begin()
    const uploaded = await upload(at, measured)
    const startedAt = performance.now()
    await begin(at, uploaded)
    const first = await until(at, uploaded.id, isOver)
    const importMs = performance.now() - startedAt
    const arrivals = await endTraffic()
    const peak = memory.stop()
    const stored = await storedLines(at.database, 21)
    const again = await upload(at, measured)
    await begin(at, again)
    const second = await until(at, again.id, isOver)
    const storedAgain = await storedLines(at.database, 21)
    print(
      `${count} rows: ${(importMs / 1000).toFixed(1)} s, a COPY ${(copyMs / 1000).toFixed(1)} s ` +
        `(× ${(importMs / copyMs).toFixed(1)}), memory at most ${peak.toFixed(0)} MiB`,
    )
    print(`${arrivals.sent} messages meanwhile: ${spread(arrivals.latenciesMs)}`)
    const killed = makeDirectory(random, count, 31)
    const third = await importUnderKills(at, killed, { kills, random, print })
    const storedKilled = await storedLines(at.database, 31)
    return {
      measured,
      killed,
      copyMs,
      importMs,
      peak,
      arrivals,
      first,
      second,
      third,
      stored,
      storedAgain,
      storedKilled,
    }
  },

  check(seen, _at, { options: { times, most, late, kills } }) {
    const { measured, killed, first, second, third, arrivals } = seen
    const p99 = quantile(arrivals.latenciesMs, 0.99)
    const fault = (isWrong: boolean, text: string) => (isWrong ? [text] : [])
    const valid = measured.expected.length
    const factor = seen.importMs / seen.copyMs
    const counts = ({ created, updated, kept, errors }: ContactImport) =>
      `${created} created, ${updated} updated, ${kept} kept, ${errors} errors`
    const wrong = (job: ContactImport, created: number, kept: number, { errors }: Directory) =>
      fault(
        job.created !== created || job.updated !== 0 || job.kept !== kept || job.errors !== errors,
        counts(job),
      )
    return [
      {
        property: 'every row is a contact, or an error',
        checked: measured.rows,
        faults: [...wrong(first, valid, 0, measured), ...differences(seen.stored, measured.expected)],
      },
      {
        property: 'the same file again changes nothing',
        checked: measured.rows,
        faults: [...wrong(second, 0, valid, measured), ...differences(seen.storedAgain, measured.expected)],
      },
      {
        property: `after ${kills} kills there are the same contacts, once each`,
        checked: killed.rows,
        faults: [
          ...wrong(third, killed.expected.length, 0, killed),
          ...differences(seen.storedKilled, killed.expected),
        ],
      },
      {
        property: `it takes at most ${times} times a COPY`,
        checked: 1,
        faults: fault(factor > times, `× ${factor.toFixed(1)}`),
      },
      {
        property: `of the messages meanwhile 99 in 100 are on a screen within ${late} ms, and all once`,
        checked: arrivals.sent,
        faults: [
          ...arrivals.faults,
          ...fault(arrivals.latenciesMs.length !== arrivals.sent, `${arrivals.latenciesMs.length} arrived`),
          ...fault(p99 > late, `p99 ${Math.round(p99)} ms`),
        ],
      },
      {
        property: `it takes at most ${most} MiB`,
        checked: 1,
        faults: fault(seen.peak > most, `${seen.peak.toFixed(0)} MiB`),
      },
    ]
  },
})
