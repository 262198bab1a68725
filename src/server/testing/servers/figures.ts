import { eventually, type TestApp } from '../test-app.ts'

/** What a server under test says at /metrics. */
export const scrapeOf = async (t: TestApp): Promise<string> => (await fetch(`${t.app.url}/metrics`)).text()

/** The value of a series such as `balcao_outbox_messages{state="failed"}`; undefined: there is none. */
export async function figureOf(t: TestApp, series: string): Promise<number | undefined> {
  const line = (await scrapeOf(t)).split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

/** Waits until a series has a value that is good. */
export const figureBecomes = (t: TestApp, series: string, isGood: (value: number) => boolean) =>
  eventually(
    () => figureOf(t, series),
    (value) => value !== undefined && isGood(value),
  )
