import { expect, test } from 'vitest'
import { cn } from './cn.ts'

test.each([
  // A corner of its own, as that of the last bubble, whatever else is set between.
  [['rounded-bubble', 'rounded-br-[4px]'], 'rounded-bubble rounded-br-[4px]'],
  [
    ['rounded-bubble bg-own', 'px-2', false, 'rounded-bl-[4px]'],
    'rounded-bubble bg-own px-2 rounded-bl-[4px]',
  ],
  [['rounded-br-[4px]', 'rounded-bl-[4px]'], 'rounded-br-[4px] rounded-bl-[4px]'],
  // What comes later for all corners is for this one, too, as `p-2` is for `px-4`.
  [['rounded-br-[4px]', 'rounded-full'], 'rounded-full'],
  [['px-4 pt-1', 'p-2'], 'p-2'],
  [['p-2', 'px-4'], 'p-2 px-4'],
  [['text-sm text-ink-2', 'text-red-text'], 'text-sm text-red-text'],
])('the classes %j are merged into %j', (classes, joined) => {
  expect(cn(...classes)).toBe(joined)
})
