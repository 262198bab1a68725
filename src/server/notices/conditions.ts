import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { NoticeFact } from '#shared/notices/notices.ts'
import { findUnserved } from '#server/automation/automation.ts'
import { findSendTroubles } from '#server/conversations/conversations.ts'
import {
  countStuckLanes,
  findRefusals,
  findSetAside,
  findSilent,
  listActiveConfigs,
} from '#server/gateway/gateway.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/database/db.ts'
import { findCorrection } from '#server/platform/work/correct-clock.ts'

/** A trouble that holds now. */
export interface Condition {
  /** What of its kind is in trouble. */
  subject: string
  fact: NoticeFact
  /** When it began; now if absent. */
  since?: Date
}

/** Refusals that are no accident: a gateway repeats what was refused. */
const leastRefusals = 3
/** One send may fail for a reason of its own. */
const leastFailures = 3
/** The phones of so many clients are hardly off all at once. */
const leastUndelivered = 5

/** The troubles that every instance finds alike, in the database. */
export async function findShared(db: Db): Promise<Condition[]> {
  const [numbers, silent, refusals, stuck, aside, sends, correctedAt, unserved] = await Promise.all([
    listActiveConfigs(db),
    findSilent(db),
    findRefusals(db),
    countStuckLanes(db),
    findSetAside(db),
    findSendTroubles(db),
    findCorrection(db),
    findUnserved(db),
  ])
  const found: Condition[] = numbers
    .filter(({ status }) => status !== 'open')
    .map(({ id, instanceName, status: state }) => ({
      subject: String(id),
      fact: { kind: 'gateway_away', instanceName, state },
    }))
  for (const { id, instanceName, restartedAt, silentSince, isRestartFailed } of silent)
    found.push({
      subject: String(id),
      fact: {
        kind: 'gateway_silent',
        instanceName,
        silentSince: silentSince.toISOString(),
        isRestarted: !isRestartFailed,
      },
      since: restartedAt,
    })
  if (sends.undelivered >= leastUndelivered)
    found.push({ subject: '', fact: { kind: 'sends_undelivered', count: sends.undelivered } })
  if (refusals && refusals.count >= leastRefusals)
    found.push({
      subject: '',
      fact: { kind: 'webhooks_refused', count: refusals.count },
      since: refusals.since,
    })
  if (stuck > 0) found.push({ subject: '', fact: { kind: 'inbox_stuck', count: stuck } })
  if (aside)
    found.push({
      subject: '',
      fact: { kind: 'events_set_aside', count: aside.count },
      since: aside.since,
    })
  if (sends.unconfirmed > 0)
    found.push({ subject: '', fact: { kind: 'sends_unconfirmed', count: sends.unconfirmed } })
  if (sends.failed >= leastFailures)
    found.push({ subject: '', fact: { kind: 'sends_failed', count: sends.failed } })
  for (const { since, ...queue } of unserved)
    found.push({ subject: String(queue.sectorId), fact: { kind: 'queue_unserved', ...queue }, since })
  if (correctedAt) found.push({ subject: '', fact: { kind: 'clock_corrected' }, since: correctedAt })
  return found
}

/** Space on the disk of a folder, in bytes. */
export interface DiskSpace {
  free: number
  total: number
}

export async function measureDisk(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

const gibibyte = 1024 ** 3

/**
 * Less than 2 GiB, or less than a tenth of a disk on which a tenth is not plenty. `/readyz` gives up much
 * later, at 200 MiB.
 */
export const isDiskLow = ({ free, total }: DiskSpace): boolean =>
  free < 2 * gibibyte || (free < total / 10 && free < 20 * gibibyte)

/** The subject of what only this machine can find. */
export const ownSubject = (config: Config): string => `${hostname()} ${config.dataDir}`

/** The troubles of this machine and this process. @param disk the disk with the data folder */
export function findLocal(config: Config, disk: DiskSpace): Condition[] {
  const found: Condition[] = []
  if (isDiskLow(disk))
    found.push({
      subject: ownSubject(config),
      // In steps, since a disk in use changes all the time.
      fact: { kind: 'disk_low', host: hostname(), freeBytes: inSteps(disk.free) },
    })
  // Nobody else reaches the demonstration, or everybody may.
  if (!config.isDemo && !config.publicUrl?.startsWith('https:'))
    found.push({ subject: '', fact: { kind: 'plain_http' } })
  return found
}

const stepBytes = 100 * 1024 ** 2

const inSteps = (bytes: number) => Math.floor(bytes / stepBytes) * stepBytes
