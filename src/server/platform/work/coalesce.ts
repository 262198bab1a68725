interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Calls that arrive during a round are done together in the next one: a burst costs as many statements as
 * there are rounds, and a single call does not wait. Rounds are sequential, so the order of calls is kept.
 * @param work called once per round; its result, or its error, goes to every call of the round
 */
export function coalesce<Item, Result>(
  work: (items: Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const round = waiting
      waiting = []
      try {
        const result = await work(round.map((one) => one.item))
        for (const one of round) one.resolve(result)
      } catch (error) {
        for (const one of round) one.reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
