import type { Page } from 'playwright-core'

/**
 * Finds the texts in view that nobody can read: those that are cut to nothing, and those with another text
 * over them. A text that is scrolled away can be scrolled to, and one that shrinks a hundred times as readily
 * as its neighbours is meant to give way to them.
 */
export function crowdedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Fewer pixels than this show not even a letter. */
    const least = 6
    const found: string[] = []
    const shown: { text: string; node: Node; layer: Element | null; rect: DOMRect }[] = []

    const givesWay = (element: Element) => Number(getComputedStyle(element).flexShrink) >= 100

    /** What is left of a line where it is cut; undefined: nobody is meant to see it. */
    function clip(line: DOMRect, of: Element): { rect: DOMRect; layer: Element | null } | undefined {
      let { left, right, top, bottom } = line
      let layer: Element | null = null
      for (let at: Element | null = of; at; at = at.parentElement) {
        const style = getComputedStyle(at)
        const box = at.getBoundingClientRect()
        if (style.display !== 'inline' && style.overflowX !== 'visible') {
          const before = right - left
          left = Math.max(left, box.left)
          right = Math.min(right, box.right)
          top = Math.max(top, box.top)
          bottom = Math.min(bottom, box.bottom)
          const isScrolled = style.overflowX === 'auto' || style.overflowX === 'scroll'
          // The end of a line that is cut behind something that is shown.
          const isEnd = style.textOverflow === 'ellipsis' && box.width >= 4 * least
          const isGone = right - left < Math.min(before, least)
          if (((isScrolled || isEnd) && isGone) || bottom - top < 4) return undefined
        }
        if (style.clipPath !== 'none' || Number(style.opacity) === 0) return undefined
        if (style.position !== 'static' && style.position !== 'relative') layer ??= at
        if (style.position === 'fixed') break
      }
      return { rect: new DOMRect(left, top, right - left, bottom - top), layer }
    }

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue?.trim() ?? ''
      const element = node.parentElement
      if (!text || !element || element.closest('[aria-hidden="true"], svg, textarea, noscript')) continue
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      range.selectNodeContents(node)
      for (const line of range.getClientRects()) {
        if (line.width < 2 || line.bottom < 0 || line.top > innerHeight) continue
        const clipped = clip(line, element)
        if (!clipped) continue
        const { rect, layer } = clipped
        if (rect.width < Math.min(least, line.width) && !givesWay(element))
          found.push(`cut to ${Math.round(rect.width)} px: ${text}`)
        else shown.push({ text, node, layer, rect })
      }
    }
    for (const [n, one] of shown.entries())
      for (const other of shown.slice(n + 1)) {
        // A text that is cut has a second line, of its ellipsis.
        if (one.layer !== other.layer || one.node === other.node) continue
        const [a, b] = [one.rect, other.rect]
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (width > 2 && height > Math.min(a.height, b.height) / 2) found.push(`${one.text} | ${other.text}`)
      }
    return [...new Set(found)]
  })
}
