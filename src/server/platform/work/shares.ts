/** How much of its work a worker does at once for each number, so that one that is slow holds up no other. */
export interface Shares {
  /** The numbers with as much under way as they may have: claim nothing of them. */
  full(): number[]
  /**
   * Counts work that begins.
   * @returns ends it, and says whether the number was full, and may have been passed over meanwhile
   */
  begin(instanceId: number): () => boolean
}

/** @param most of each number; claims that run at once may exceed it by a few */
export function createShares(most: number): Shares {
  const counts = new Map<number, number>()
  const countOf = (instanceId: number) => counts.get(instanceId) ?? 0
  return {
    full: () => [...counts].flatMap(([instanceId, count]) => (count >= most ? [instanceId] : [])),
    begin(instanceId) {
      counts.set(instanceId, countOf(instanceId) + 1)
      return () => {
        const before = countOf(instanceId)
        if (before > 1) counts.set(instanceId, before - 1)
        else counts.delete(instanceId)
        return before >= most
      }
    },
  }
}
