import type { FailpointName } from '#server/platform/failpoints.ts'
import type { Random } from '#simulator/random.ts'

export type Engine = 'embedded' | 'postgres'

/**
 * The failpoints of the delivery path. The program is killed at one of the first hits, at most this many.
 * @see reliability 'Kill points'
 */
const killPoints = {
  K1: ['inbox.storing', 25],
  K2: ['inbox.stored', 25],
  K3: ['inbox.answered', 60],
  K4: ['inbox.processing', 25],
  K5: ['transaction.committed', 60],
  K6: ['media.fetching', 4],
  K7: ['media.kept', 4],
  K8: ['reply.stored', 25],
  K9: ['outbox.claimed', 25],
  K10: ['outbox.asking', 25],
  K11: ['outbox.answered', 25],
  K12: ['delivery.recorded', 25],
} as const satisfies Record<string, [FailpointName, number]>
type KillPoint = keyof typeof killPoints

/** The other faults, by engine. */
const otherKinds = {
  embedded: ['program', 'program', 'postmaster', 'program and server'],
  postgres: ['program', 'program', 'cut', 'cut after bytes', 'server'],
} as const
export type CycleKind = KillPoint | (typeof otherKinds)[Engine][number]

export interface Cycle {
  kind: CycleKind
  /** The value of FAILPOINTS; undefined if nothing is armed. */
  failpoints: string | undefined
  /** For a fault from outside, the time after the program serves. */
  afterMs: number
  /** How long the database stays cut. */
  downMs: number
  /** The database is cut after this many more bytes. */
  bytes: number
}

/** Slow enough for the program to be killed between request and answer. */
export const answerAfterMs = 40

/** The cycles of a run: each kind about equally often, with order, hits and times drawn from the seed. */
export function planCycles(engine: Engine, count: number, random: Random): Cycle[] {
  const kinds: CycleKind[] = [...(Object.keys(killPoints) as KillPoint[]), ...otherKinds[engine]]
  const bag: CycleKind[] = []
  while (bag.length < count) bag.push(...shuffled(kinds, random))
  return bag.slice(0, count).map((kind) => ({
    kind,
    failpoints: failpointsOf(kind, random),
    afterMs: Math.round(300 + 1200 * random()),
    downMs: Math.round(200 + 1800 * random()),
    bytes: 1 + Math.floor(60_000 * random()),
  }))
}

function failpointsOf(kind: CycleKind, random: Random): string | undefined {
  if (!(kind in killPoints)) return undefined
  const [name, hits] = killPoints[kind as KillPoint]
  const atHit = 1 + Math.floor(hits * random())
  // Before the request reaches the gateway, before the answer, after it, or in the middle of a file.
  const afterMs = kind === 'K10' || kind === 'K6' ? `:${Math.floor(2 * answerAfterMs * random())}` : ''
  return `${name}=kill${afterMs}@${atHit}`
}

function shuffled<T>(from: readonly T[], random: Random): T[] {
  const left = [...from]
  return from.map(() => left.splice(Math.floor(left.length * random()), 1)[0] as T)
}
