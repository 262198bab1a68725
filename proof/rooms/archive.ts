import type { Case, Recipes } from '../access/recipe.ts'
import { always, each, once, oneTalk, plain, talks } from '../access/targets.ts'

const list = '/api/conversations/archived'
const said = '/api/conversations/search?search=Ol%C3%A1'

/** The rows of a call about a completed conversation: one's own, and that of somebody else. */
const archived = <Name extends string>(suffix: string, name: Name) => {
  const own: Case = {
    what: 'own',
    sees: 'reader',
    status: 200,
    targets: each(talks('own', true), ({ id }) => ({ path: `${list}/${id}${suffix}` })),
  }
  const other: Case = {
    what: 'of a colleague',
    sees: 'archive',
    status: 200,
    targets: once(async (world) => ({
      path: `${list}/${(await oneTalk(world, 'colleague', true)).id}${suffix}`,
    })),
  }
  return {
    [`GET /api/conversations/archived/{own}${name}`]: [own],
    [`GET /api/conversations/archived/{other}${name}`]: [other],
  } as Record<`GET /api/conversations/archived/{${'own' | 'other'}}${Name}`, Case[]>
}

const showsAll = (body: unknown) =>
  typeof body === 'object' && body !== null && 'isOwnOnly' in body && body.isOwnOnly === false

/** The calls of the archive. */
export const recipes = {
  'GET /api/conversations/archived (own)': [
    plain('the list'),
    { what: 'a search', status: 200, targets: always(`${list}?search=Ol%C3%A1&order=oldest`) },
  ],
  'GET /api/conversations/archived (all)': { ...plain('those of everybody'), part: showsAll },
  'GET /api/conversations/search (own)': { what: 'what was said', status: 200, targets: always(said) },
  'GET /api/conversations/search (all)': {
    what: 'what was said in those of everybody',
    status: 200,
    targets: always(said),
    part: showsAll,
  },
  ...archived('', ''),
  ...archived('/messages', '/messages'),
  ...archived('/search?search=Ol%C3%A1', '/search'),
  ...archived('/export?format=text', '/export'),
} satisfies Recipes
