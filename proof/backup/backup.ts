import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { openTraffic } from '../support/traffic.ts'
import { quantile, spread } from '../support/latencies.ts'
import { defineScenario, MissingProgram } from '../support/scenario.ts'
import { watchMemory } from '../support/watch-memory.ts'
import { takeInDamaged } from './damage.ts'
import { call, checkFiles, differing, ended, makeBackup, measure, whole } from './runs.ts'
import { killBackups, killRestores } from './kills.ts'
import { seedPast } from './seed.ts'

/** With pg_dump beside it, which reads a server of its own version. */
const postgres = '/usr/lib/postgresql/15/bin'

const removeAll = async ({ database }: Installation) => {
  await database.execute(sql`delete from messages where whatsapp_message_id like 'SEED%'`)
  await database.execute(sql`delete from conversations where protocol like '2024%'`)
  await database.execute(sql`delete from files where contact_id is null and user_id is null`)
}

/** How long PostgreSQL's own programs take, and a copy of the files, in milliseconds. */
function timeOwn(server: OwnServer, { name, dataDir }: Installation): number {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-dump-'))
  const startedAt = performance.now()
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(join(postgres, program), args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  run('pg_dump', '-Fc', '-f', join(folder, 'a.dump'), server.url('balcao', name))
  cpSync(join(dataDir, 'uploads'), join(folder, 'uploads'), { recursive: true })
  run('createdb', '-h', '127.0.0.1', '-p', String(server.port), '-U', 'balcao', 'dumped')
  run('pg_restore', '-d', server.url('balcao', 'dumped'), '--no-owner', join(folder, 'a.dump'))
  cpSync(join(folder, 'uploads'), join(folder, 'again'), { recursive: true })
  const took = performance.now() - startedAt
  rmSync(folder, { recursive: true, force: true })
  return took
}

async function download({ program, token }: Installation, { id }: Backup): Promise<Buffer> {
  const answer = await fetch(`${program.url}/api/maintenance/download/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`the download was answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/**
 * A large installation is backed up, emptied and restored while clients write, beside PostgreSQL's own
 * programs; damaged copies of a backup are taken in; backups and restores are killed at any moment.
 */
export const backup = defineScenario({
  options: {
    conversations: 10_000,
    messagesEach: 20,
    files: 2000,
    cuts: 500,
    flips: 2000,
    backupKills: 50,
    restoreKills: 100,
    times: 3,
    most: 250,
    late: 200,
  },
  nightly: { conversations: 3000, files: 500, cuts: 100, flips: 300, backupKills: 5, restoreKills: 10 },

  async arrange({ defer }) {
    if (!existsSync(join(postgres, 'pg_dump'))) throw new MissingProgram(`${postgres}/pg_dump`)
    const server = await startOwnServer({ bin: postgres, under: tmpdir() })
    defer(() => server.close())
    await server.query('create role balcao login createdb')
    const large = await startInstallation(server, 'large', defer)
    const traffic = await openTraffic({ url: large.program.url, token: large.token })
    defer(() => traffic.close())
    const small = await startInstallation(server, 'small', defer)
    return { server, large, small, traffic }
  },

  async act({ server, large, small, traffic }, { options, random, print }) {
    const { conversations, messagesEach, files, cuts, flips, backupKills, restoreKills } = options
    await seedPast(large.database, large.dataDir, { conversations, messagesEach, files })
    const before = await measure(large)
    const ownMs = timeOwn(server, large)
    let memory: ReturnType<typeof watchMemory> | undefined
    const endTraffic = traffic.begin()
    const startedAt = performance.now()
    // Before that there is what the seed had the program do.
    const made = await makeBackup(large, 'Grande', () => (memory = watchMemory(large.program.pid)))
    const backupMs = performance.now() - startedAt
    await removeAll(large)
    const restoringAt = performance.now()
    await call(large, 'POST', `restore/${made.id}`, whole)
    const restored = await ended(large, 'restore')
    const restoreMs = performance.now() - restoringAt
    const arrivals = await endTraffic()
    const peak = memory?.stop() ?? NaN
    const after = await measure(large)
    const checkedFiles = await checkFiles(large)
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    print(
      `backup ${seconds(backupMs)} and restore ${seconds(restoreMs)}, PostgreSQL's own ${seconds(ownMs)} ` +
        `(× ${((backupMs + restoreMs) / ownMs).toFixed(1)}), memory at most ${peak.toFixed(0)} MiB`,
    )
    print(`${arrivals.sent} messages meanwhile: ${spread(arrivals.latenciesMs)}`)

    await small.database.execute(
      sql`insert into evolution_api_config
            (instance_name, api_key_encrypted, api_key_hint, base_url, is_active)
          values ('loja', '-', '-', 'http://127.0.0.1:1', false)`,
    )
    await seedPast(small.database, small.dataDir, { conversations: 300, messagesEach, files: 40 })
    const smallAt = performance.now()
    const one = await makeBackup(small, 'Pequeno')
    const longestMs = (performance.now() - smallAt) * 1.2
    const damaged = await takeInDamaged(await download(small, one), { cuts, flips, random })
    print(`${damaged.checked} damaged files, ${damaged.faults.length} faults`)
    const backups = await killBackups(small, backupKills, longestMs, random)
    print(`${backups.kills} backups killed, ${backups.faults.length} faults`)
    const restores = await killRestores(small, one, {
      kills: restoreKills,
      longestMs,
      random,
      remove: () => removeAll(small),
    })
    print(
      `${restores.kills} restores killed, ${restores.applied} had been applied, ` +
        `${restores.faults.length} faults`,
    )
    const ratio = (backupMs + restoreMs) / ownMs
    return { before, after, restored, checkedFiles, ratio, peak, arrivals, damaged, backups, restores }
  },

  check(seen, _at, { options: { files, times, most, late } }) {
    const fault = (isWrong: boolean, text: string) => (isWrong ? [text] : [])
    const p99 = quantile(seen.arrivals.latenciesMs, 0.99)
    const tables = Object.keys(seen.before)
    return [
      {
        property: 'after everything was deleted a restore brings every table back, equal by hash',
        checked: tables.length,
        faults: [
          ...fault(seen.restored.state !== 'done', `${seen.restored.state}: ${seen.restored.error}`),
          // Clients have written meanwhile, and their pictures were fetched.
          ...differing(seen.before, seen.after).filter(
            (line) => !/^(contacts|contact_identities|files):/.test(line),
          ),
        ],
      },
      {
        property: 'and every file',
        checked: seen.checkedFiles.files,
        faults: [
          ...seen.checkedFiles.wrong,
          ...fault(seen.checkedFiles.files !== files, `${seen.checkedFiles.files} files, not ${files}`),
        ],
      },
      {
        property: `it takes at most ${times} times as long as PostgreSQL's own programs`,
        checked: 1,
        faults: fault(seen.ratio > times, `× ${seen.ratio.toFixed(1)}`),
      },
      {
        property: `and ${most} MiB of memory at most`,
        checked: 1,
        faults: fault(!(seen.peak <= most), `${seen.peak.toFixed(0)} MiB`),
      },
      {
        property: `meanwhile messages arrive within ${late} ms, 99 of 100`,
        checked: seen.arrivals.sent,
        faults: [
          ...seen.arrivals.faults,
          ...fault(seen.arrivals.latenciesMs.length < seen.arrivals.sent, 'messages are missing'),
          ...fault(p99 > late, `p99 ${p99.toFixed(0)} ms`),
        ],
      },
      { property: 'a cut file, or one with another bit, is refused with a message', ...seen.damaged },
      {
        property: 'a backup that was killed is never completed',
        checked: seen.backups.kills,
        faults: seen.backups.faults,
      },
      {
        property: 'a restore that was killed has changed nothing or everything, and the next one works',
        checked: seen.restores.kills,
        faults: seen.restores.faults,
      },
    ]
  },
})
