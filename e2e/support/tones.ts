import type { BrowserContext, Page } from 'playwright-core'

interface Listening {
  tones: number[]
}

/** Records the pitch of the tones played by pages of this context from now on. */
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

/** The tones that the page has played since it was loaded, in hertz. */
export function tonesOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as Listening).tones)
}

export async function forgetTones(page: Page): Promise<void> {
  await page.evaluate(() => void (window as unknown as Listening).tones.splice(0))
}
