// @vitest-environment happy-dom
import { act, render } from '@testing-library/react'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { indexFor, useRovingFocus } from './roving-focus.ts'
import { timeline } from './timeline.ts'

const items = timeline(
  [
    messageRow({ id: 1 }),
    messageRow({ id: 2, messageType: 'event', senderType: 'user' }),
    messageRow({ id: 3 }),
  ],
  [],
  () => '2026-11-19',
)

test('the arrows lead from message to message, over days and events, and end where they end', () => {
  expect(items.map(({ key }) => key)).toEqual(['day-2026-11-19', '1', '2', '3'])
  expect(indexFor('ArrowDown', items, 1)).toBe(3)
  expect(indexFor('ArrowUp', items, 3)).toBe(1)
  expect(indexFor('ArrowUp', items, 1)).toBe(-1)
  expect(indexFor('ArrowDown', items, 3)).toBe(-1)
  expect(indexFor('Home', items, 3)).toBe(1)
  expect(indexFor('End', items, 1)).toBe(3)
  expect(indexFor('a', items, 1)).toBeUndefined()
})

function Log() {
  const scroller = useRef<HTMLDivElement>(null)
  const roving = useRovingFocus({ items, scroller, hold: () => undefined, scrollTo: () => undefined })
  return (
    <div ref={scroller} {...roving}>
      {items.map((item, index) => (
        <div key={item.key} data-index={index}>
          {(index === 1 || index === 3) && (
            <article>
              <a href="/x">{item.key}</a>
              <button type="button">{item.key}</button>
            </article>
          )}
        </div>
      ))}
    </div>
  )
}

test('all messages are one stop of the tab order, and only the focused one opens its controls', () => {
  const { container } = render(<Log />)
  const stops = () =>
    [...container.querySelectorAll<HTMLElement>('*')]
      .filter((element) => element.tabIndex === 0)
      .map((element) => `${element.localName} ${element.textContent}`)
  expect(stops()).toEqual(['article 33'])
  const [first] = container.querySelectorAll('article')
  act(() => first?.focus())
  expect(stops()).toEqual(['article 11', 'a 1', 'button 1'])
  expect(container.querySelectorAll('[data-tabindex]')).toHaveLength(2)
  act(() => first?.blur())
  expect(stops()).toEqual(['article 33'])
})
