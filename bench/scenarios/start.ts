import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAgents } from '../load/agents.ts'
import { allAnswered, runLoad } from '../load/load.ts'
import { lower, type Sample } from '../rounds.ts'
import { createWriter, webhookRequest } from '../load/requests.ts'
import type { Environment } from '../environment/environment.ts'
import { drained, type CreateScenario } from './scenario.ts'

const settleMs = 3000

/** S9: the duration of a start and the memory of the process. */
export const start: CreateScenario = (environment, { manyMessages }) => ({
  name: 'start',
  title: 'S9 start and memory',
  rounds: 3,
  figures: [
    lower('external', 'to the first answer, PostgreSQL ready', 'ms', { value: 500 }),
    lower('embedded', 'to the first answer, creating the embedded database', 'ms', { value: 2000 }),
    lower('idle', 'memory idle', 'MB', { value: 115 }),
    lower('audience', 'additional memory with 200 operators connected', 'MB', { value: 25 }),
    lower('after', `memory after ${manyMessages} messages`, 'MB'),
  ],
  sides: {
    ours: async (round) => ({
      ...(await measureMemory(environment)),
      embedded: await firstCreation(environment),
      after: round === 0 ? await afterMany(environment, manyMessages) : Number.NaN,
    }),
  },
})

async function measureMemory(environment: Environment): Promise<Sample> {
  const child = await environment.startProduct()
  try {
    await sleep(settleMs)
    const idle = child.rssMb()
    const agents = await connectAgents(child.url, 200, { types: [], isOurs: true })
    await sleep(settleMs)
    const audience = child.rssMb() - idle
    await agents.close()
    return { external: child.startMs, idle, audience }
  } finally {
    await child.stop()
  }
}

async function firstCreation(environment: Environment): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-first-'))
  // Started by root, the database runs under another account, which needs access to the folder.
  chmodSync(dataDir, 0o711)
  try {
    const child = await environment.startProduct({ DATA_DIR: dataDir, DATABASE_URL: '' })
    await child.stop()
    return child.startMs
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function afterMany(environment: Environment, count: number): Promise<number> {
  const { http, child } = environment.product
  const write = createWriter(environment, 'M')
  allAnswered(await runLoad(http, () => webhookRequest(write()), { connections: 8, count }), 200)
  await drained(environment.product, 600_000)
  return child.rssMb()
}
