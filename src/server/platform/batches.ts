interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * What comes while a round is under way is done together in the next one: a storm costs as many statements as there
 * are rounds, and who comes alone waits for nobody. Rounds follow one another, so the order stays.
 * @param work all of a round get its result, or its error
 */
export function inBatches<Item, Result>(
  work: (items: Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const run = async () => {
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
