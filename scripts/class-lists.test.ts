import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extendTailwindMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { cn } from '../src/web/ui/cn.ts'

const src = join(import.meta.dirname, '..', 'src')
const whole = extendTailwindMerge({
  extend: {
    theme: {
      radius: ['tag', 'control', 'card', 'bubble', 'full'],
      shadow: ['float', 'bubble'],
      tracking: ['title', 'figure'],
    },
  },
})

const classes = (list: string) => [...new Set(list.split(/\s+/))].toSorted().join(' ')
const literals = (text: string) =>
  [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].map(([, a, b]) => a ?? b ?? '')
const read = (files: string) =>
  globSync(files, { cwd: src }).map((file) => readFileSync(join(src, file), 'utf8'))
/** The source of each call of `name`, up to its closing parenthesis. */
function argumentsOf(name: string, text: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))].map(({ 0: call, index }) => {
    let depth = 1
    let end = index + call.length
    for (; depth > 0 && end < text.length; end += 1) depth += { '(': 1, ')': -1 }[text[end] ?? ''] ?? 0
    return text.slice(index, end)
  })
}
/** The class lists of the components (`bases`), and those passed to them as `className` (`given`). */
const bases = [
  ...read('web/**/*.tsx').flatMap((text) => [...argumentsOf('cn', text), ...argumentsOf('cva', text)]),
  ...read('web/ui/**/*-look.ts'),
].flatMap(literals)
const given = read('{web,simulator}/**/*.tsx').flatMap((text) =>
  [...text.matchAll(/<[A-Z]\w*\b[^<]*?className=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, plain, made]) =>
    plain === undefined ? literals(made ?? '') : [plain],
  ),
)

test('joins the class lists of this house as the whole of Tailwind would', () => {
  expect(bases.length).toBeGreaterThan(100)
  expect(given.length).toBeGreaterThan(40)
  const differing = bases.flatMap((base) =>
    given
      .filter((own) => classes(cn(base, own)) !== classes(whole(`${base} ${own}`)))
      .map((own) => `${base} | ${own}`),
  )
  expect(differing).toEqual([])
})

test('no class waits for a width that the theme does not name', () => {
  const known = [
    ...read('web/ui/theme.css')
      .join('')
      .matchAll(/--breakpoint-(\w+):/g),
  ].map(([, name]) => name)
  expect(known).toContain('md')
  const used = read('web/**/*.{ts,tsx}').flatMap((text) =>
    [...text.matchAll(/(?<![\w@-])(?:max-)?(sm|md|lg|xl|2xl):(?=[a-z[-])/g)].map(([, name]) => name),
  )
  expect(used.length).toBeGreaterThan(100)
  expect(used.filter((name) => !known.includes(name))).toEqual([])
})
