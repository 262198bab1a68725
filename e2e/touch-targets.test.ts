import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { go } from './support/go.ts'
import { inFullAlso } from './support/matrix.ts'
import { screens, states } from './support/screens.ts'
import { colleague, signedIn } from './support/stage.ts'

// What a finger presses on a phone is 44 px wide and high, by what the browser finds there.

const smallest = 44
const open = await (await colleague('ana')).openConversations()
const held = open.find(({ assignedUser }) => assignedUser?.name.startsWith('Ana'))

let page: Page
beforeAll(async () => {
  page = await signedIn('admin', { width: 390, height: 844 })
})

/** The controls that are smaller, with their size. Links within a text have the height of its line. */
const tooSmall = () =>
  page.evaluate((wanted) => {
    const pressed =
      'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=switch]'
    const isMeant = (control: Element) => {
      const { display, visibility } = getComputedStyle(control)
      const { width, height } = control.getBoundingClientRect()
      const isInText = control.closest('p') !== null || (control.matches('a') && display === 'inline')
      const isThere = width > 1 && height > 1 && visibility !== 'hidden'
      return isThere && !isInText && !control.matches(':disabled, [type=file], [inert] *, .sr-only *')
    }
    const found = [...document.querySelectorAll(pressed)].filter(isMeant).flatMap((control) => {
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const { x, y, width, height } = control.getBoundingClientRect()
      const [middleX, middleY] = [x + width / 2, y + height / 2]
      const label = control.closest('label')
      const isHit = (atX: number, atY: number) => {
        const hit = document.elementFromPoint(atX, atY)
        return hit !== null && (control.contains(hit) || label?.contains(hit) === true)
      }
      /** How far from the middle it is still hit. */
      const reach = (stepX: number, stepY: number) => {
        let far = 0
        while (far < wanted && isHit(middleX + stepX * (far + 1), middleY + stepY * (far + 1))) far += 1
        return far
      }
      // Something lies over it, as a bar does over what is scrolled.
      if (!isHit(middleX, middleY)) return []
      const [wide, high] = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1]
      const name = control.getAttribute('aria-label') ?? control.textContent.trim().slice(0, 40)
      return wide < wanted || high < wanted ? [`${control.tagName} ${wide}×${high}: ${name}`] : []
    })
    return [...new Set(found)]
  }, smallest)

const chat: (typeof screens)[number] = [
  '/chat',
  `/chat?conversation=${held?.id}`,
  (shown) => shown.getByRole('log').waitFor(),
]
const all = [chat, ...screens.filter(([name]) => name !== '/simulador')]
test.each(inFullAlso(all, states))(
  'what is pressed on %s is as large as a finger',
  async (_, address, shown) => {
    await go(page, address)
    await shown(page)
    await expect.poll(tooSmall).toEqual([])
  },
)
