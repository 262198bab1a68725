import type { BrowserContext, Page } from 'playwright-core'

interface Listening {
  tones: number[]
}

/** From now on the pages of this browser note the pitch of everything that they play. */
export async function listenToTones(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const tones: number[] = []
    Object.assign(window, { tones })
    const { start } = AudioScheduledSourceNode.prototype
    AudioScheduledSourceNode.prototype.start = function (when) {
      if (this instanceof OscillatorNode) tones.push(this.frequency.value)
      start.call(this, when)
    }
  })
}

/** What the page has played since it was loaded, in hertz. */
export function tonesOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as Listening).tones)
}

export async function forgetTones(page: Page): Promise<void> {
  await page.evaluate(() => void (window as unknown as Listening).tones.splice(0))
}
