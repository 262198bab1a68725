import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Found {
  id: string
  help: string
  nodes: { html: string; any: { message: string }[] }[]
}

/**
 * The current findings of axe, one line each.
 * @throws Error if axe has checked nothing
 */
export async function violations(page: Page): Promise<string[]> {
  // The content security policy refuses other scripts, but does not apply to evaluated ones.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const found = await page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: { run: (root: Document, options: unknown) => Promise<{ violations: Found[]; passes: Found[] }> }
    }
    const { violations: broken, passes } = await axe.run(document, {
      runOnly: { type: 'tag', values: only },
      // Of what passes it is enough to know that there is something; selectors for all of it take long.
      resultTypes: ['violations'],
      selectors: false,
      // The login's background is drawn by a pseudo-element, for which axe cannot compute the contrast.
      checks: { 'color-contrast': { options: { ignorePseudo: true } } },
    })
    if (!passes.some(({ id }) => id === 'color-contrast')) throw new Error('axe has looked at nothing')
    return broken
  }, tags)
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )
}
