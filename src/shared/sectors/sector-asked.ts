import * as z from 'zod/mini'
import { idParam } from '#shared/users/users.ts'

/** A list is asked for one sector, or for what has none. */
export const sectorAsked = z.union([idParam, z.literal('none')])
export type SectorAsked = z.infer<typeof sectorAsked>

/** Whether a conversation is of the sector that is asked for; absent: all are. */
export const isOfSectorAsked = (sectorId: number | null, asked: SectorAsked | undefined): boolean =>
  asked === undefined || sectorId === (asked === 'none' ? null : asked)
