import type { Db } from '#server/platform/database/db.ts'
import { claimHeads, type ClaimedHead, largestBatch } from './claims.ts'

/** Rows that were claimed together, each the oldest of its lane. */
export interface Batch {
  rows: ClaimedHead[]
  /** Its claim began in the middle of the order of lanes, and saw none of those before. */
  isFromMiddle: boolean
  /** The number of its claim. */
  claim: number
}

/** The batches of this process. */
export interface Batches {
  begin(): Batch
  /**
   * Claims the heads of the next lanes for a batch, lane after lane in turn, so that none waits forever. One
   * claim follows the other, since each excludes the rows of the other batches.
   */
  claim(db: Db, batch: Batch): Promise<ClaimedHead[]>
  /** Whether a later claim has passed over lanes whose heads are in this batch. */
  isPassedOver(batch: Batch): boolean
  /**
   * To be called when all rows of a batch are processed. Those that wait for a transaction of their own are
   * not locked meanwhile, and another batch would claim them again.
   */
  end(batch: Batch): void
}

export function createBatches(): Batches {
  const open = new Set<Batch>()
  let lastLane = ''
  let claims = 0
  let lastClaim: Promise<unknown> = Promise.resolve()

  return {
    begin() {
      const batch: Batch = { rows: [], isFromMiddle: false, claim: 0 }
      open.add(batch)
      return batch
    },
    claim(db, batch) {
      const claim = lastClaim.then(async () => {
        batch.rows = []
        batch.claim = ++claims
        batch.isFromMiddle = lastLane !== ''
        const inHand = [...open].flatMap(({ rows }) => rows.map(({ id }) => id))
        const heads = await claimHeads(db, lastLane, inHand)
        lastLane = heads.length === largestBatch ? (heads.at(-1)?.lane ?? '') : ''
        batch.rows = heads.toSorted((a, b) => a.id - b.id)
        return batch.rows
      })
      lastClaim = claim.catch(() => undefined)
      return claim
    },
    isPassedOver: ({ claim }) => claim !== claims,
    end: (batch) => void open.delete(batch),
  }
}
