import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { rounds, sampled } from '../src/server/testing/sampled.ts'

// No regular expression of server, shared and web may take more than its share of time: each is tried on
// texts that are blown up with what it likes. Ordinary runs take some of them. @see security S-30

const root = join(import.meta.dirname, '..', 'src')

/** The regular expressions of a file, from its parsed source. */
function expressionsOf(file: string): RegExp[] {
  const found: RegExp[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.push(new RegExp(pattern, flags.replaceAll(/[gy]/g, '')))
    } else Object.values(node).forEach(visit)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

const files = globSync(['server/**/*.ts', 'shared/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$|\/testing\/|\/demo\/|\/cli\//.test(file),
)
const expressions = [
  ...new Map(files.flatMap(expressionsOf).map((expression) => [String(expression), expression])),
]

const fewest = 1500
/** Twice as long a text takes twice as long; a square takes four times. */
const mostTimes = 3
const tooShortToJudgeMs = 1
/** What doubles with each sign shows already here, where it can still be waited for. */
const shortLengths = [12, 16, 20, 24, 28, 32, 40]

/** The shortest of several tries, in milliseconds: other work on the machine only adds. */
function msOf(expression: RegExp, text: string): number {
  const tries = Array.from({ length: 3 }, () => {
    const start = performance.now()
    expression.test(text)
    return performance.now() - start
  })
  return Math.min(...tries)
}

/** What a text is blown up with: pieces that the expression matches, and each of their signs alone. */
function piecesFor(expression: RegExp): string[] {
  const samples = matchesOf(expression)
  const signs = samples.flatMap((text) => Array.from(text))
  return [...new Set([' ', '\t', '\n', 'a', '0', '-', '@', '.', ...samples, ...signs])]
    .filter((one) => one !== '')
    .slice(0, 30)
}

/** Empty where the generator does not know the syntax (lookaround): the usual signs are left then. */
function matchesOf(expression: RegExp): string[] {
  // Generating from a negated Unicode class takes longer than measuring.
  if (/\\P\{/.test(expression.source)) return []
  try {
    const plain = new RegExp(expression.source, expression.flags.replaceAll(/[ims]/g, ''))
    return fc.sample(fc.stringMatching(plain), { seed: 5, numRuns: 6 }).map((text) => text.slice(0, 8))
  } catch {
    return []
  }
}

/** How many times longer the worst text of twice the length takes; 1 when none takes noticeable time. */
function growthOf(expression: RegExp): { times: number; piece: string } {
  let worst = { times: 1, piece: '' }
  for (const piece of piecesFor(expression))
    for (const end of ['', '\0!', '\n']) {
      const text = (length: number) => piece.repeat(Math.ceil(length / piece.length)) + end
      for (const length of shortLengths)
        if (msOf(expression, text(length)) > 5) return { times: Number.POSITIVE_INFINITY, piece }
      const long = msOf(expression, text(fewest * 2))
      if (long < tooShortToJudgeMs) continue
      const times = long / msOf(expression, text(fewest))
      if (times > worst.times) worst = { times, piece }
      if (times > mostTimes) return worst
    }
  return worst
}

/** The growth, when it is seen each of three times: other work on the machine may show it once. */
function slowness(expression: RegExp): { times: number; piece: string } | undefined {
  const tries = [1, 2, 3].values().map(() => growthOf(expression))
  let last: { times: number; piece: string } | undefined
  for (const growth of tries) {
    if (growth.times <= mostTimes) return undefined
    last = growth
  }
  return last
}

test('there are expressions to try', () => {
  expect(expressions.length).toBeGreaterThan(100)
})

test.each(sampled(expressions, 3))(
  '%s takes time in proportion to its text',
  (_source, expression) => expect(slowness(expression)).toBeUndefined(),
  rounds(600_000, 120_000),
)

/** The last one takes a quarter of a minute to be found out. */
const planted = [/\s+x$/, /^(a+)+-$/, /,+;?,*$/].slice(0, rounds(3, 2))

test.each(planted)(
  'the slow expression %s is found out',
  (expression) => expect(growthOf(expression).times).toBeGreaterThan(mostTimes),
  300_000,
)
