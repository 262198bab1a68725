import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { phonePattern } from '../src/server/schema/declare/spellings.ts'

// Every regular expression of server, shared and web must take time in proportion to its text. Each is tried
// on long repetitions of what it matches. @see security S-30

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

/** Whether a file constructs regular expressions: their text is known only when it runs. */
function constructs(file: string): boolean {
  const visit = (node: unknown): boolean => {
    if (typeof node !== 'object' || node === null) return false
    const { type, callee } = node as { type?: string; callee?: { name?: string } }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') return true
    return Object.values(node).some(visit)
  }
  return visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
}

/** The regular expressions that a file constructs while it is loaded. */
async function constructedBy(file: string): Promise<RegExp[]> {
  const address = pathToFileURL(join(root, file)).href
  // What it imports is loaded by then, and is not loaded again.
  await import(/* @vite-ignore */ address)
  const found: RegExp[] = []
  const plain = globalThis.RegExp
  globalThis.RegExp = new Proxy(plain, {
    construct(target, [pattern, flags = '']: [string, string?]) {
      found.push(new plain(pattern, flags.replaceAll(/[gy]/g, '')))
      return new target(pattern, flags)
    },
  })
  try {
    await import(/* @vite-ignore */ `${address}?again`)
  } finally {
    globalThis.RegExp = plain
  }
  return found
}

const somePhones = ['5511987654321', '551140028922', '351912345678']

/** Examples of those that are constructed by a call. */
const constructedLater: Record<string, RegExp[]> = {
  'server/gateway/evolution/client/file-json.ts': [/(?<!\\)"base64"\s*:\s*"/],
  'server/maintenance/privacy/search-bytes.ts': somePhones.map(
    (phone) => new RegExp(phonePattern(phone), 'i'),
  ),
  'server/platform/phones/hide-answer.ts': somePhones.map(
    (phone) => new RegExp(String.raw`[+(]{0,2}${phonePattern(phone)}`),
  ),
}

const files = globSync(['server/**/*.ts', 'shared/**/*.ts', 'web/**/*.{ts,tsx}'], {
  cwd: root,
}).filter((file) => !/\.test\.tsx?$|\/testing\/|\/demo\/|\/cli\//.test(file))
const expressions = [
  ...new Map(files.flatMap(expressionsOf).map((expression) => [String(expression), expression])),
]
const constructed: { file: string; found: RegExp[] }[] = []
for (const file of files.filter(constructs))
  constructed.push({ file, found: constructedLater[file] ?? (await constructedBy(file)) })

/** In ascending order: with fast growth, the longer texts would take too long to try. */
const lengths = [94, 188, 375, 750, 1500]
/** A text twice as long takes linear expressions twice the time and quadratic ones four times. */
const mostTimes = 3
const tooShortToJudgeMs = 1
/** Exponential growth shows at these lengths already. */
const shortLengths = [12, 16, 20, 24, 28, 32, 40]

/** The shortest of several tries, in milliseconds, since other work on the machine only adds time. */
function msOf(expression: RegExp, text: string): number {
  const tries = Array.from({ length: 3 }, () => {
    const start = performance.now()
    expression.test(text)
    return performance.now() - start
  })
  return Math.min(...tries)
}

/** The pieces to repeat: usual characters, texts that the expression matches, and each character of them. */
function piecesFor(expression: RegExp): string[] {
  const samples = matchesOf(expression)
  const signs = samples.flatMap((text) => Array.from(text))
  return [...new Set([' ', '\t', '\n', 'a', '0', '-', '@', '.', ...samples, ...signs])]
    .filter((one) => one !== '')
    .slice(0, 30)
}

/** Texts that the expression matches; none if the generator does not support the syntax (lookaround). */
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

/** The ratio of the times for texts of double and single length, at the first length with measurable time. */
function timesOf(expression: RegExp, text: (length: number) => string): number {
  for (const length of lengths) {
    const long = msOf(expression, text(length * 2))
    if (long >= tooShortToJudgeMs) return long / msOf(expression, text(length))
  }
  return 1
}

/** The worst ratio of `timesOf` over all pieces; 1 if none takes measurable time. */
function growthOf(expression: RegExp): { times: number; piece: string } {
  let worst = { times: 1, piece: '' }
  for (const piece of piecesFor(expression))
    for (const end of ['', '\0!', '\n', 'a']) {
      const text = (length: number) => piece.repeat(Math.ceil(length / piece.length)) + end
      for (const length of shortLengths)
        if (msOf(expression, text(length)) > 5) return { times: Number.POSITIVE_INFINITY, piece }
      const times = timesOf(expression, text)
      if (times > worst.times) worst = { times, piece }
      if (times > mostTimes) return worst
    }
  return worst
}

/** The growth, if three tries in a row exceed the limit: other work on the machine can spoil one. */
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

test.each(expressions)(
  '%s takes time in proportion to its text',
  (_source, expression) => expect(slowness(expression)).toBeUndefined(),
  120_000,
)

test.each(constructed)('$file constructs what can be tried', ({ found }) => {
  // What is constructed by a call is listed with an example.
  expect(found).not.toEqual([])
})

test.each(constructed.flatMap(({ found }) => found.map((one) => [String(one), one] as const)))(
  'the constructed %s takes time in proportion to its text',
  (_source, expression) => expect(slowness(expression)).toBeUndefined(),
  600_000,
)

test('links are constructed and tried', () => {
  const ofLinks = constructed.find(({ file }) => file.endsWith('/links.ts'))?.found ?? []
  expect(ofLinks.map(({ source }) => source.includes('mailto:'))).toContain(true)
})

test.each([/\s+x$/, /^(a+)+-$/, /,+;?,*$/])(
  'the slow expression %s is found out',
  (expression) => expect(slowness(expression)).toBeDefined(),
  120_000,
)
