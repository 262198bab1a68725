import type { Page } from 'playwright-core'

interface Waiting {
  felt?: Promise<number>
}

/**
 * How long a person waits from an act until the page shows the outcome, in milliseconds: from the first key
 * or press to the frame in which an element with the text is drawn.
 * @param act begins with a key or a press on the page
 * @param within selects where the text appears
 * @throws Error after 20 s
 */
export async function felt(
  page: Page,
  act: () => Promise<unknown>,
  { within, text }: { within: string; text: string },
): Promise<number> {
  await page.evaluate(
    ([selector, wanted]) => {
      const shows = () =>
        [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(wanted))
      const waiting = window as Waiting
      waiting.felt = new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`«${wanted}» never showed`)), 20_000)
        let beganAt: number | undefined
        const begin = (event: Event) => (beganAt ??= event.timeStamp)
        for (const type of ['keydown', 'pointerdown'])
          window.addEventListener(type, begin, { capture: true, once: true })
        const look = () => {
          if (beganAt === undefined || !shows()) return void requestAnimationFrame(look)
          const since = beganAt
          requestAnimationFrame(() => resolve(performance.now() - since))
        }
        requestAnimationFrame(look)
      })
    },
    [within, text] as const,
  )
  await act()
  return page.evaluate(() => (window as Waiting).felt ?? Number.NaN)
}

/** 'p50 40 ms, p95 80 ms of 12'. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms of ${sorted.length}`
}
