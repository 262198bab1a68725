/**
 * Works on the items, so many at a time, in their order. After a failure nothing more is begun, and what was
 * begun has ended when this throws: the caller may tidy up.
 */
export async function sideBySide<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  let hasFailed = false
  async function next(): Promise<void> {
    for (let item = queue.next(); !item.done && !hasFailed; item = queue.next())
      try {
        await work(item.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
  }
  const ended = await Promise.allSettled(Array.from({ length: most }, next))
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
