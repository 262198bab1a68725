import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { say } from './command.ts'
import { parseSync } from 'vite'

/**
 * `npm run expressions`: blows texts up for every regular expression of server, shared and web, and names those that take
 * more than their share of time. Fails when there is one, or when it does not find a slow one out.
 * @see security S-30
 */
const root = join(import.meta.dirname, '..', 'src')

/** Every regular expression that stands in what runs on the server or in a browser, read out of the parsed source. */
function expressionsOf(file: string): RegExp[] {
  const found: RegExp[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.push(new RegExp(pattern, flags.replaceAll(/[gy]/g, '')))
    } else Object.values(node).forEach(look)
  }
  look(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
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

/** The shortest of several tries, since somebody else's work only adds. */
function msOf(expression: RegExp, text: string): number {
  const tries = Array.from({ length: 3 }, () => {
    const start = performance.now()
    expression.test(text)
    return performance.now() - start
  })
  return Math.min(...tries)
}

/** Pieces that the expression itself likes, and each sign of them alone: what a text is blown up with. */
function piecesFor(expression: RegExp): string[] {
  const samples = sampled(expression)
  const signs = samples.flatMap((text) => Array.from(text))
  return [...new Set([' ', '\t', '\n', 'a', '0', '-', '@', '.', ...samples, ...signs])]
    .filter((one) => one !== '')
    .slice(0, 30)
}

/** Nothing for what the generator does not know (looking ahead or behind): the usual signs are left. */
function sampled(expression: RegExp): string[] {
  // Drawing from all signs but some takes longer than the judging.
  if (/\\P\{/.test(expression.source)) return []
  try {
    const plain = new RegExp(expression.source, expression.flags.replaceAll(/[ims]/g, ''))
    return fc.sample(fc.stringMatching(plain), { seed: 5, numRuns: 6 }).map((text) => text.slice(0, 8))
  } catch {
    return []
  }
}

/** How many times longer the worst text of twice the length takes; 1 when all of them are no work at all. */
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

const slow = expressions
  .map(([source, expression]) => ({ source, ...growthOf(expression) }))
  .filter(({ times }) => times > mostTimes)
const missed = [/\s+x$/, /^(a+)+-$/, /,+;?,*$/].filter((one) => growthOf(one).times <= mostTimes)
say(`${expressions.length} expressões em ${files.length} arquivos; lentas: ${slow.length}`)
for (const { source, times, piece } of slow)
  say(`  ${source}: × ${times.toFixed(1)} com ${JSON.stringify(piece)} repetido`)
for (const one of missed) say(`  NÃO FOI DESCOBERTA ${String(one)}`)
process.exitCode = slow.length === 0 && missed.length === 0 ? 0 : 1
