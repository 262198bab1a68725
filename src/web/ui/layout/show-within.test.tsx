// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { showWithin } from './show-within.ts'

function boxAt(left: number, width: number): HTMLElement {
  const box = document.createElement('div')
  const [top, height] = [400, 40]
  box.getBoundingClientRect = () => new DOMRect(left, top, width, height)
  return box
}

test.each([
  ['in sight', 20, 50, 0],
  ['cut at its beginning', -30, 50, -30],
  ['cut at its end', 180, 50, 30],
  ['wider than the list', 10, 500, 10],
])('a list goes as far as an item needs that is %s, and its page stays', (_where, left, width, step) => {
  const page = document.createElement('div')
  const list = boxAt(0, 200)
  const item = boxAt(left, width)
  page.append(list)
  list.append(item)
  list.scrollLeft = 100
  showWithin(list, item)
  expect([list.scrollLeft, list.scrollTop, page.scrollTop]).toEqual([100 + step, 0, 0])
})
