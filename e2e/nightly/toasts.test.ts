import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { go } from '../support/go.ts'
import { expectSound, waitForAnimations } from '../support/sound.ts'
import { signedIn } from '../support/stage.ts'

// Where toasts stand, and how they are dragged away. How long they stay, and their keys: `toaster.test.tsx`.

const sizes = [1440, 390]
describe.each(sizes)('at %i px', (width) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('ana', { width })
  })
  beforeEach(async () => {
    await go(page, '/conversas-ativas')
    await page.getByRole('list', { name: 'Conversas ativas' }).waitFor()
    // Under the pointer or with the focus it would stay.
    await page.mouse.move(5, 600)
  })

  const toasts = () => page.getByRole('region', { name: 'Notificações (F8)' }).getByRole('listitem')
  const refused = () => toasts().filter({ hasText: 'Erro ao assumir a próxima conversa' })
  const take = () => page.getByRole('button', { name: 'Assumir próxima', exact: true })

  /** Causes a notification by a failing call. */
  async function causeRefusal(): Promise<Locator> {
    await page.route('**/api/conversations/take-next', (route) => route.abort())
    await take().click()
    await page.mouse.move(5, 600)
    await refused().waitFor()
    return refused()
  }
  async function drag(shown: Locator, byPx: number, { leaves = true } = {}): Promise<void> {
    const { x, y, height } = (await shown.boundingBox())!
    await page.mouse.move(x + 60, y + height / 2)
    await page.mouse.down()
    for (const step of [0.3, 0.6, 1]) await page.mouse.move(x + 60 + byPx * step, y + height / 2)
    await page.mouse.up()
    if (leaves) await page.mouse.move(5, 600)
  }

  test('a toast is shown top right', async () => {
    const shown = await causeRefusal()
    // Measured before anything slow, since it disappears on its own.
    await waitForAnimations(page)
    const box = (await shown.boundingBox())!
    expect(box.x + box.width).toBe(width - 12)
    expect(box.y).toBe(12)
    expect(box.width).toBe(Math.min(420, width - 24))
    await expectSound(page, width)
  })

  test('a toast pushed 50 px to the right closes, pushed less it comes back', async () => {
    const shown = await causeRefusal()
    await waitForAnimations(page)
    const before = await shown.boundingBox()
    await drag(shown, 40)
    await expect.poll(() => shown.boundingBox()).toEqual(before)
    // Under the pointer it does not go on its own.
    await shown.hover()
    await drag(shown, 60, { leaves: false })
    await shown.waitFor({ state: 'detached' })
  })
})
