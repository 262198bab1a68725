import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../scripts/start-line.ts'

// The places in the server that ask who knows of a conversation. Each call of one of these functions is
// replaced, as its file is loaded, by one that can be told to take the person for somebody who knows of
// everything: a server without that limit.

const asking = [
  'reachOf',
  'isInReach',
  'reachParams',
  'reachesAll',
  'reachesEverything',
  'reachKey',
  'isOfQueueOf',
  'servesQueue',
  'mayRead',
  'readableBy',
  'expectReadable',
  'findReadable',
  'conversationFor',
  'recentConversationFor',
  'lockConversationFor',
  'mayReadLocked',
  'lockToTake',
  'expectOpen',
  'findMessageFor',
  'readTimeline',
]

const server = join(projectFolder, 'src/server')
const rule = join(server, 'platform/http/reach.ts')

/** The places that let everything through. */
let lax: ReadonlySet<string> = new Set()
const reached = new Set<string>()
/** All places of the files that are loaded, in the order of loading. */
const places: string[] = []

export const knownPlaces = (): readonly string[] => places

/** Runs the work with a server that does not ask at some places. */
export async function without<Result>(some: readonly string[], work: () => Promise<Result>): Promise<Result> {
  lax = new Set(some)
  try {
    return await work()
  } finally {
    lax = new Set()
  }
}

/** @returns the places that were reached by the work */
export async function placesOf(work: () => Promise<unknown>): Promise<string[]> {
  reached.clear()
  await work()
  return [...reached]
}

/** Somebody who knows of everything, in the place of a person. */
function widened(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  if (!('scope' in given) || !('numberIds' in given)) return given
  return { ...given, scope: 'all', numberIds: null, sectors: [] }
}

type Asking = (...given: unknown[]) => unknown

function asked(place: string, ask: Asking): Asking {
  reached.add(place)
  return lax.has(place) ? (...given) => ask(...given.map((one) => widened(one))) : ask
}

/** Where these functions come from; others have the same names. */
const sources = ['http/reach.ts', 'store/access.ts', './access.ts']
const access = join(server, 'conversations/store/access.ts')

function isKnownIn(file: string, source: string, ask: string): boolean {
  const imports = source.matchAll(/import \{([^}]*)\} from '([^']+)'/g)
  const isImported = [...imports].some(
    ([, names = '', from = '']) =>
      names.split(',').some((name) => name.trim() === ask) && sources.some((one) => from.endsWith(one)),
  )
  return isImported || (file === access && source.includes(`function ${ask}(`))
}

/** The source with each call of such a function going through `asked`. */
function changed(file: string, source: string): string {
  return asking.reduce((text, ask) => {
    if (!isKnownIn(file, source, ask)) return text
    return text.replaceAll(new RegExp(`(?<!function |[\\w.'])${ask}\\(`, 'g'), (_, at: number) => {
      const line = text.slice(0, at).split('\n').length
      const place = `${relative(server, file)}:${line} ${ask}`
      places.push(place)
      return `globalThis.askedAt(${JSON.stringify(place)}, ${ask})(`
    })
  }, source)
}

/** From now on files of the server are loaded with their places watched. */
export function watchPlaces(): void {
  Object.assign(globalThis, { askedAt: asked })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:')) return loaded
      const file = fileURLToPath(url)
      if (!file.startsWith(server) || file === rule || !file.endsWith('.ts')) return loaded
      const source = changed(file, readFileSync(file, 'utf8'))
      return { ...loaded, source }
    },
  })
}
