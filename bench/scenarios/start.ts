import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAgents } from '../agents.ts'
import { allAnswered, shoot } from '../load.ts'
import type { Sample } from '../rounds.ts'
import { createWriter, webhookShot } from '../shots.ts'
import type { Stage } from '../stage.ts'
import { drained, type MakeScenario } from './plan.ts'

const settleMs = 3000

/** S9: how long a start takes, and what our process weighs. */
export const start: MakeScenario = (stage, { manyMessages }) => ({
  name: 'start',
  title: 'S9 início e memória',
  rounds: 3,
  figures: [
    {
      key: 'external',
      title: 'até a primeira resposta, PostgreSQL pronto',
      unit: 'ms',
      better: 'lower',
      land: { value: 1000 },
      aim: { value: 500 },
    },
    {
      key: 'embedded',
      title: 'até a primeira resposta, criando o banco embutido',
      unit: 'ms',
      better: 'lower',
      land: { value: 3000 },
    },
    {
      key: 'idle',
      title: 'memória parado',
      unit: 'MB',
      better: 'lower',
      land: { value: 130 },
      aim: { value: 115 },
    },
    {
      key: 'crowd',
      title: 'memória a mais com 200 atendentes ligados',
      unit: 'MB',
      better: 'lower',
      land: { value: 30 },
      aim: { value: 25 },
    },
    { key: 'after', title: `memória depois de ${manyMessages} mensagens`, unit: 'MB', better: 'lower' },
  ],
  sides: {
    nosso: async (round) => ({
      ...(await weigh(stage)),
      embedded: await firstCreation(stage),
      after: round === 0 ? await afterMany(stage, manyMessages) : Number.NaN,
    }),
  },
})

async function weigh(stage: Stage): Promise<Sample> {
  const child = await stage.startProduct()
  try {
    await sleep(settleMs)
    const idle = child.rssMb()
    const agents = await connectAgents(child.url, 200, { types: [], isOurs: true })
    await sleep(settleMs)
    const crowd = child.rssMb() - idle
    await agents.close()
    return { external: child.startMs, idle, crowd }
  } finally {
    await child.stop()
  }
}

async function firstCreation(stage: Stage): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-first-'))
  // Started as root, the database runs as another account, which must be able to pass through.
  chmodSync(dataDir, 0o711)
  try {
    const child = await stage.startProduct({ DATA_DIR: dataDir, DATABASE_URL: '' })
    await child.stop()
    return child.startMs
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function afterMany(stage: Stage, count: number): Promise<number> {
  const { http, child } = stage.product
  const write = createWriter(stage, 'M')
  allAnswered(await shoot(http, () => webhookShot(write()), { connections: 8, count }), 200)
  await drained(stage.product, 600_000)
  return child.rssMb()
}
