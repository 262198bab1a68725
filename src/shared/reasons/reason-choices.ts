import type { AskReason } from '#shared/settings/ask-reason.ts'
import type { KnownReasons, Reason } from './reasons.ts'

/** Whether conversations of the sector (null: of none) may end with the reason, or one within it. */
export const isForSector = (reason: Pick<Reason, 'sectorId'>, sectorId: number | null): boolean =>
  reason.sectorId === null || reason.sectorId === sectorId

/**
 * The reasons that a conversation of the sector may end with, in their order: active ones, and of those with
 * active ones within only these.
 */
export function choicesFor(all: readonly Reason[], sectorId: number | null): Reason[] {
  const isOffered = (reason: Reason) => reason.isActive && isForSector(reason, sectorId)
  return all.filter(
    (reason) => isOffered(reason) && !all.some((within) => within.parentId === reason.id && within.isActive),
  )
}

/** Whether whoever finalizes a conversation is asked for a reason. */
export const askFor = (
  { ask, ofNumbers, ofSectors }: Omit<KnownReasons, 'reasons'>,
  conversation: { instanceId: number; sectorId: number | null },
): AskReason =>
  ofSectors.find(({ sectorId }) => sectorId === conversation.sectorId)?.ask ??
  ofNumbers.find(({ instanceId }) => instanceId === conversation.instanceId)?.ask ??
  ask
