/**
 * Points where a test can make the program die, fail, wait or block. Inactive unless `FAILPOINTS` in the
 * environment or a test arms them. An inactive failpoint costs only the call.
 * @see reliability §3.2 Kill points
 */
export const failpointNames = [
  /** K1: a webhook's body is about to be stored. */
  'inbox.storing',
  /** K2: it is committed and not answered yet. */
  'inbox.stored',
  /** K3: it is answered and not processed yet. */
  'inbox.answered',
  /** K4: its effect is written and not committed. */
  'inbox.processing',
  /** K5: any transaction is committed, and no worker was woken. */
  'transaction.committed',
  /** K6: a client's file is about to be fetched from the gateway; with a delay, part of it has arrived. */
  'media.fetching',
  /** K7: it is stored, and no message refers to it. */
  'media.kept',
  /** K8: a reply is committed and not answered yet. */
  'reply.stored',
  /** K9: a message is claimed for sending, and the gateway was not called yet. */
  'outbox.claimed',
  /** K10: the gateway is being called; with a delay, it has the request and has not answered. */
  'outbox.asking',
  /** K11: the gateway's answer was read and is not stored. */
  'outbox.answered',
  /** K12: an acknowledgement is written and not committed. */
  'delivery.recorded',
  /** A step of a macro is about to be done, or all are; the run is committed and not answered yet. */
  'macro.step',
  'macro.committed',
  /** The agent is about to be asked; it has answered, and nothing is stored. */
  'assistant.asking',
  'assistant.answered',
  /** A sound is about to be sent to be put into words; the words have come, and are not stored. */
  'transcription.asking',
  'transcription.answered',
  /** A block of an import, or of its undoing, is written and not committed. */
  'import.block',
  /** A backup has written its tables; its files, its manifest; it is proven and not completed. K13, K14 */
  'backup.tables',
  'backup.files',
  'backup.proven',
  /** The rows of a restore are staged; merged and not committed; committed. K15 to K17 */
  'restore.staged',
  'restore.merged',
  'restore.applied',
  /**
   * A whole copy has written its tables; its files; they are put where it is attached; its rows are loaded;
   * committed.
   */
  'copy.tables',
  'copy.files',
  'copy.put',
  'copy.loaded',
  'copy.attached',
  /** New files go to another place; one is copied there; read back; removed where it was. */
  'move.switched',
  'move.copied',
  'move.verified',
  'move.removed',
  /** A batch of a cleanup is deleted and not committed. K18 */
  'cleanup.batch',
  /**
   * The copy before an upgrade has its tables; all but its manifest; is written; proven; a migration is about
   * to run; all have run; committed.
   */
  'upgrade.tables',
  'upgrade.files',
  'upgrade.written',
  'upgrade.copied',
  'upgrade.migration',
  'upgrade.migrated',
  'upgrade.committed',
] as const
export type FailpointName = (typeof failpointNames)[number]

/** The error of a failpoint; the surrounding code treats it like any other. */
export class FailpointError extends Error {
  override name = 'FailpointError'
}

type Action = 'kill' | 'throw' | 'sleep' | 'block'

interface Armed {
  action: Action
  /** For `kill`: the delay before the end. For `sleep`: the duration. */
  ms: number
  /** The hit that triggers it, counted from 1. */
  atHit: number
  hits: number
  release: (() => void) | undefined
}

let armed: Map<FailpointName, Armed> | undefined

/**
 * A failpoint. Await it: `sleep` and `block` hold the caller here, `throw` rejects.
 * @throws FailpointError when armed with `throw`
 */
export function failpoint(name: FailpointName): Promise<void> | undefined {
  return armed && hit(name)
}

async function hit(name: FailpointName): Promise<void> {
  const point = armed?.get(name)
  if (!point || ++point.hits < point.atHit) return
  switch (point.action) {
    case 'kill':
      if (point.ms === 0) process.kill(process.pid, 'SIGKILL')
      else setTimeout(() => process.kill(process.pid, 'SIGKILL'), point.ms)
      return
    case 'throw':
      if (point.hits === point.atHit) throw new FailpointError(name)
      return
    case 'sleep':
      return new Promise((resolve) => setTimeout(resolve, point.ms))
    case 'block':
      return new Promise((resolve) => (point.release = resolve))
  }
}

/**
 * Arms failpoints by a list of `name=action`, separated by commas. `kill:30` ends the process 30 ms after the
 * hit, `sleep:200` waits 200 ms at each hit from the chosen one on, `throw` fails once, `block` holds callers
 * until it is disarmed; `@3` triggers at the third hit: `outbox.asking=kill:30@3`.
 * @returns a function that disarms them and releases blocked callers
 * @throws Error for an invalid specification
 */
export function armFailpoints(spec: string): () => void {
  const points = new Map<FailpointName, Armed>()
  for (const part of spec.split(',').filter((text) => text.trim() !== '')) {
    const read = /^([\w.]+)=(kill|throw|sleep|block)(?::(\d+))?(?:@(\d+))?$/.exec(part.trim())
    const name = failpointNames.find((known) => known === read?.[1])
    if (!read || !name) throw new Error(`FAILPOINTS: '${part}' is no failpoint`)
    const [action, ms, atHit] = [read[2] as Action, Number(read[3] ?? 0), Number(read[4] ?? 1)]
    points.set(name, { action, ms, atHit, hits: 0, release: undefined })
  }
  armed = points.size > 0 ? points : undefined
  return () => {
    if (armed === points) armed = undefined
    for (const point of points.values()) point.release?.()
  }
}
